// How a booking that is not made ends its activity: refused, not sent, or of unknown outcome.
import { ApplicationFailure, activityInfo, log } from '@temporalio/activity';
import type { Peer } from '../../contract/index.ts';
import type { LockerApiError } from '../../shared/locker-api/index.ts';
import { apiFailure, failureType } from '../failures.ts';
import type { BookInput, BookingPrepared, FlowFailure, UnknownOutcome } from '../flow-activities.ts';
import type { OutcomeUnknownError } from './unknown-outcome.ts';

/** It is certain that nothing is booked. */
export function bookingFailure(
  error: LockerApiError,
  peer: Peer,
  { lockerWaitEndsAt }: BookInput,
  lockerRetryMs: number,
  aheadMs: number,
): ApplicationFailure {
  if (failureType(error, peer) !== 'NoLockerAvailable') return apiFailure(error, peer);
  const leftMs = (lockerWaitEndsAt ?? 0) - (Date.now() + aheadMs);
  // Jitter, so that flows which wait for the same lockers do not all come at once; the last try is when the wait ends.
  const retryDelayMs = Math.min(Math.round(lockerRetryMs * (0.8 + Math.random() * 0.4)), leftMs);
  return apiFailure(error, peer, { retryable: leftMs > 0, retryDelayMs });
}

/** The SDK logs the failure of an attempt, but not when the next one is; and of a wait for a locker it logs nothing. */
export function logNextTry(
  { message, nonRetryable, nextRetryDelay }: ApplicationFailure,
  caseNumber: string | null,
): void {
  if (nonRetryable) return;
  const { attempt, retryPolicy } = activityInfo();
  const firstMs = milliseconds(retryPolicy?.initialInterval) ?? 1_000;
  const mostMs = milliseconds(retryPolicy?.maximumInterval) ?? 100 * firstMs;
  const usualMs = Math.min(mostMs, firstMs * (retryPolicy?.backoffCoefficient ?? 2) ** (attempt - 1));
  const delayMs = milliseconds(nextRetryDelay) ?? usualMs;
  const nextTryAt = new Date(Date.now() + delayMs).toISOString();
  log.warn('a booking is tried again', { attempt, lastFailure: message, nextTryAt, caseNumber });
}

/** As a running activity is told of it, and as our own failures have it. */
const milliseconds = (duration: unknown): number | null => (typeof duration === 'number' ? duration : null);

export function outcomeUnknown(
  { message, candidates }: OutcomeUnknownError,
  peer: Peer,
  prepared: BookingPrepared = {},
): ApplicationFailure {
  const type: FlowFailure = 'OutcomeUnknown';
  const details: UnknownOutcome = {
    why: message,
    candidates,
    ...(!canTell(peer) && { cannotBeAsked: true }),
    ...prepared,
  };
  return ApplicationFailure.create({ type, message, nonRetryable: true, details: [details] });
}

/** Whether the service can tell what became of a booking: by its listing, or by repeating it under its key. */
export const canTell = ({ capabilities }: Peer): boolean =>
  capabilities.has('idempotencyKey') || capabilities.has('getShipments');
