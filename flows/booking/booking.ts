// The booking of a flow: the input of the activity, and what the flow learns from its answer or its failure.
import type { BookingDoubt } from '../../contract/flows/booking-progress.ts';
import { isStateCode } from '../../contract/machines/chart.ts';
import { instantOf } from '../../contract/machines/state-start.ts';
import { type Declaration, deadlineRules, legOf, rolesOf } from '../built-in/declaration.ts';
import { durationMs } from '../language/duration.ts';
import type { Booked, BookedShipment, BookInput, BookingPrepared, UnknownOutcome } from './activities.ts';
import { activityFailure, type Failure, failureOf } from './failure.ts';
import { type FlowContext, type KnownShipment, newShipment, type UnknownBooking } from './known.ts';
import { withRole, withRoles } from './settlement.ts';

/** @param booking which one of its process it is; not given: the whole of it, and the first */
export function bookInput(flow: Declaration, known: FlowContext, booking?: string): BookInput {
  const { input, workflowId, firstExecutionRunId } = known.start;
  const legs = rolesOf(flow).map((role) => {
    const { isPrior, references, follows } = legOf(flow, role);
    return { role, isPrior, references, follows };
  });
  const { unknownBooking } = known;
  return {
    flow: flow.name,
    operation: flow.operation,
    input,
    legs,
    deadlines: rolesOf(flow).flatMap((role) => deadlineRules(flow, role)),
    takesOver: rolesOf(flow).some((role) => legOf(flow, role).undo === 'removeReceiver'),
    idempotencyKey: [
      visibleAscii(workflowId),
      firstExecutionRunId,
      'book',
      ...(booking === undefined ? [] : [booking]),
    ].join(':'),
    workflowId,
    ...(booking !== undefined && { booking }),
    lockerWaitEndsAt: lockerWaitEndOf(known),
    unknownSince: unknownBooking && {
      at: unknownBooking.since,
      heartbeat: unknownBooking.heartbeat,
      ...(unknownBooking.isRetryDecided && { isRetryDecided: true }),
    },
  };
}

/** Epoch milliseconds; null: it waits for none. */
export function lockerWaitEndOf({ start, startedAt }: FlowContext): number | null {
  const wait = durationMs(start.input.waitForLocker);
  return wait && Date.parse(startedAt) + wait;
}

/** A header cannot be longer; the run id alone makes it unique. */
function visibleAscii(workflowId: string): string {
  return workflowId.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, 150);
}

export function withBooking(flow: Declaration, known: FlowContext, booked: Booked, now: number): FlowContext {
  const { shipments: _, ...answer } = booked;
  const byUid = new Map(booked.shipments.map((each) => [each.shipmentUid, asKnown(flow, known, each)]));
  return withRoles(flow, {
    ...known,
    booking: { ...answer, knownAt: new Date(now).toISOString() },
    unknownBooking: null,
    shipments: [...byUid.values()],
  });
}

function asKnown(flow: Declaration, known: FlowContext, booked: BookedShipment): KnownShipment {
  const { shipmentUid, role, stateCode, stateStart, pupUid, lockerName } = booked;
  const ours = stateCode !== null && isStateCode(stateCode) ? stateCode : null;
  const shipment: KnownShipment = {
    ...newShipment(shipmentUid),
    stateCode: ours,
    stateStart: ours && stateStart,
    since: ours && instantOf(stateStart),
    seen: ours ? { [ours]: stateStart } : {},
    pupUid,
    lockerName,
  };
  return withRole(flow, known, shipment, role, role === null ? 'evidence' : 'booking');
}

/** Cancelled before the booking. An attempt ends only when its outcome is known, so nothing is booked. */
export function isCancelled(error: unknown): boolean {
  return activityFailure(error)?.name === 'CancelledFailure';
}

/** The worker died, or the time ended during an attempt: the outcome of the attempt is unknown. */
export function isTimeOut(error: unknown): boolean {
  return activityFailure(error)?.name === 'TimeoutFailure';
}

export function withUnknownBooking(known: FlowContext, error: unknown): FlowContext {
  const { unknownBooking, startedAt } = known;
  const heartbeat = isTimeOut(error)
    ? (activityFailure(error)?.lastHeartbeatDetails as UnknownBooking['heartbeat'] | undefined)
    : undefined;
  const [outcome] = failureOf(error).details as (UnknownOutcome | undefined)[];
  return {
    ...known,
    unknownBooking: {
      since: unknownBooking?.since ?? startedAt,
      heartbeat: heartbeat ?? unknownBooking?.heartbeat ?? preparedIn(outcome),
      attempts: (unknownBooking?.attempts ?? 0) + 1,
      outcome: outcome ?? null,
    },
  };
}

/** An attempt that ended by itself leaves no heartbeat: its failure says what it had prepared. */
const preparedIn = (outcome: UnknownOutcome | undefined): BookingPrepared | null =>
  outcome?.replacedCaseNo ? { replacedCaseNo: outcome.replacedCaseNo } : null;

/** A person has ended the search for the booking. */
export function givenUp({ resolutions, unknownBooking }: FlowContext): Failure {
  const last = resolutions.at(-1);
  return {
    code: 'OutcomeUnknown',
    message: `given up by ${last?.by}: ${last?.why}`,
    details: [unknownBooking?.outcome ?? null],
  };
}

export function doubtOf({ unknownBooking }: FlowContext): BookingDoubt {
  const outcome = unknownBooking?.outcome;
  return {
    why: outcome?.why ?? 'the worker died, or the time ended, while it booked',
    candidates: outcome?.candidates ?? [],
    retryMayBookTwice: outcome ? outcome.cannotBeAsked === true : null,
  };
}
