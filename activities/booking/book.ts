// The activity that books, as steps in order. Once the request may be out it ends only with its outcome, or when nothing
// can tell that: neither cancellation nor a failed probe turns a known booking into an unknown one.
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
import { LockerApiError } from '../../shared/locker-api/index.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { ActivityHeartbeat } from '../activity-heartbeat.ts';
import { invalidInput } from '../failures.ts';
import type {
  Booked,
  BookInput,
  BookingHeartbeat,
  BookingPrepared,
  BookingTrying,
} from '../flow-activities.ts';
import { otherHolders, signalSuperseded } from '../flow-directory.ts';
import { aheadOf } from '../sandbox-clock.ts';
import { findShipment } from '../shipment-listing.ts';
import { accountUids } from './accounts.ts';
import { type WithReferences, withReferences } from './references.ts';
import { bookingFailure, canResolveOutcome, logNextTry, outcomeUnknown } from './refusals.ts';
import { bookOnce, soughtBooking, textField } from './request.ts';
import { allShipmentUids, bookedResult } from './result.ts';
import { gatherEvidence, PROBING_MS } from './role-probes.ts';
import { searchBooking } from './search.ts';
import { type Attempts, knownOutcome, OutcomeUnknownError } from './unknown-outcome.ts';

type Heartbeat = BookingHeartbeat | BookingTrying | BookingPrepared;

export async function book(dependencies: ActivityDependencies, input: BookInput): Promise<Booked> {
  using heartbeat = new ActivityHeartbeat();
  const before = answerIn(input.unknownSince?.heartbeat) ?? answerIn(activityInfo().heartbeatDetails);
  const booking = await prepare(dependencies, input, before != null);
  const aheadMs = await aheadOf(dependencies, input.input);
  const prepared = await readReplacedCaseNo(dependencies, input, booking);
  // An answer that an earlier attempt has told must not be forgotten.
  if (!before && prepared.replacedCaseNo) heartbeat.record(prepared);
  const answer = before ?? (await bookedNow(dependencies, input, booking, aheadMs, heartbeat, prepared));
  heartbeat.record({ ...answer, ...prepared } satisfies BookingHeartbeat);
  const shipmentUids = allShipmentUids(input, booking, answer);
  log.info('booked', { shipmentUids, caseNumber: booking.caseNo });
  const toTell = {
    legs: input.legs,
    shipmentUids,
    priorShipmentUid: textField(booking.request, 'priorShipmentUid'),
    references: booking.references,
    listing: answer.lockerName === null,
  };
  const evidence = await gatherEvidence(dependencies, toTell, dependencies.probingMs);
  if (input.takesOver) await tellOtherHolders(textField(booking.request, 'priorShipmentUid'));
  return {
    ...bookedResult(input, booking, answer, shipmentUids, evidence),
    ...prepared,
    ...(input.deadlines.some(({ keptBookedBy }) => keptBookedBy) && {
      accessMessages: dependencies.peer.capabilities.has('accessMessages'),
    }),
  };
}

/**
 * Told by an earlier attempt, which died or failed after it had booked: the server repeats unexpected failures. One that still
 * tried has told that instead.
 */
function answerIn(heartbeat: Heartbeat | null | undefined): BookingHeartbeat | undefined {
  return heartbeat && 'answeredAt' in heartbeat ? heartbeat : undefined;
}

