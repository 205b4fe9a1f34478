// Every failure as one line of text and an exit code. An error of a command has the exit code of its kind; no other folder knows
// exit codes.
import { type CommandError, type CommandErrorKind, commandErrorOf } from '../processes/outcome.ts';
import { type ExitCode, exitCodes } from '../shared/terminal/exit-codes.ts';
import {
  type FailureMessage,
  failureMessageOf,
  failureOf,
  listed,
} from '../shared/terminal/failure-message.ts';

const exitCodeOf: Readonly<Record<CommandErrorKind, ExitCode>> = {
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

/** By the code of the error: what to type next, or which setting to check. */
const hints: Readonly<Record<string, string>> = {
  FlowNotFound: '; see lockerflow list',
  UnmatchedNotFound: '; see lockerflow unmatched list',
  AlreadyAnswered: '; lockerflow inbox lists the open questions',
  NoProcess: ' (lockerflow unmatched decides about unmatched callbacks)',
  ServiceUnreachable: '; check LOCKER_API_URL, or run npm start',
  TokenRefused: '; check LOCKER_CLIENT_ID and LOCKER_CLIENT_SECRET',
  NotAvailable: '; sandbox and clock need a service in staging (SERVICE_MODE=staging)',
  UnknownOperation: '; sandbox and clock need a service in staging (SERVICE_MODE=staging)',
};

export const failureMessage = (error: unknown): FailureMessage =>
  failureMessageOf(error, commandErrorMessageIn);

function commandErrorMessageIn(error: unknown): FailureMessage | null {
  const failure = commandErrorOf(error);
  if (!failure) return null;
  const exitCode = exitCodeOf[failure.kind];
  // All errors of all files.
  if (failure.code === 'FlowFilesRefused')
    return listed({ exitCode, message: `nothing is published:\n${failure.message}` });
  return failureOf(exitCode, hinted(failure));
}

/** In one line: the failure of one process among many. */
export const commandErrorMessage = (error: CommandError): string => failureMessage(error).text ?? 'failed';

const hinted = ({ code, message }: CommandError): string => `${message}${hints[code] ?? ''}`;
