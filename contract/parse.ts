// From the wire and back: requests are checked strictly, answers read tolerantly. The only error out of here is
// ContractError, which names every offending field as the wire calls it.
import type { z } from 'zod';
import { ContractError, type FieldIssue } from './contract-error.ts';
import { type ErrorCode, errors } from './errors.ts';
import { type OperationName, operationRow, type Request, type Response } from './operations.ts';
import { type DuplicateKey, fromWire, toWire, wirePath } from './wire.ts';

/** A request as it came over the wire, in any casing, checked. Throws ContractError. */
export function parseRequest<Name extends OperationName>(name: Name, body: unknown): Request<Name> {
  const row = operationRow(name);
  const duplicates: DuplicateKey[] = [];
  const { data, error } = row.request.safeParse(fromWire(row.request, body, duplicates), {
    reportInput: true,
  });
  const issues = [...duplicates.map(duplicateIssue), ...fieldIssues(row.request, error)];
  if (issues.length > 0) throw new ContractError(requestErrorCode(row.fieldErrors, issues), issues);
  return data as Request<Name>;
}

/** A request of our own, checked and named as the wire wants it. Throws ContractError before anything is sent. */
export function encodeRequest<Name extends OperationName>(name: Name, request: Request<Name>): unknown {
  const { request: schema } = operationRow(name);
  const { data, error } = schema.safeParse(request, { reportInput: true });
  if (error) throw new ContractError('InvalidRequest', fieldIssues(schema, error));
  return toWire(schema, data);
}

export type Answer<Name extends OperationName> =
  | { readonly success: true; readonly response: Response<Name> }
  | {
      readonly success: false;
      /** The peer's code, which may be one that nobody has heard of. */
      readonly error: string;
      readonly message: string | null;
      /** What else the failing answer carried, such as the userUid with MutationConfigFailed. */
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** An answer's body. Throws ContractError (InvalidResponse) when it is no envelope or lacks what is essential. */
export function parseAnswer<Name extends OperationName>(name: Name, body: unknown): Answer<Name> {
  const { response: schema } = operationRow(name);
  const envelope = readEnvelope(body);
  if (!envelope.success) {
    const fields = fromWire(schema, body) as Record<string, unknown>;
    return { success: false, error: envelope.error ?? 'InternalError', message: envelope.message, fields };
  }
  const { data, error } = schema.safeParse(fromWire(schema, body));
  if (error) throw new ContractError('InvalidResponse', fieldIssues(schema, error));
  return { success: true, response: data as Response<Name> };
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

/** The body of a successful answer. */
export function encodeAnswer<Name extends OperationName>(name: Name, response: Response<Name>): object {
  const named = toWire(operationRow(name).response, response) as object;
  return { ...named, success: true, error: null, message: null };
}

/** The body of a failing answer. */
export function encodeFailure(code: ErrorCode, message: string | null, fields: object = {}): object {
  return { ...fields, success: false, error: code, message: message ?? errors[code].meaning };
}

function requestErrorCode(
  own: Readonly<Record<string, ErrorCode>> | undefined,
  issues: readonly FieldIssue[],
): ErrorCode {
  const codes = new Set(issues.map(({ field }) => own?.[field] ?? 'InvalidRequest'));
  const [only] = codes;
  return codes.size === 1 && only ? only : 'InvalidRequest';
}

const duplicateIssue = ({ path, keys }: DuplicateKey): FieldIssue => ({
  field: [...path, keys[0]].join('.'),
  message: `is given more than once (${keys.join(' and ')}); names match without regard to case`,
});

function fieldIssues(schema: z.ZodType, error: z.ZodError | undefined): FieldIssue[] {
  return (error?.issues ?? []).map((issue) => ({
    field: wirePath(schema, issue.path),
    message:
      issue.path.length === 0 && issue.code === 'invalid_type'
        ? 'the body must be a JSON object'
        : described(issue),
  }));
}

/** zod says "expected string, received undefined" of a field that is not there. */
function described(issue: z.core.$ZodIssue): string {
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return missing ? `is required (expected ${issue.expected})` : issue.message;
}
