// What Temporal's answer to a call was where it failed: gRPC's code and words, wherever the client wrapped them.
import { isGrpcServiceError } from '@temporalio/client';

export interface GrpcFailure {
  readonly code: number;
  readonly details: string;
}

/** Null where it is no failure of a call. */
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

// What the library says of a call that its caller has given up.
const GIVEN_UP = 'Cancelled on client';

/** Temporal was reached, and no worker answered in time. A server whose clock is ahead cancels what is out of time. */
export function isOutOfTime({ code, details }: GrpcFailure): boolean {
  return code === grpcCodes.deadlineExceeded || (code === grpcCodes.cancelled && details !== GIVEN_UP);
}
