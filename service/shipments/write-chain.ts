// Writes the change of a locked chain, with the kept answer and the entry of the audit log, in one statement.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { OpeningEvent } from '../../contract/machines/access.ts';
import { isActive } from '../../contract/machines/chart.ts';
import { ApiError } from '../api-error.ts';
import { type AuditEntry, insertAuditEntry, SUCCESS, subjectsOf } from '../audit/audit-entry.ts';
import type { AnswerKey } from '../idempotency.ts';
import type { Database } from '../storage/database.ts';
import type { AccessGoal, ChainSteps, PlannedEvent } from './chain-steps.ts';
import { type LockedChain, type StoredShipment, storedShipmentOf } from './lock-chain.ts';

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
    throw new ApiError('InvalidShipmentObject', 'shipmentObjectUid: the shipment has no such object');
  }
}

/** The record of an opening, in the access's own transaction: an opening that failed leaves none. */
const insertLockerAccess = (
  { tenantId, operation, clientId, onBehalfOf, why, openedAt }: Changer,
  lockerId: number,
  { shipment, goal }: Access,
): RawBuilder<unknown> => sql`
  insert into locker_accesses
    (tenant_id, locker_id, shipment_id, access_goal, operation, client_id, on_behalf_of, why, occurred_at)
  values (${tenantId}::bigint, ${lockerId}::bigint, ${shipment.shipmentId}::bigint, ${goal}, ${operation}, ${clientId},
    ${onBehalfOf}, ${why}, coalesce(${openedAt ?? null}::timestamptz + clock_ahead(${tenantId}::bigint), tenant_moment(${tenantId}::bigint)))`;
