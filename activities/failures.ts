// From an error of the API client to the failure that Temporal keeps: the API's code as its type, whether the server may repeat
// the activity, and when. Nothing secret is in the error already (shared/locker-api); nothing is added here.
import { ApplicationFailure, activityInfo, heartbeat } from '@temporalio/activity';
import type { ContractError, ServiceProfile } from '../contract/index.ts';
import { readLockersTried } from '../contract/wire/lockers-tried.ts';
import type { LockerApiError } from '../shared/locker-api/index.ts';

// Wrong credentials are ours to repair, and a wrong deploy must not end processes: they wait for the repair.
const repairableCodes: ReadonlySet<string> = new Set(['Unauthorized', 'TokenRefused']);

// A service's wrong clock must not stop a process for days.
const LONGEST_RETRY_DELAY_MS = 3_600_000;

/** The service's own code for "no locker free" is ours from here on (assumptions: A bare vendor). */
export function failureType(error: LockerApiError, serviceProfile: ServiceProfile): string {
  return serviceProfile.noLockerCodes.has(error.code) ? 'NoLockerAvailable' : error.code;
}

/** An ordinary business answer, nothing that an operator must see: the service itself said no, or the request is wrong. */
function isRefusal(error: LockerApiError): boolean {
  if (error.code === 'InvalidRequest') return true;
  return error.mayHaveReachedService === 'yes' && !repairableCodes.has(error.code);
}

/** @param retryDelayMs where the error names none */
export function apiFailure(
  error: LockerApiError,
  serviceProfile: ServiceProfile,
  retries: { readonly retryable?: boolean; readonly retryDelayMs?: number } = {},
): ApplicationFailure {
  const retryable = retries.retryable ?? (error.retryable || repairableCodes.has(error.code));
  const delay = error.retryAfterMs ?? retries.retryDelayMs;
  return ApplicationFailure.create({
    message: error.message,
    type: failureType(error, serviceProfile),
    nonRetryable: !retryable,
    details: [detailsOf(error)],
    // The server takes a delay of zero for the end of all retries.
    ...(retryable && delay && { nextRetryDelay: Math.min(delay, LONGEST_RETRY_DELAY_MS) }),
    ...(isRefusal(error) && { category: 'BENIGN' as const }),
  });
}

/** For the operator who looks at the failure in the Web UI. Of the other fields only those that hold nothing of people. */
function detailsOf(error: LockerApiError) {
  const { operation, code, httpStatus, mayHaveReachedService, requestId, cause, fields } = error;
  const tried = readLockersTried(fields);
  return {
    operation,
    code,
    httpStatus,
    mayHaveReachedService,
    requestId,
    evidence: cause ?? null,
    ...(tried && { lockersTried: tried }),
  };
}

/** Nothing was asked of the service. */
export function invalidInput({ code, message, issues }: ContractError): ApplicationFailure {
  return ApplicationFailure.create({
    type: code,
    message,
    nonRetryable: true,
    details: [{ issues }],
    category: 'BENIGN',
  });
}

interface Heartbeat {
  readonly nothingDoneIn: number;
  /** One before it may have had its effect. */
  readonly isDoubtful?: boolean;
}

/** Records in the heartbeat, for the next attempt, that this one had no effect. */
export function recordNoEffect(): void {
  const isDoubtful = isAfterDoubtfulAttempt();
  heartbeat({
    nothingDoneIn: activityInfo().attempt,
    ...(isDoubtful && { isDoubtful }),
  } satisfies Heartbeat);
}

/** Any attempt before this one may have had its effect. */
export function isAfterDoubtfulAttempt(): boolean {
  const { heartbeatDetails } = activityInfo();
  return isAfterLostAttempt() || (heartbeatDetails as Heartbeat | undefined)?.isDoubtful === true;
}

/** An attempt that may have had its effect, or one before it, where there may be no further one. It is tried again. */
export const doubtful = (message: string): ApplicationFailure =>
  ApplicationFailure.retryable(
    `it is not known whether it was carried out: after ${activityInfo().attempt} attempts, ${message}`,
    'OutcomeUnknown',
  );

/** An attempt before this one has not said that it had no effect. */
export function isAfterLostAttempt(): boolean {
  const { attempt, heartbeatDetails } = activityInfo();
  const heartbeatBefore = heartbeatDetails as Heartbeat | undefined;
  return attempt > 1 && heartbeatBefore?.nothingDoneIn !== attempt - 1;
}
