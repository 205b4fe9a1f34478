// Turns a booking that failed into the activity's failure: refused, not sent, or with an unknown outcome.
import { ApplicationFailure, activityInfo, log } from '@temporalio/activity';
import type { ServiceProfile } from '../../contract/index.ts';
import type { BookInput, BookingPrepared, UnknownOutcome } from '../../flows/booking/activities.ts';
import type { LockerApiError } from '../../shared/locker-api/index.ts';
import { apiFailure, failureType } from '../failures.ts';
import type { FlowFailure } from '../flow-activities.ts';
import type { OutcomeUnknownError } from './unknown-outcome.ts';

export function bookingFailure(
  error: LockerApiError,
  serviceProfile: ServiceProfile,
  { lockerWaitEndsAt }: BookInput,
  lockerRetryMs: number,
  aheadMs: number,
): ApplicationFailure {
  if (failureType(error, serviceProfile) !== 'NoLockerAvailable') return apiFailure(error, serviceProfile);
  const leftMs = (lockerWaitEndsAt ?? 0) - (Date.now() + aheadMs);
  // Jitter, so that flows waiting for the same lockers do not all retry at once. The last try is when the wait ends.
  const retryDelayMs = Math.min(Math.round(lockerRetryMs * (0.8 + Math.random() * 0.4)), leftMs);
  return apiFailure(error, serviceProfile, { retryable: leftMs > 0, retryDelayMs });
}

/** The SDK logs a failed attempt but not the time of the next one, and nothing while a flow waits for a locker. */
export function logNextTry(
  { message, nonRetryable, nextRetryDelay }: ApplicationFailure,
  caseNumber: string | null,
): void {
  if (nonRetryable) return;
  const { attempt, retryPolicy } = activityInfo();
  const firstMs = milliseconds(retryPolicy?.initialInterval) ?? 1_000;
  const maximumMs = milliseconds(retryPolicy?.maximumInterval) ?? 100 * firstMs;
  const backoffMs = Math.min(maximumMs, firstMs * (retryPolicy?.backoffCoefficient ?? 2) ** (attempt - 1));
  const delayMs = milliseconds(nextRetryDelay) ?? backoffMs;
  const nextTryAt = new Date(Date.now() + delayMs).toISOString();
  log.warn('a booking is tried again', { attempt, lastFailure: message, nextTryAt, caseNumber });
}

/** The SDK's type also allows texts; `activityInfo` and our own failures have numbers. */
const milliseconds = (duration: unknown): number | null => (typeof duration === 'number' ? duration : null);

export function outcomeUnknown(
  { message, candidates }: OutcomeUnknownError,
  serviceProfile: ServiceProfile,
  prepared: BookingPrepared = {},
): ApplicationFailure {
  const type: FlowFailure = 'OutcomeUnknown';
  const details: UnknownOutcome = {
    why: message,
    candidates,
    ...(!canResolveOutcome(serviceProfile) && { cannotBeAsked: true }),
    ...prepared,
  };
  return ApplicationFailure.create({ type, message, nonRetryable: true, details: [details] });
}

/** Whether the service lets us find out if a booking was made: by its listing, or by repeating it with its key. */
export const canResolveOutcome = ({ capabilities }: ServiceProfile): boolean =>
  capabilities.has('idempotencyKey') || capabilities.has('getShipments');
