// The activity that books. Once the request may have been sent, it ends only when the outcome is known or cannot be found out:
// neither cancellation nor a failed probe may turn a known booking into an unknown one.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApplicationFailure,
  activityInfo,
  CancelledFailure,
  cancellationSignal,
  log,
} from '@temporalio/activity';
import { checkBusinessKey } from '../../contract/flows/internal-ids.ts';
import { type CheckedFlowInput, ContractError, checkFlowInput } from '../../contract/index.ts';
import type {
  Booked,
  BookInput,
  BookingHeartbeat,
  BookingPrepared,
  BookingTrying,
} from '../../flows/booking/activities.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { findShipment } from '../../shared/locker-api/list-shipments.ts';
import { accountUids } from '../accounts-for-booking.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { ActivityHeartbeat } from '../activity-heartbeat.ts';
import { invalidInput } from '../failures.ts';
import { shipmentReader } from '../operation-call.ts';
import { aheadOf } from '../sandbox-clock.ts';
import { allShipmentUids, bookedResult } from './booked-shipments.ts';
import { bookOnce, soughtBooking } from './booking-request.ts';
import { type FollowedShipments, followShipments } from './follow-shipments.ts';
import { textField, type WithReferences, withReferences } from './references.ts';
import { bookingFailure, canResolveOutcome, logNextTry, outcomeUnknown } from './refusals.ts';
import type { RoleEvidence } from './role-evidence.ts';
import { gatherEvidence, PROBING_MS } from './role-probes.ts';
import { searchBooking } from './search.ts';
import { type Attempts, knownOutcome, OutcomeUnknownError } from './unknown-outcome.ts';

type Heartbeat = BookingHeartbeat | BookingTrying | BookingPrepared;

export async function book(dependencies: ActivityDependencies, input: BookInput): Promise<Booked> {
  using heartbeat = new ActivityHeartbeat();
  const earlierAnswer = answerIn(input.unknownSince?.heartbeat) ?? answerIn(activityInfo().heartbeatDetails);
  const booking = await prepare(dependencies, input, earlierAnswer != null);
  const aheadMs = await aheadOf(dependencies, input.input);
  const prepared = await readReplacedCaseNo(dependencies, input, booking);
  // Must not overwrite the answer in an earlier attempt's heartbeat.
  if (!earlierAnswer && prepared.replacedCaseNo) heartbeat.record(prepared);
  const answer =
    earlierAnswer ?? (await bookUntilKnown(dependencies, input, booking, aheadMs, heartbeat, prepared));
  heartbeat.record({ ...answer, ...prepared } satisfies BookingHeartbeat);
  const shipmentUids = allShipmentUids(input, booking, answer);
  log.info('booked', { shipmentUids, caseNumber: booking.caseNo });
  const priorShipmentUid = textField(booking.request, 'priorShipmentUid');
  const probes = {
    legs: input.legs,
    shipmentUids,
    priorShipmentUid,
    references: booking.references,
    listing: answer.lockerName === null,
  };
  const evidence = await gatherEvidence(dependencies, probes, dependencies.probingMs);
  await followShipments(dependencies, {
    shipmentUids,
    foundByCase: shipmentUids.filter((uid) =>
      uid === priorShipmentUid ? booking.isPriorKeyed : booking.areOthersKeyed,
    ),
    prior: priorShipmentUid === null ? null : priorOf(input, priorShipmentUid, prepared, evidence),
  });
  return {
    ...bookedResult(input, booking, answer, shipmentUids, evidence),
    ...prepared,
    ...(input.deadlines.some(({ keptBookedBy }) => keptBookedBy) && {
      accessMessages: dependencies.serviceProfile.capabilities.has('accessMessages'),
    }),
  };
}

/** Its case number is read before the booking where that replaces it. */
function priorOf(
  { takesOver }: BookInput,
  shipmentUid: string,
  { replacedCaseNo }: BookingPrepared,
  { records }: RoleEvidence,
): FollowedShipments['prior'] {
  const listed = records.find((each) => each.shipmentUid === shipmentUid)?.referenceCaseNo ?? null;
  return { shipmentUid, caseNo: replacedCaseNo ? replacedCaseNo.former : listed, isTakenOver: takesOver };
}

/**
 * The answer that an earlier attempt recorded before it died or failed: the server retries unexpected failures. Undefined if
 * that attempt had not booked yet.
 */
function answerIn(heartbeat: Heartbeat | null | undefined): BookingHeartbeat | undefined {
  return heartbeat && 'answeredAt' in heartbeat ? heartbeat : undefined;
}

/** Only the listing has it, and only until the booking replaces it. A failed listing must not stop the booking. */
async function readReplacedCaseNo(
  dependencies: ActivityDependencies,
  { takesOver, unknownSince }: BookInput,
  { request, priorCaseNo }: WithReferences,
): Promise<BookingPrepared> {
  const heartbeats = [unknownSince?.heartbeat, activityInfo().heartbeatDetails as Heartbeat | undefined];
  const recorded = heartbeats.find((each) => each?.replacedCaseNo)?.replacedCaseNo;
  if (recorded) return { replacedCaseNo: recorded };
  const shipmentUid = textField(request, 'priorShipmentUid');
  if (!takesOver || priorCaseNo === null || shipmentUid === null) return {};
  if (!dependencies.serviceProfile.capabilities.has('getShipments')) return {};
  try {
    const timeoutMs = dependencies.probingMs ?? PROBING_MS;
    const listed = await findShipment(
      shipmentReader(dependencies, { timeoutMs, endsWithCancellation: false }),
      shipmentUid,
    );
    // An earlier attempt may have replaced it already.
    if (!listed || listed.referenceCaseNo === priorCaseNo) return {};
    return { replacedCaseNo: { former: listed.referenceCaseNo, by: priorCaseNo } };
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    log.warn('the case number of the stock is not known: undoing the flow will not give it back', {
      shipmentUid,
      reason: error.message,
    });
    return {};
  }
}

