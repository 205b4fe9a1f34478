// Applies the rules of contract/machines/ to events on a locked chain. Gives the steps that change_chain writes.

import { type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { explain, type OpeningEvent } from '../../contract/machines/access.ts';
import {
  applyToChain,
  type ChainEvent,
  type ChainOutcome,
  type Change,
  type LockerEffect,
} from '../../contract/machines/chain.ts';
import { shipmentOf } from '../../contract/machines/chain-shipments.ts';
import { isActive } from '../../contract/machines/chart.ts';
import { type AuditEntry, insertAuditEntry, SUCCESS, subjectsOf } from '../audit/audit-entry.ts';
import type { Context } from '../handler.ts';
import type { AnswerKey } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { type LockedChain, type StoredShipment, storedShipmentOf } from './lock-chain.ts';
import { type Details, type PlannedShipment, shipmentRow } from './planned-shipment.ts';

export type AccessGoal = 'DropOff' | 'PickUp';

/** The events of the rules; a booking has all the data that is stored with the shipment. */
export type PlannedEvent =
  | Exclude<ChainEvent, { type: 'Booked' }>
  | (Omit<Extract<ChainEvent, { type: 'Booked' }>, 'shipments'> & { shipments: readonly PlannedShipment[] });

/** A change of a shipment that the rules do not know. */
export interface Edit {
  readonly shipmentUid: string;
  readonly details?: Partial<Details>;
  /** The keys are names of the table's columns. */
  readonly addObject?: object;
  readonly removeObject?: string;
}

interface ChainSteps {
  readonly steps: readonly object[];
  readonly locker: LockerEffect;
  /** Whether the change records an event for callbacks. */
  readonly isNotified: boolean;
}

/** Applies all events, or none: if a rule refuses one, it throws InvalidShipmentState with the rule's message. */
export function chainSteps(
  locked: LockedChain,
  events: readonly PlannedEvent[],
  edits: readonly Edit[],
  { dispatcherUserUid, switches }: Pick<Context, 'dispatcherUserUid' | 'switches'>,
): ChainSteps {
  const outcome = applyToChain(locked.shipments, ...events);
  if (!outcome.applied) throw new Refusal('InvalidShipmentState', explain(outcome.refusal));
  const planned = events.flatMap((event) => (event.type === 'Booked' ? event.shipments : []));
  const changes = outcome.changes.map((change) =>
    change.from === null
      ? { booked: bookedRow(outcome, planned, change, dispatcherUserUid) }
      : changedColumns(locked, change, dispatcherUserUid),
  );
  const accesses = pickUpsInPlace(events, outcome).map((shipmentUid) => ({
    shipment_id: storedShipmentOf(locked, shipmentUid).shipmentId,
    // A step without it only sets when something last happened to the shipment.
    ...(switches.accessMessages && { access_goal: 'PickUp' satisfies AccessGoal }),
  }));
  return {
    // Edits first: the events of the changes include them.
    steps: [...edits.map((edit) => editedColumns(locked, edit)), ...changes, ...accesses],
    locker: outcome.locker,
    isNotified:
      accesses.length > 0 ||
      outcome.changes.some(({ from, stateCodeChanged }) => from !== null && stateCodeChanged),
  };
}

/** The shipments that were picked up and stay as they are, because they are kept booked. */
function pickUpsInPlace(
  events: readonly PlannedEvent[],
  { changes }: Extract<ChainOutcome, { applied: true }>,
): string[] {
  const pickedUp = events.flatMap((event) => (event.type === 'ItemPickedUp' ? [event.shipmentUid] : []));
  return pickedUp.filter((uid) => !changes.some((each) => each.shipmentUid === uid && each.stateCodeChanged));
}

function bookedRow(
  { chain }: Extract<ChainOutcome, { applied: true }>,
  planned: readonly PlannedShipment[],
  change: Change,
  dispatcherUserUid: string,
): object {
  const shipment = planned.find(({ shipmentUid }) => shipmentUid === change.shipmentUid);
  if (!shipment) throw new TypeError(`${change.shipmentUid} is booked without a plan of it`);
  const { fromUserUid, toUserUid, isStock } = shipmentOf(chain, change.shipmentUid);
  return shipmentRow(
    { ...shipment, fromUserUid: fromUserUid ?? dispatcherUserUid, toUserUid, isStock },
    change,
  );
}

function changedColumns(locked: LockedChain, change: Change, dispatcherUserUid: string): object {
  const { shipmentId } = storedShipmentOf(locked, change.shipmentUid);
  return {
    shipment_id: shipmentId,
    ...(change.stateCodeChanged && { state_code: change.to }),
    ...('toUserUid' in change && { to_user_uid: change.toUserUid ?? null }),
    // A sender that follows a predecessor without a receiver is the dispatcher's main account.
    ...('fromUserUid' in change && { from_user_uid: change.fromUserUid ?? dispatcherUserUid }),
    ...(change.pickUpCode && { pick_up_code: change.pickUpCode }),
    ...(change.deliveryCode && { delivery_code: change.deliveryCode }),
    ...(!isActive(change.to) && { pick_up_code: null, delivery_code: null }),
  };
}

function editedColumns(
  locked: LockedChain,
  { shipmentUid, details = {}, addObject, removeObject }: Edit,
): object {
  const { referenceNo, referenceCaseNo, description } = details;
  return {
    shipment_id: storedShipmentOf(locked, shipmentUid).shipmentId,
    // JSON leaves out undefined fields; null is a value.
    reference_no: referenceNo,
    reference_case_no: referenceCaseNo,
    description,
    add_object: addObject,
    remove_object: removeObject,
  };
}

// Writes the change of a locked chain, with the kept answer and the entry of the audit log, in one statement.

/** Whose change it is. */
type Changer = Omit<AuditEntry, 'uids' | 'outcome'> & {
  /** When the locker was opened, if that is told much later. */
  readonly openedAt?: Date;
};

interface Written {
  readonly steps: ChainSteps;
  readonly request: object;
  readonly answer: object;
  readonly events: readonly PlannedEvent[];
  /** The locker was opened, or will be before the commit. */
  readonly isOpened: boolean;
}

/** The code that change_chain raises for an object that the shipment does not have. */
const NO_SUCH_OBJECT = 'LF002';

export async function writeChange(
  transaction: Transaction<Database>,
  changer: Changer,
  key: AnswerKey,
  locked: LockedChain,
  { steps, request, answer, events, isOpened }: Written,
): Promise<void> {
  const uids = subjectsOf(request, answer, ...events);
  const audit = insertAuditEntry({ ...changer, uids, outcome: SUCCESS });
  const access = isOpened ? accessOf(locked, request, events) : undefined;
  // Who opens the locker for a booking takes out the item that was left behind before. Opened for the shipment that left
  // it, it is emptied only if that was the goal.
  const isEmptied =
    steps.locker === 'Emptied' ||
    (access !== undefined && locked.locker.toBeEmptied && isActive(access.shipment.stateCode));
  const recorded = access
    ? sql`audited as (${audit}),
        accessed as (${insertLockerAccess(changer, locked.locker.lockerId, access)} returning occurred_at)`
    : sql`audited as (${audit})`;
  if (steps.steps.length > 0 || isEmptied || key.keyHash !== null)
    await write(transaction, changer, key, locked, steps, isEmptied, answer, recorded, isOpened);
  else await sql`with ${recorded} select`.execute(transaction);
}

interface Access {
  readonly shipment: StoredShipment;
  /** Null if the locker was opened without a change of the shipment. */
  readonly goal: AccessGoal | null;
}

/** The shipment whose item the person at the open door puts in or takes out; without a goal, the one that was named. */
function accessOf(locked: LockedChain, request: object, events: readonly PlannedEvent[]): Access {
  const event = events.find(({ type }) => Object.hasOwn(GOALS, type));
  const uid = event && 'shipmentUid' in event ? event.shipmentUid : undefined;
  const named = 'shipmentUid' in request ? String(request.shipmentUid) : '';
  const goal = event ? GOALS[event.type as OpeningEvent] : null;
  return { shipment: storedShipmentOf(locked, uid ?? named), goal };
}

const GOALS: Readonly<Record<OpeningEvent, AccessGoal>> = {
  ItemDroppedOff: 'DropOff',
  ItemPickedUp: 'PickUp',
  LeftItemPickedUp: 'PickUp',
};

async function write(
  transaction: Transaction<Database>,
  { tenantId, operation }: Changer,
  { keyHash, requestHash }: AnswerKey,
  { locker, shipments }: LockedChain,
  { steps, locker: effect }: ChainSteps,
  isEmptied: boolean,
  answer: object,
  /** What the audit log and the record of accesses get. */
  recorded: RawBuilder<unknown>,
  isOpened: boolean,
): Promise<void> {
  const formerCodes = shipments.flatMap(({ pickUpCode, deliveryCode }) =>
    [pickUpCode, deliveryCode].filter((code) => code !== null),
  );
  const isReleased = effect === 'Released' || effect === 'ToBeEmptied';
  const toBeEmptied = effect === 'ToBeEmptied' || (isEmptied ? false : null);
  try {
    await sql`
      with ${recorded}
      select change_chain(
        ${tenantId}, ${operation}, ${keyHash}, ${requestHash}, ${JSON.stringify(answer)},
        ${locker.lockerId}, ${locker.requestedPickUpPointId}, ${JSON.stringify(steps)}, ${formerCodes},
        ${isReleased}, ${toBeEmptied},
        ${isOpened ? sql`(select occurred_at from accessed)` : null})
    `.execute(transaction);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NO_SUCH_OBJECT)) throw error;
    throw new Refusal('InvalidShipmentObject', 'shipmentObjectUid: the shipment has no such object');
  }
}

/** The record of an opening, in the access's own transaction: an opening that failed leaves none. */
const insertLockerAccess = (
  { tenantId, operation, clientId, openedAt }: Changer,
  lockerId: number,
  { shipment, goal }: Access,
): RawBuilder<unknown> => sql`
  insert into locker_accesses (tenant_id, locker_id, shipment_id, access_goal, operation, client_id, occurred_at)
  values (${tenantId}::bigint, ${lockerId}::bigint, ${shipment.shipmentId}::bigint, ${goal}, ${operation}, ${clientId},
    coalesce(${openedAt ?? null}::timestamptz + clock_ahead(${tenantId}::bigint), tenant_moment(${tenantId}::bigint)))`;
