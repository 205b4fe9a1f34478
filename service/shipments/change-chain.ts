// Changes a chain: one statement locks and reads it, the rules of machines/ decide, one statement writes the changes
// (storage/functions/chain.sql). The same transaction keeps the answer for a repeated request, and the entry of the
// audit log.
import { type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { auditedRequestOf, insertAuditEntry, SUCCESS, subjectsOf } from '../audit/audit-entry.ts';
import type { Context } from '../handler.ts';
import type { OpenDoor } from '../hardware/doors.ts';
import { type AnswerKey, answerKeyOf } from '../idempotency.ts';
import { Refusal } from '../refusal.ts';
import type { Database } from '../storage/database.ts';
import { inTransaction } from '../storage/transaction.ts';
import { type ChainSteps, chainSteps, type Edit, type PlannedEvent } from './chain-steps.ts';
import { type ChainTarget, type LockedChain, lockChain, storedShipmentOf } from './lock-chain.ts';
import { insertLockerAccess, type LockerAccess } from './locker-access.ts';

export interface ChainChange<Answer> {
  readonly answer: Answer;
  readonly events: readonly PlannedEvent[];
  readonly edits?: readonly Edit[];
  /** Opens the chain's locker after all writes and before the commit: if the door stays shut, nothing changes. */
  readonly openDoor?: OpenDoor;
}

/** The code that change_chain raises for an object that the shipment does not have. */
const NO_SUCH_OBJECT = 'LF002';

/** `decide` throws to refuse the change; then nothing changes. It may be called again. */
export function changeChain<Answer extends object>(
  context: Context,
  request: object,
  target: ChainTarget,
  decide: (locked: LockedChain) => ChainChange<Answer>,
  heldUserUids: readonly string[] = [],
): Promise<Answer> {
  const key = answerKeyOf(context, request);
  return inTransaction(context.database, async (transaction) => {
    const locked = await lockChain(transaction, context, key, target, heldUserUids);
    if ('answered' in locked) return locked.answered as Answer;
    const { events, edits = [], openDoor, answer } = decide(locked);
    const steps = chainSteps(locked, events, edits, context);
    if (steps.isTold) context.dueCallbacks.announceAfter(transaction);
    const uids = subjectsOf(request, answer, ...events);
    const audit = insertAuditEntry({ ...auditedRequestOf(context), uids, outcome: SUCCESS });
    const recorded = openDoor
      ? sql`audited as (${audit}), accessed as (${insertLockerAccess(context, accessOf(locked, target, events))})`
      : sql`audited as (${audit})`;
    // The person at the open door takes out the item that was left behind.
    const isEmptied = openDoor !== undefined && locked.locker.toBeEmptied;
    if (steps.steps.length > 0 || isEmptied || key.keyHash !== null)
      await write(transaction, context, key, locked, steps, isEmptied, answer, recorded);
    else await sql`with ${recorded} select`.execute(transaction);
    await openDoor?.(locked.locker);
    return answer;
  });
}

/** The shipment that the person at the open door drops off or picks up; without a goal, the one that was named. */
function accessOf(locked: LockedChain, target: ChainTarget, events: readonly PlannedEvent[]): LockerAccess {
  const event = events.find(({ type }) => type === 'ItemDroppedOff' || type === 'ItemPickedUp');
  const uid = event && 'shipmentUid' in event ? event.shipmentUid : undefined;
  const shipmentUid = uid ?? ('shipmentUid' in target ? target.shipmentUid : '');
  const { shipmentId } = storedShipmentOf(locked, shipmentUid);
  const goal = event ? GOALS[event.type as keyof typeof GOALS] : null;
  return { lockerId: locked.locker.lockerId, shipmentId, goal };
}

const GOALS = { ItemDroppedOff: 'DropOff', ItemPickedUp: 'PickUp' } as const;

async function write(
  transaction: Transaction<Database>,
  { tenantId, operation, switches }: Context,
  { keyHash, requestHash }: AnswerKey,
  { locker, shipments }: LockedChain,
  { steps, locker: effect }: ChainSteps,
  isEmptied: boolean,
  answer: object,
  /** What the audit log and the record of accesses get. */
  recorded: RawBuilder<unknown>,
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
        ${isReleased}, ${toBeEmptied}, ${switches.callbackOnCreation})
    `.execute(transaction);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === NO_SUCH_OBJECT)) throw error;
    throw new Refusal('InvalidShipmentObject', 'shipmentObjectUid: the shipment has no such object');
  }
}