/** The request to send. If it is refused here, an earlier attempt in doubt may still have booked. */
async function prepare(
  dependencies: ActivityDependencies,
  input: BookInput,
  isAnswered: boolean,
): Promise<WithReferences> {
  try {
    const { request, users } = checkedInput(dependencies.serviceProfile, input);
    const uids = isAnswered ? {} : await accountUids(dependencies, users);
    return withReferences(input, { ...request, ...uids }, dependencies.setsReferences);
  } catch (error) {
    const isRefused = error instanceof ApplicationFailure && error.nonRetryable;
    if (!isRefused || input.unknownSince === null) throw error;
    throw outcomeUnknown(
      new OutcomeUnknownError(`the service or the input check refuses it now: ${error.message}`),
      dependencies.serviceProfile,
    );
  }
}

function checkedInput(
  { capabilities }: ActivityDependencies['serviceProfile'],
  { operation, deadlines, input, workflowId }: BookInput,
): CheckedFlowInput {
  try {
    // A flow started with another SDK has an unchecked key.
    checkBusinessKey(workflowId);
    return checkFlowInput({ operation, deadlines }, input, capabilities);
  } catch (error) {
    throw error instanceof ContractError ? invalidInput(error) : error;
  }
}

/** Books, and returns the answer. Throws ApplicationFailure, or CancelledFailure if nothing is booked. */
async function bookUntilKnown(
  dependencies: ActivityDependencies,
  input: BookInput,
  booking: WithReferences,
  aheadMs: number,
  heartbeat: ActivityHeartbeat,
  prepared: BookingPrepared,
): Promise<BookingHeartbeat> {
  const sought = soughtBooking(input, booking);
  const { capabilities } = dependencies.serviceProfile;
  let mayBeBooked = input.unknownSince !== null;
  const attempts: Attempts<BookingHeartbeat> = {
    book: async () => {
      mayBeBooked = true;
      return withAnswerTime(await bookOnce(dependencies.api, input, booking), aheadMs);
    },
    search: capabilities.has('getShipments')
      ? async (since) => {
          const search = await searchBooking(dependencies, sought, since + aheadMs);
          return search.found === 'one'
            ? { ...search, answer: withAnswerTime(search.answer, aheadMs) }
            : search;
        }
      : null,
    honoursKey: capabilities.has('idempotencyKey'),
    unknownSince: inDoubtSince(dependencies, input, aheadMs),
    giveUpAt: lastChanceAt(dependencies.api.timeoutMs),
    heedCancellation: () => {
      if (cancellationSignal().aborted) throw new CancelledFailure('cancelled before anything was booked');
    },
    // Not the activity's own sleep, which cancellation would end before the outcome is settled.
    sleep: (milliseconds) => sleep(milliseconds),
    waits: (trying) => {
      heartbeat.record({ trying, ...prepared } satisfies BookingTrying);
      log.warn('a booking in doubt is tried again', { ...trying, caseNumber: booking.caseNo });
    },
    pace: dependencies.pace,
  };
  try {
    return await knownOutcome(attempts);
  } catch (error) {
    if (error instanceof LockerApiError) {
      const failure = bookingFailure(
        error,
        dependencies.serviceProfile,
        input,
        dependencies.lockerRetryMs,
        aheadMs,
      );
      logNextTry(failure, booking.caseNo);
      throw failure;
    }
    if (error instanceof OutcomeUnknownError)
      throw outcomeUnknown(error, dependencies.serviceProfile, prepared);
    if (error instanceof CancelledFailure || !mayBeBooked) throw error;
    // After an unexpected failure the server would retry the activity as if nothing were in doubt.
    log.error('a booking in doubt failed unexpectedly', { error });
    throw outcomeUnknown(
      new OutcomeUnknownError(`the worker failed unexpectedly: ${String(error)}`),
      dependencies.serviceProfile,
      prepared,
    );
  }
}

/** Without key and listing, the person who decided to retry has made sure that nothing is booked. */
function inDoubtSince(
  { serviceProfile }: ActivityDependencies,
  { unknownSince }: BookInput,
  aheadMs: number,
): number | null {
  if (unknownSince === null) return null;
  return unknownSince.isRetryDecided && !canResolveOutcome(serviceProfile)
    ? null
    : Date.parse(unknownSince.at) - aheadMs;
}

const withAnswerTime = (answer: Omit<BookingHeartbeat, 'answeredAt'>, aheadMs: number): BookingHeartbeat => ({
  ...answer,
  answeredAt: new Date(Date.now() + aheadMs).toISOString(),
});

// The last call's answer must be reported before the attempt times out, or the flow would start a concurrent one.
const REPORTING_MS = 1_000;

function lastChanceAt(callTimeoutMs: number): number {
  const info = activityInfo();
  const ends = [
    info.currentAttemptScheduledTimestampMs + info.startToCloseTimeoutMs,
    ...(info.scheduleToCloseTimeoutMs > 0 ? [info.scheduledTimestampMs + info.scheduleToCloseTimeoutMs] : []),
  ];
  return Math.min(...ends) - callTimeoutMs - REPORTING_MS;
}
