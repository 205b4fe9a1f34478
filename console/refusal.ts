// What the console answers when it cannot do what was asked: a status, a code, and what to do about it.
import type { ZodError } from 'zod';
import { LockerApiError } from '../activities/api/index.ts';
import { temporalFailureWords } from '../client/command-line/failure-words.ts';
import { BusinessKeyInUse, UpdateRefused } from '../client/flow-errors.ts';
import { ContractError } from '../contract/wire/contract-error.ts';
import { CommandFailed, exitCodes } from '../runtime/terminal/exit-codes.ts';

/** By the path of a field: what is wrong with it. */
export type Fields = Readonly<Record<string, string>>;

export interface RefusalBody {
  readonly error: string;
  readonly message: string;
  readonly fields?: Fields;
}

export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  readonly status: number;
  readonly error: string;
  readonly fields: Fields | undefined;
  /** When it is worth another try; null: nobody knows. */
  readonly retryAfterMs: number | null;

  constructor(
    status: number,
    error: string,
    message: string,
    fields?: Fields,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The fields of a value that does not have its shape. */
export const fieldsOf = ({ issues }: ZodError): Fields =>
  Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));

/** All of it in one line. */
export const wordsOfFields = (error: ZodError): string =>
  Object.entries(fieldsOf(error))
    .map(([field, words]) => `${field || 'the request'} ${words}`)
    .join('; ');

/** Undefined for an error that nobody foresaw: a defect of ours. */
export function refusalOf(error: unknown): ConsoleRefusal | undefined {
  if (error instanceof ConsoleRefusal) return error;
  if (error instanceof ContractError) return ofContract(error);
  if (error instanceof UpdateRefused) return new ConsoleRefusal(409, error.code, error.message);
  if (error instanceof BusinessKeyInUse) return new ConsoleRefusal(409, error.name, error.message);
  if (error instanceof LockerApiError) return ofService(error);
  if (error instanceof CommandFailed) return ofExit(error.exitCode, error.message);
  const failure = temporalFailureWords(error);
  return failure ? ofExit(failure.exitCode, failure.words ?? 'it failed') : undefined;
}

function ofContract({ code, message, issues }: ContractError): ConsoleRefusal {
  const fields = Object.fromEntries(issues.map((issue) => [issue.field, issue.message]));
  return new ConsoleRefusal(400, code, message, fields);
}

const NOT_REACHED: ReadonlySet<string> = new Set(['Unreachable', 'ConnectionLost', 'TimedOut']);

function ofService({ code, message, httpStatus, retryAfterMs }: LockerApiError): ConsoleRefusal {
  if (NOT_REACHED.has(code))
    return new ConsoleRefusal(
      503,
      'ServiceUnreachable',
      `The locker service does not answer (${message}). Try again in a moment; the console goes on by itself when it is back.`,
    );
  const isRefusal = httpStatus !== null && httpStatus >= 400 && httpStatus < 500;
  return new ConsoleRefusal(isRefusal ? httpStatus : 502, code, message, undefined, retryAfterMs);
}

const statuses: Readonly<Record<number, readonly [status: number, error: string]>> = {
  [exitCodes.wrongUse]: [400, 'WrongRequest'],
  [exitCodes.notFound]: [404, 'NotFound'],
  [exitCodes.unreachable]: [503, 'TemporalUnreachable'],
};

function ofExit(exitCode: number, message: string): ConsoleRefusal {
  const [status, error] = statuses[exitCode] ?? [409, 'Refused'];
  return new ConsoleRefusal(status, error, message);
}
