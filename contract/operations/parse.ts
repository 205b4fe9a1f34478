// Reads requests strictly and answers tolerantly, and writes requests. The only error thrown here is ContractError, which
// names every invalid field by its name on the wire.

import type { z } from 'zod';
import { fromWire, toWire, unknownFields } from '../wire/casing.ts';
import { check } from '../wire/check.ts';
import { ContractError, type FieldIssue } from '../wire/contract-error.ts';
import { type ErrorCode, errors } from '../wire/errors.ts';
import { lockersTried } from '../wire/lockers-tried.ts';
import { type SandboxClock, sandboxClock } from '../wire/sandbox-clock.ts';
import type { Operation } from './operation.ts';
import { type OperationName, operationRow, type Request, type Response } from './operations.ts';

export function parseRequest<Name extends OperationName>(name: Name, body: unknown): Request<Name> {
  const row = operationRow(name);
  const { data, issues } = check(row.request, body);
  if (!data)
    throw new ContractError(requestErrorCode(row, issues), [...issues, ...ignored(row.request, body)]);
  return data as Request<Name>;
}

/**
 * Checks a request of our own and gives its fields their names on the wire. Throws ContractError before anything is sent.
 */
export function encodeRequest<Name extends OperationName>(name: Name, request: Request<Name>): unknown {
  return toWire(operationRow(name).request, parseRequest(name, request));
}

export type Answer<Name extends OperationName> = AnswerWith<Response<Name>>;

export type AnswerWith<Content> =
  | { readonly success: true; readonly response: Content }
  | {
      readonly success: false;
      /** The service's code, which may be unknown here; InternalError where the service gives none. */
      readonly error: string;
      readonly message: string | null;
      /** The other fields of the failing answer, such as the userUid with MutationConfigFailed. Not checked. */
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** An answer's body. Throws ContractError (InvalidResponse) when it is not an envelope or lacks an essential field. */
export function parseAnswer<Name extends OperationName>(name: Name, body: unknown): Answer<Name> {
  return answerWith<Response<Name>>(operationRow(name).response, body);
}

/** Likewise, of /sandbox/clock. */
export function parseClockAnswer(body: unknown): AnswerWith<SandboxClock> {
  return answerWith<SandboxClock>(sandboxClock, body);
}

/** The fields that an answer with this code has, whatever the operation. */
const ofFailures: ReadonlyMap<string, z.ZodObject> = new Map([['NoLockerAvailable', lockersTried]]);

function answerWith<Content>(schema: z.ZodObject, body: unknown): AnswerWith<Content> {
  const envelope = readEnvelope(body);
  if (!envelope.success) {
    const error = envelope.error ?? 'InternalError';
    const more = ofFailures.get(error);
    const named = [schema, ...(more ? [more] : [])].map((each) => fromWire(each, body) as object);
    return { success: false, error, message: envelope.message, fields: Object.assign({}, ...named) };
  }
  const { data, issues } = check(schema, body);
  if (!data) throw new ContractError('InvalidResponse', issues);
  return { success: true, response: data as Content };
}

export interface Envelope {
  readonly success: boolean;
  readonly error: string | null;
  readonly message: string | null;
}

function readEnvelope(body: unknown): Envelope {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ContractError('InvalidResponse', [{ field: '', message: 'the answer is not a JSON object' }]);
  const fields = new Map(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]));
  const success = fields.get('success');
  if (typeof success !== 'boolean')
    throw new ContractError('InvalidResponse', [{ field: 'success', message: 'expected true or false' }]);
  const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return { success, error: textOrNull(fields.get('error')), message: textOrNull(fields.get('message')) };
}

export function encodeAnswer<Name extends OperationName>(
  name: Name,
  response: Response<Name>,
  message: string | null = null,
): object {
  const named = toWire(operationRow(name).response, response) as object;
  return { ...named, success: true, error: null, message };
}

export function encodeFailure(code: ErrorCode, message: string | null, fields: object = {}): object {
  return { ...fields, success: false, error: code, message: message ?? errors[code].meaning };
}

/** What a refused request has beside its fields: a misspelled name is why a field is missing. */
const ignored = (schema: z.ZodObject, body: unknown): FieldIssue[] =>
  unknownFields(schema, body).map((field) => ({
    field,
    message: 'is not a field of this request, and was not read',
  }));

/** When every issue has a code of its own: the first of those codes, in the row's order. Else InvalidRequest. */
function requestErrorCode({ fieldErrors = {} }: Operation, issues: readonly FieldIssue[]): ErrorCode {
  const offending = new Set(issues.map(({ field }) => field));
  const own = Object.entries(fieldErrors).filter(([field]) => offending.has(field));
  const [first] = own;
  return first && own.length === offending.size ? first[1] : 'InvalidRequest';
}
