// The gRPC code and message of a failed call to Temporal, in any wrapper of the client.
import { isGrpcServiceError } from '@temporalio/client';

export interface GrpcFailure {
  readonly code: number;
  readonly details: string;
}

/** Null if the error is not a failed call. */
export function grpcFailureOf(error: unknown): GrpcFailure | null {
  for (let one = error; one instanceof Error; one = one.cause)
    if (isGrpcServiceError(one)) return { code: one.code, details: one.details };
  return null;
}

/** By gRPC's own names (grpc/status). */
export const grpcCodes = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The library's message for a call that its caller has given up. */
export const GIVEN_UP = 'Cancelled on client';

/**
 * Temporal was reached, and no worker answered in time. If the server's clock is ahead, it cancels calls that are
 * out of time.
 */
export function isOutOfTime({ code, details }: GrpcFailure): boolean {
  return code === grpcCodes.deadlineExceeded || (code === grpcCodes.cancelled && details !== GIVEN_UP);
}

// Temporal's messages: it has a code of its own for neither.
const TASK_FAILED = /Workflow Task in failed state/;
const CLOSED_AT_START = /closed before WorkflowTaskStarted/;

/** A worker fails at the workflow, and at each further try: a defect, which only other code mends. */
export const isTaskFailed = ({ code, details }: GrpcFailure): boolean =>
  code === grpcCodes.failedPrecondition && TASK_FAILED.test(details);

/** The workflow was ended from outside before a worker had taken its first step. */
export const isClosedAtStart = ({ code, details }: GrpcFailure): boolean =>
  code === grpcCodes.failedPrecondition && CLOSED_AT_START.test(details);
