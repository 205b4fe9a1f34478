// How a booking that is not made ends its activity: refused, not sent, or of unknown outcome.
import { ApplicationFailure } from '@temporalio/activity';
import type { Peer } from '../../contract/index.ts';
import type { LockerApiError } from '../api/index.ts';
import { apiFailure, failureType } from '../failures.ts';
import type { BookInput, FlowFailure, UnknownOutcome } from '../flow-activities.ts';
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

export function outcomeUnknown({ message, candidates }: OutcomeUnknownError, peer: Peer): ApplicationFailure {
  const type: FlowFailure = 'OutcomeUnknown';
  const details: UnknownOutcome = {
    why: message,
    candidates,
    ...(!canTell(peer) && { cannotBeAsked: true }),
  };
  return ApplicationFailure.create({ type, message, nonRetryable: true, details: [details] });
}

/** Whether the service can tell what became of a booking: by its listing, or by repeating it under its key. */
export const canTell = ({ capabilities }: Peer): boolean =>
  capabilities.has('idempotencyKey') || capabilities.has('getShipments');
