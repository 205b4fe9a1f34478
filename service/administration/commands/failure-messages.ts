// Failures of the service's command line: one line of text and an exit code.
import { exitCodes } from '../../../shared/terminal/exit-codes.ts';
import {
  type FailureMessage,
  failureMessageOf,
  failureOf,
} from '../../../shared/terminal/failure-message.ts';
import { NotFound } from '../tenants.ts';

export const failureMessage = (error: unknown): FailureMessage => failureMessageOf(error, ofService);

function ofService(error: unknown): FailureMessage {
  if (error instanceof NotFound) return failureOf(exitCodes.notFound, error.message);
  const reason = unreachableReason(error);
  if (reason !== undefined)
    return failureOf(exitCodes.unreachable, `Postgres cannot be reached (${reason}); check DATABASE_URL`);
  // Several lines: a start reports each wrong setting on its own line.
  return { exitCode: exitCodes.failed, text: error instanceof Error ? error.message : String(error) };
}

const NO_WAY = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/;
/** Codes of Postgres: it cuts or refuses connections, starts, stops, or has no free connection. */
const NOT_SERVING = /^(08...|57P0[123]|53300)$/;
/** Errors of pg that have no code. */
const CONNECTION_FAILURE = /^(timeout exceeded when trying to connect|Connection terminated)/;

function unreachableReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && (NO_WAY.test(code) || NOT_SERVING.test(code))) return error.message || code;
  return CONNECTION_FAILURE.test(error.message) ? error.message : undefined;
}