/** Only a listing shows it, and only before the booking replaces it; a listing that fails must not stop the booking. */
async function readReplacedCaseNo(
  dependencies: ActivityDependencies,
  { takesOver, unknownSince }: BookInput,
  { request, priorCaseNo }: WithReferences,
): Promise<BookingPrepared> {
  const heartbeats = [unknownSince?.heartbeat, activityInfo().heartbeatDetails as Heartbeat | undefined];
  const before = heartbeats.find((each) => each?.replacedCaseNo)?.replacedCaseNo;
  if (before) return { replacedCaseNo: before };
  const shipmentUid = textField(request, 'priorShipmentUid');
  if (!takesOver || priorCaseNo === null || shipmentUid === null) return {};
  if (!dependencies.peer.capabilities.has('getShipments')) return {};
  try {
    const timeoutMs = dependencies.probingMs ?? PROBING_MS;
    const listed = await findShipment(dependencies, shipmentUid, { timeoutMs, endsWithCancellation: false });
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

/** What is to be sent. Refused here, an earlier attempt in doubt may have booked all the same. */
async function prepare(
  dependencies: ActivityDependencies,
  input: BookInput,
  isAnswered: boolean,
): Promise<WithReferences> {
  try {
    const { request, users } = checkedInput(dependencies.peer, input);
    const uids = isAnswered ? {} : await accountUids(dependencies, users);
    return withReferences(input, { ...request, ...uids }, dependencies.setsReferences);
  } catch (error) {
    const isRefused = error instanceof ApplicationFailure && error.nonRetryable;
    if (!isRefused || input.unknownSince === null) throw error;
    throw outcomeUnknown(
      new OutcomeUnknownError(`the service or the input check refuses it now: ${error.message}`),
      dependencies.peer,
    );
  }
}

function checkedInput(
  { capabilities }: ActivityDependencies['peer'],
  { operation, deadlines, input, workflowId }: BookInput,
): CheckedFlowInput {
  try {
    // Flows are started with other SDKs too: there, nothing has checked the key yet.
    checkBusinessKey(workflowId);
    return checkFlowInput({ operation, deadlines }, input, capabilities);
  } catch (error) {
    throw error instanceof ContractError ? invalidInput(error) : error;
  }
}

/** The answer, once it is known. Throws ApplicationFailure, or CancelledFailure when nothing is booked. */
async function bookedNow(
  dependencies: ActivityDependencies,
  input: BookInput,
  booking: WithReferences,
  aheadMs: number,
  heartbeat: ActivityHeartbeat,
  prepared: BookingPrepared,
): Promise<BookingHeartbeat> {
  const sought = soughtBooking(input, booking);
  const { capabilities } = dependencies.peer;
  let mayBeBooked = input.unknownSince !== null;
  const attempts: Attempts<BookingHeartbeat> = {
    book: async () => {
      mayBeBooked = true;
      return answeredNow(await bookOnce(dependencies.api, input, booking), aheadMs);
    },
    search: capabilities.has('getShipments')
      ? async (since) => {
          const search = await searchBooking(dependencies, sought, since + aheadMs);
          return search.found === 'one' ? { ...search, answer: answeredNow(search.answer, aheadMs) } : search;
        }
      : null,
    honoursKey: capabilities.has('idempotencyKey'),
    unknownSince: inDoubtSince(dependencies, input, aheadMs),
    giveUpAt: lastChanceAt(dependencies.api.timeoutMs),
    heedCancellation: () => {
      if (cancellationSignal().aborted) throw new CancelledFailure('cancelled before anything was booked');
    },
    // The activity's own sleep would end with cancellation, in the middle of what must be settled first.
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
      const failure = bookingFailure(error, dependencies.peer, input, dependencies.lockerRetryMs, aheadMs);
      logNextTry(failure, booking.caseNo);
      throw failure;
    }
    if (error instanceof OutcomeUnknownError) throw outcomeUnknown(error, dependencies.peer, prepared);
    if (error instanceof CancelledFailure || !mayBeBooked) throw error;
    // The server repeats an activity that fails unexpectedly, as if nothing were in doubt.
    log.error('a booking in doubt failed unexpectedly', { error });
    throw outcomeUnknown(
      new OutcomeUnknownError(`the worker failed unexpectedly: ${String(error)}`),
      dependencies.peer,
      prepared,
    );
  }
}

/** Without key and listing, the person who decides to try again has made sure that nothing is booked. */
function inDoubtSince(
  { peer }: ActivityDependencies,
  { unknownSince }: BookInput,
  aheadMs: number,
): number | null {
  if (unknownSince === null) return null;
  return unknownSince.isRetryDecided && !canResolveOutcome(peer)
    ? null
    : Date.parse(unknownSince.at) - aheadMs;
}

const answeredNow = (answer: Omit<BookingHeartbeat, 'answeredAt'>, aheadMs: number): BookingHeartbeat => ({
  ...answer,
  answeredAt: new Date(Date.now() + aheadMs).toISOString(),
});

// The last call's answer must be told before the server gives up on the attempt: the flow would start another beside it.
const TELLING_MS = 1_000;

function lastChanceAt(callTimeoutMs: number): number {
  const info = activityInfo();
  const ends = [
    info.currentAttemptScheduledTimestampMs + info.startToCloseTimeoutMs,
    ...(info.scheduleToCloseTimeoutMs > 0 ? [info.scheduledTimestampMs + info.scheduleToCloseTimeoutMs] : []),
  ];
  return Math.min(...ends) - callTimeoutMs - TELLING_MS;
}

/** Tells the flows that wait on the prior that this flow follows it now. The booking stands whether or not that succeeds. */
async function tellOtherHolders(shipmentUid: string | null): Promise<void> {
  const byWorkflowId = activityInfo().workflowExecution?.workflowId;
  if (shipmentUid === null || byWorkflowId === undefined) return;
  try {
    const holders = await otherHolders(shipmentUid, 'running');
    await Promise.all(
      holders.map((workflowId) => signalSuperseded(workflowId, { shipmentUid, byWorkflowId })),
    );
  } catch (error) {
    log.warn('a flow that held the prior shipment could not be told', { shipmentUid, error });
  }
}
