// The failure of an activity as plain data: what a booking keeps of it, and ends with. It is judged by names and codes, so that
// nothing here depends on the world in which the activity ran.

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: readonly unknown[];
}

interface ActivityFailureCause {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly lastHeartbeatDetails?: unknown;
}

/** What Temporal wraps as the failure of an activity; undefined: it is none. */
export function activityFailure(error: unknown): ActivityFailureCause | undefined {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  return name === 'ActivityFailure' ? ((cause ?? {}) as ActivityFailureCause) : undefined;
}

export function failureOf(error: unknown): Failure {
  const cause = activityFailure(error) ?? error;
  const { name, type, details } = (cause ?? {}) as ActivityFailureCause;
  const isApplication = name === 'ApplicationFailure';
  return {
    code: isApplication && typeof type === 'string' && type !== '' ? type : 'ActivityFailed',
    message: cause instanceof Error ? cause.message : String(cause),
    details: isApplication && Array.isArray(details) ? details : [],
  };
}
