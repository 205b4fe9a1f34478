// Deadlines of stages: their times, the record when one passes, and the update extendDeadline.

import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { OverdueStage } from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import { durationMs } from '../language/duration.ts';
import { deadlineBy } from '../language/machine/book-input.ts';
import { newEnd } from '../language/new-end.ts';
import {
  type FlowContext,
  isKeptBooked,
  type KnownShipment,
  type StageName,
  shipmentWithRole,
  stateOf,
} from './known.ts';
import { noSuchRole, payloadFields, roleIn } from './messages.ts';

/** The stage that a leg waits for in a state. */
export const stageOfState: Readonly<Partial<Record<StateCode, Stage>>> = {
  ReadyForDropoff: 'dropOff',
  WaitForReceiver: 'receiver',
  ReadyForPickup: 'pickUp',
};

/**
 * Epoch milliseconds; null: none, or it is met by a pick-up that leaves the leg in its state. It counts from the moment when
 * the stage began, the later of stateStart and the answer to the flow's own booking, and never from the arrival of the
 * report: a worker may have been down for a day.
 */
export function deadlineOf(known: FlowContext, role: Role, stage: Stage): number | null {
  if (stage === 'pickUp' && shipmentWithRole(known, role)?.pickedUpAt) return null;
  const extended = known.extended[`${role}.${stage}`];
  if (extended !== undefined) return extended;
  const duration = known.start.input.deadlines?.[role]?.[stage];
  const length = durationMs(duration);
  if (duration === undefined || length === null || !known.booking) return null;
  const since = stageBegan(known, role);
  const counted = known.byCalendar && deadlineBy(known.byCalendar, `${role}.${stage}`, { since, duration });
  return counted ?? since + length;
}

/** Epoch milliseconds: when the present stage of the leg began for this flow. */
export function stageBegan(known: FlowContext, role: Role): number {
  const since = shipmentWithRole(known, role)?.since ?? 0;
  return known.booking ? Math.max(since, Date.parse(known.booking.answeredAt)) : since;
}

export interface OpenDeadline {
  readonly role: Role;
  readonly stage: Stage;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly passed: boolean;
}

/** The deadline of the stage that the leg is in now. */
export function openDeadline(known: FlowContext, role: Role, shipment: KnownShipment): OpenDeadline | null {
  const state = shipment.isSuperseded ? null : stateOf(shipment);
  const stage = state && stageOfState[state];
  const until = stage ? deadlineOf(known, role, stage) : null;
  return stage && until ? { role, stage, until, passed: isPassed(known, role, stage, until) } : null;
}

/** Set by extendDeadline for stages that legs have not reached: each begins with its stage. */
export function deadlinesAhead(flow: Declaration, known: FlowContext): Omit<OpenDeadline, 'passed'>[] {
  return rolesOf(flow).flatMap((role) => {
    const shipment = shipmentWithRole(known, role);
    const state = shipment && stateOf(shipment);
    const now = state ? stageOfState[state] : undefined;
    return legOf(flow, role).deadlines.flatMap((stage) => {
      const until = known.extended[`${role}.${stage}`];
      if (until === undefined || stage === now || (shipment && beyond(shipment, stage))) return [];
      return [{ role, stage, until }];
    });
  });
}

function isPassed({ overdue }: FlowContext, role: Role, stage: Stage, until: number): boolean {
  const deadline = new Date(until).toISOString();
  return overdue.some((each) => each.role === role && each.stage === stage && each.deadline === deadline);
}

export function stageOverdue(known: FlowContext, role: Role, stage: Stage): FlowContext {
  const until = deadlineOf(known, role, stage);
  if (until === null) return known;
  const overdue: OverdueStage = { role, stage, deadline: new Date(until).toISOString() };
  const undoing = known.start.input.onOverdue === 'cancel' ? (known.undoing ?? 'overdue') : known.undoing;
  return { ...known, overdue: [...known.overdue, overdue], undoing };
}

export interface Extension {
  readonly role: Role;
  readonly stage: Stage;
  /** Epoch milliseconds; null before it, or after it: there is no end. */
  readonly from: number | null;
  readonly until: number | null;
}

const stagesInOrder: readonly Stage[] = ['dropOff', 'receiver', 'pickUp'];

/** The extension, or why it is not possible. */
export function extension(
  flow: Declaration,
  known: FlowContext,
  payload: unknown,
  now: number,
): Extension | string {
  const fields = payloadFields(payload);
  const role = roleIn(flow, fields.role);
  if (!role) return noSuchRole(flow, fields.role);
  const { deadlines } = legOf(flow, role);
  const stage = deadlines.find((each) => each === fields.stage);
  if (!stage) return noSuchStage(role, fields.stage, deadlines);
  const shipment = shipmentWithRole(known, role);
  const over = shipment && beyond(shipment, stage);
  if (over) return `${role} is ${over}, beyond ${stage}`;
  if (stage === 'pickUp' && isPickUpUnreported(flow, known, role))
    return `${role} is kept booked, and this locker service does not report when it is picked up: the deadline could not be met`;
  const from = presentEnd(known, role, stage, shipment);
  const until = newEnd(`${role}.${stage}`, fields, from, now);
  return typeof until === 'string' ? until : { role, stage, from, until };
}

/** Of a stage that has not begun only what `extendDeadline` has set: its own deadline counts from its beginning. */
function presentEnd(known: FlowContext, role: Role, stage: Stage, shipment: KnownShipment | undefined) {
  const open = shipment && openDeadline(known, role, shipment);
  return (open?.stage === stage ? open.until : known.extended[`${role}.${stage}`]) ?? null;
}

/** A pick-up that leaves the leg in its state, at a service without ShipmentAccess. */
function isPickUpUnreported(flow: Declaration, known: FlowContext, role: Role): boolean {
  return known.booking?.accessMessages === false && isKeptBooked(flow, known, role);
}

function noSuchStage(role: Role, given: unknown, deadlines: readonly Stage[]): string {
  if (deadlines.length === 0) return `${role} takes no deadline`;
  return `stage is ${JSON.stringify(given)}, expected one of ${deadlines.join(', ')} for ${role}`;
}

/** The state of a leg that has left the stage, else null. */
export function beyond(shipment: KnownShipment, stage: Stage): string | null {
  const state = shipment.isSuperseded ? 'Superseded' : stateOf(shipment);
  if (state === null || state === 'Registered') return null;
  if (stage === 'pickUp' && shipment.pickedUpAt) return 'picked up';
  if (state === 'Completed' || state === 'Cancelled' || state === 'Superseded') return state;
  const now = stageOfState[state];
  return now && stagesInOrder.indexOf(now) > stagesInOrder.indexOf(stage) ? state : null;
}

export function withExtension(known: FlowContext, { role, stage, until }: Extension): FlowContext {
  const name: StageName = `${role}.${stage}`;
  const { [name]: _, ...others } = known.extended;
  return { ...known, extended: until === null ? others : { ...others, [name]: until } };
}
