// Failures and durations in the form of Temporal's protocol.
import { defaultFailureConverter } from '@temporalio/common';
import { payloads } from './cached-run.ts';

export interface Failure {
  readonly message?: string;
  readonly cause?: Failure;
  readonly applicationFailureInfo?: {
    readonly type?: string;
    readonly nonRetryable?: boolean;
    readonly nextRetryDelay?: unknown;
    readonly details?: unknown;
  };
  readonly [info: string]: unknown;
}

export const failureOf = (error: unknown): Failure =>
  withoutStacks(defaultFailureConverter.errorToFailure(error, payloads)) as Failure;

export const errorOf = (failure: Failure): Error =>
  defaultFailureConverter.failureToError(failure as never, payloads);

/** Where the code threw differs from machine to machine. */
const withoutStacks = (failure: unknown): unknown =>
  JSON.parse(JSON.stringify(failure, (key, value: unknown) => (key === 'stackTrace' ? undefined : value)));

/** A duration of the protocol; 0 where there is none. */
export function milliseconds(given: unknown): number {
  const { seconds = 0, nanos = 0 } = (given ?? {}) as { seconds?: unknown; nanos?: number };
  return wholeNumber(seconds) * 1_000 + Math.round((nanos ?? 0) / 1e6);
}

/** A Long, before or after it has been JSON. */
function wholeNumber(given: unknown): number {
  if (typeof given !== 'object' || given === null) return Number(given);
  const { low = 0, high = 0 } = given as { readonly low?: number; readonly high?: number };
  return high * 2 ** 32 + (low >>> 0);
}

export const notFound: Failure = {
  message: 'workflow execution already completed or not found',
  applicationFailureInfo: { type: 'NOT_FOUND', nonRetryable: true },
};
