// How a booking that is not made ends its activity: refused, not sent, or of unknown outcome.
import { ApplicationFailure } from '@temporalio/activity';
import type { ContractError, FlowInput, Peer } from '../contract/index.ts';
import type { LockerApiError } from './api/index.ts';
import { apiFailure, failureType } from './failures.ts';
import type { FlowFailure, UnknownOutcome } from './flow-activities.ts';
import type { OutcomeUnknownError } from './unknown-outcome.ts';

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

/** It is certain that nothing is booked. */
export function bookingFailure(
  error: LockerApiError,
  peer: Peer,
  input: FlowInput,
  lockerRetryMs: number,
): ApplicationFailure {
  if (failureType(error, peer) !== 'NoLockerAvailable') return apiFailure(error, peer);
  // Jitter, so that flows which wait for the same lockers do not all come at once.
  const retryDelayMs = Math.round(lockerRetryMs * (0.8 + Math.random() * 0.4));
  return apiFailure(error, peer, { retryable: input.waitForLocker != null, retryDelayMs });
}

export function outcomeUnknown({ message, candidates }: OutcomeUnknownError): ApplicationFailure {
  const type: FlowFailure = 'OutcomeUnknown';
  const details: UnknownOutcome = { why: message, candidates };
  return ApplicationFailure.create({ type, message, nonRetryable: true, details: [details] });
}
