// Any failure as one line and an exit code. Never a stack trace: it is for those who develop, not for those who operate.
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { CommanderError } from 'commander';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { FlowCancelled, FlowFailed, FlowNotFound } from '../flow-errors.ts';
import { type GrpcFailure, grpcCodes, grpcFailureOf, isOutOfTime } from '../grpc-failure.ts';
import { CommandFailed, type ExitCode, exitCodes } from './exit-codes.ts';

export interface FailureWords {
  readonly exitCode: ExitCode;
  /** Null where there is nothing to add: help was asked for and given. */
  readonly words: string | null;
}

export function failureWords(error: unknown): FailureWords {
  if (error instanceof CommanderError) return ofCommander(error);
  if (error instanceof CommandFailed) return told(error.exitCode, error.message);
  // What was waited for with the terminal's signal.
  if (error instanceof Error && error.name === 'AbortError')
    return told(exitCodes.interrupted, 'interrupted');
  if (error instanceof ContractError) return told(exitCodes.wrongUse, error.message);
  // Before what was looked for in it: no flow is found there either.
  if (isNamespaceMissing(error))
    return told(exitCodes.wrongUse, 'there is no such namespace in this Temporal; check TEMPORAL_NAMESPACE');
  if (error instanceof FlowNotFound) return told(exitCodes.notFound, `${error.message}; see lockerflow list`);
  if (error instanceof WorkflowNotFoundError) return told(exitCodes.notFound, error.message);
  if (error instanceof FlowFailed)
    return told(exitCodes.endedOtherwise, `${error.workflowId} failed: ${error.code}: ${error.message}`);
  if (error instanceof FlowCancelled) return told(exitCodes.endedOtherwise, error.message);
  if (error instanceof WorkflowUpdateFailedError)
    return told(exitCodes.failed, error.cause?.message ?? error.message);
  const failure = grpcFailureOf(error);
  if (failure) return ofGrpc(failure);
  return told(exitCodes.failed, error instanceof Error ? error.message : String(error));
}

const told = (exitCode: ExitCode, message: string): FailureWords => ({
  exitCode,
  words: message.replaceAll(/\s*\n\s*/g, ' ').trim(),
});

const helpGiven: ReadonlySet<string> = new Set(['commander.helpDisplayed', 'commander.version']);

function ofCommander({ code, message }: CommanderError): FailureWords {
  if (helpGiven.has(code)) return { exitCode: exitCodes.done, words: null };
  // Without a verb commander shows the help by itself.
  if (code === 'commander.help') return { exitCode: exitCodes.wrongUse, words: null };
  return told(exitCodes.wrongUse, `${message.replace(/^error: /, '').replace(/\.$/, '')}; see --help`);
}

// Temporal's words; the library has a class of its own for some of its calls, and no code for the others.
const NO_NAMESPACE = /^Namespace \S+ is not found/;

function isNamespaceMissing(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError) return true;
  const failure = grpcFailureOf(error);
  return failure?.code === grpcCodes.notFound && NO_NAMESPACE.test(failure.details);
}

// Temporal's words for a query whose task queue no worker has asked of late.
const NO_POLLER = /no poller/;

function ofGrpc(failure: GrpcFailure): FailureWords {
  const { code, details } = failure;
  if (code === grpcCodes.invalidArgument)
    return told(exitCodes.wrongUse, `Temporal does not accept this request: ${details}`);
  if (code === grpcCodes.notFound) return told(exitCodes.notFound, `Temporal does not find it: ${details}`);
  if (isOutOfTime(failure) || NO_POLLER.test(details))
    return told(exitCodes.unreachable, `no worker answers (${details}); is one running on the task queue?`);
  if (code === grpcCodes.unavailable)
    return told(exitCodes.unreachable, `Temporal cannot be reached (${details}); check TEMPORAL_ADDRESS`);
  if (code === grpcCodes.permissionDenied || code === grpcCodes.unauthenticated)
    return told(
      exitCodes.failed,
      `Temporal refuses this (${details}); check TEMPORAL_API_KEY or TEMPORAL_TLS_*`,
    );
  return told(exitCodes.failed, `Temporal refuses: ${details}`);
}
