// What the console answers when it cannot do what was asked: a status, a code, and what to do about it.
import type { ZodError } from 'zod';
import { wrongFieldsOf } from '../processes/commands/read-values.ts';
import { type CommandErrorKind, commandErrorOf, type WrongFields } from '../processes/outcome.ts';

export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  readonly status: number;
  readonly error: string;
  readonly fields: WrongFields | undefined;
  /** When it is worth another try; null: nobody knows. */
  readonly retryAfterMs: number | null;

  constructor(
    status: number,
    error: string,
    message: string,
    fields?: WrongFields,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }
}

export const tooManyRequests = (message: string, retryAfterMs: number | null = null): ConsoleRefusal =>
  new ConsoleRefusal(429, 'TooManyRequests', message, undefined, retryAfterMs);

/** All of it in one line. */
export const formatFieldIssues = (error: ZodError): string =>
  Object.entries(wrongFieldsOf(error))
    .map(([field, words]) => `${field || 'the request'} ${words}`)
    .join('; ');

/** A refusal has the status of its kind; no other folder knows the statuses of the console. */
const statusOf: Readonly<Record<CommandErrorKind, number>> = {
  wrongInput: 400,
  misconfigured: 502,
  notFound: 404,
  forbidden: 403,
  refused: 409,
  tooMany: 429,
  unreachable: 503,
  denied: 502,
  endedOtherwise: 409,
  failed: 502,
};

/** Undefined for an error that nobody foresaw: a defect of ours. */
export function consoleRefusalOf(error: unknown): ConsoleRefusal | undefined {
  if (error instanceof ConsoleRefusal) return error;
  const refusal = commandErrorOf(error);
  if (!refusal) return undefined;
  const { kind, code, message, fields, retryAfterMs } = refusal;
  return new ConsoleRefusal(statusOf[kind], code, message, fields, retryAfterMs);
}
