// Failures of Temporal and of flows: one line of text and an exit code.
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { ContractError } from '../../contract/wire/contract-error.ts';
import { exitCodes } from '../../runtime/terminal/exit-codes.ts';
import { type FailureWords, failureOf, failureWordsOf } from '../../runtime/terminal/failure-words.ts';
import { FlowCancelled, FlowFailed, FlowNotFound, withCode } from '../flow-errors.ts';
import { FlowNotPublished } from '../flow-files/flow-not-published.ts';
import { FlowFilesRefused } from '../flow-files/publish.ts';
import { type GrpcFailure, grpcCodes, grpcFailureOf, isOutOfTime } from '../grpc-failure.ts';

export const failureWords = (error: unknown): FailureWords => failureWordsOf(error, temporalFailureWords);

/** Null for an error that neither Temporal nor a flow has given. */
export function temporalFailureWords(error: unknown): FailureWords | null {
  if (error instanceof ContractError) return failureOf(exitCodes.wrongUse, error.message);
  // Checked before "no such flow": without the namespace no flow is found either.
  if (isNamespaceMissing(error))
    return failureOf(
      exitCodes.wrongUse,
      'there is no such namespace in this Temporal; check TEMPORAL_NAMESPACE',
    );
  if (error instanceof FlowNotFound)
    return failureOf(exitCodes.notFound, `${error.message}; see lockerflow list`);
  if (error instanceof WorkflowNotFoundError) return failureOf(exitCodes.notFound, error.message);
  if (error instanceof FlowNotPublished || error instanceof FlowFilesRefused)
    return failureOf(exitCodes.wrongUse, error.message);
  if (error instanceof FlowFailed)
    return failureOf(
      exitCodes.endedOtherwise,
      `${error.workflowId} failed: ${withCode(error.code, error.message)}`,
    );
  if (error instanceof FlowCancelled) return failureOf(exitCodes.endedOtherwise, error.message);
  if (error instanceof WorkflowUpdateFailedError)
    return failureOf(exitCodes.failed, error.cause?.message ?? error.message);
  const failure = grpcFailureOf(error);
  return failure && ofGrpc(failure);
}

// Temporal's message; the library has an error class for some calls, and no code for the others.
const NO_NAMESPACE = /^Namespace \S+ is not found/;

function isNamespaceMissing(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError) return true;
  const failure = grpcFailureOf(error);
  return failure?.code === grpcCodes.notFound && NO_NAMESPACE.test(failure.details);
}

// Temporal's message for a query if no worker has polled the task queue lately.
const NO_POLLER = /no poller/;

function ofGrpc(failure: GrpcFailure): FailureWords {
  const { code, details } = failure;
  if (code === grpcCodes.invalidArgument)
    return failureOf(exitCodes.wrongUse, `Temporal does not accept this request: ${details}`);
  if (code === grpcCodes.notFound)
    return failureOf(exitCodes.notFound, `Temporal does not find it: ${details}`);
  if (isOutOfTime(failure) || NO_POLLER.test(details))
    return failureOf(
      exitCodes.unreachable,
      `no worker answers (${details}); start a worker, or check LOCKERFLOW_TASK_QUEUE`,
    );
  if (code === grpcCodes.unavailable)
    return failureOf(
      exitCodes.unreachable,
      `Temporal cannot be reached (${details}); check TEMPORAL_ADDRESS`,
    );
  if (code === grpcCodes.permissionDenied || code === grpcCodes.unauthenticated)
    return failureOf(
      exitCodes.failed,
      `Temporal refuses this (${details}); check TEMPORAL_API_KEY or TEMPORAL_TLS_*`,
    );
  return failureOf(exitCodes.failed, `Temporal refused the request: ${details}`);
}
