// Every failure as one line of text and an exit code. A refusal has the exit code of its kind; no other folder knows exit codes.
import { type Refusal, type RefusalKind, refusalOf } from '../processes/outcome.ts';
import { type ExitCode, exitCodes } from '../shared/terminal/exit-codes.ts';
import {
  type FailureMessage,
  failureMessageOf,
  failureOf,
  listed,
} from '../shared/terminal/failure-message.ts';

const exitCodeOf: Readonly<Record<RefusalKind, ExitCode>> = {
  wrongInput: exitCodes.wrongUse,
  misconfigured: exitCodes.wrongUse,
  notFound: exitCodes.notFound,
  forbidden: exitCodes.failed,
  refused: exitCodes.failed,
  tooMany: exitCodes.failed,
  unreachable: exitCodes.unreachable,
  denied: exitCodes.failed,
  endedOtherwise: exitCodes.endedOtherwise,
  failed: exitCodes.failed,
};

/** By the code of the refusal: what to type next, or which setting to check. */
const hints: Readonly<Record<string, string>> = {
  FlowNotFound: '; see lockerflow list',
  ParkedNotFound: '; see lockerflow parked list',
  AlreadyAnswered: '; lockerflow inbox lists the open questions',
  NoProcess: ' (lockerflow parked decides about unmatched callbacks)',
  ServiceUnreachable: '; check LOCKER_API_URL, or run npm start',
  TokenRefused: '; check LOCKER_CLIENT_ID and LOCKER_CLIENT_SECRET',
  NotAvailable: '; sandbox and clock need a service in staging (SERVICE_MODE=staging)',
  UnknownOperation: '; sandbox and clock need a service in staging (SERVICE_MODE=staging)',
};

export const failureMessage = (error: unknown): FailureMessage => failureMessageOf(error, refusedMessage);

function refusedMessage(error: unknown): FailureMessage | null {
  const refusal = refusalOf(error);
  if (!refusal) return null;
  const exitCode = exitCodeOf[refusal.kind];
  // All errors of all files.
  if (refusal.code === 'FlowFilesRefused')
    return listed({ exitCode, message: `nothing is published:\n${refusal.message}` });
  return failureOf(exitCode, hinted(refusal));
}

/** In one line: the failure of one process among many. */
export const refusalMessage = (refusal: Refusal): string => failureMessage(refusal).text ?? 'failed';

const hinted = ({ code, message }: Refusal): string => `${message}${hints[code] ?? ''}`;
