// The failure of an activity as plain data: what a flow keeps of it, and ends with.
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: readonly unknown[];
}

export function failureOf(error: unknown): Failure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const isApplication = cause instanceof ApplicationFailure;
  return {
    code: (isApplication && cause.type) || 'ActivityFailed',
    message: cause instanceof Error ? cause.message : String(cause),
    details: isApplication ? (cause.details ?? []) : [],
  };
}
