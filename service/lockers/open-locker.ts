// OpenLocker (assumptions: Operating): somebody of the operator looks into a locker, free or booked. Nothing becomes of a shipment:
// the look is kept with why, in the audit log and for the locker: the reason of the request is the `why` of the context.
import { sql, type Transaction } from 'kysely';
import type { Request } from '../../contract/index.ts';
import { ApiError } from '../api-error.ts';
import { insertAuditEntry, SUCCESS } from '../audit/audit-entry.ts';
import type { AuditedRequest } from '../audited-request.ts';
import type { Context, Handlers } from '../handler.ts';
import { openSimulatedDoor } from '../hardware/doors.ts';
import type { OpenCommand, WallOfLocker } from '../hardware/wall-commands.ts';
import { type AnswerKey, answerKeyOf, formerAnswer } from '../idempotency.ts';
import { type Attempt, commandInProgress, retryWhileBusy } from '../shipments/await-door.ts';
import { hasWall, type Meaning, requestOpening, stayedShut } from '../shipments/opening.ts';
import type { Database } from '../storage/database.ts';
import { activeStateCodes } from '../storage/open-states.ts';
import { inTransaction } from '../storage/transaction.ts';

interface Answer {
  readonly lockerUid: string;
}

export const lockerOpening = {
  OpenLocker: (request, context) =>
    retryWhileBusy(context, null, (patient) =>
      inTransaction(context.database, (transaction) => attempt(transaction, context, request, patient)),
    ),
} satisfies Partial<Handlers>;

async function attempt(
  transaction: Transaction<Database>,
  context: Context,
  request: Request<'OpenLocker'>,
  patient: boolean,
): Promise<Attempt<Answer>> {
  const { lockerUid } = request;
  const key = answerKeyOf(context, request);
  const locker = await lockLocker(transaction, context.tenantId, lockerUid);
  // Read after the command of the door: what settles that keeps its answer, too.
  const former = await answeredBefore(transaction, context, key);
  if (former) return { answer: former };
  const busyWith = commandInProgress(locker, { opens: true, patient });
  if (busyWith) return { busyWith, lockerName: locker.lockerName };
  const answer = { lockerUid };
  if (hasWall({ locker }, context.settings)) {
    const requester = { ...context, ...key, instanceId: context.wallDoors.instanceId };
    const look = { shipmentUid: null, eventType: null };
    const requested = await requestOpening(transaction, requester, { locker }, look);
    return { requested, answerIfOpened: answer };
  }
  await recordLook(transaction, { ...context, ...key, ...locker });
  // After all is written and before the commit: for a door that stays shut nothing is committed.
  const failure = await openSimulatedDoor(transaction, locker.lockerId);
  if (failure !== undefined) throw stayedShut(locker.lockerName, failure);
  return { answer };
}

/** A request with the same key waits here until the one before has ended. */
async function answeredBefore(
  transaction: Transaction<Database>,
  context: Context,
  { keyHash, requestHash }: AnswerKey,
): Promise<Answer | undefined> {
  if (keyHash === null || requestHash === null) return undefined;
  return (await formerAnswer(transaction, context, keyHash, [requestHash])) as Answer | undefined;
}

interface LockerRow {
  readonly lockerId: number;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly pickUpPointId: number;
  readonly pupUid: string;
}

interface LockedLocker extends LockerRow {
  readonly wall: WallOfLocker | null;
  readonly command: OpenCommand | null;
}

/** As lock_chain does for a shipment: its door has one command at a time. Throws InvalidLockerUid, also for another tenant's. */
async function lockLocker(
  transaction: Transaction<Database>,
  tenantId: number,
  lockerUid: string,
): Promise<LockedLocker> {
  const { rows } = await sql<LockerRow>`
    select locker_id as "lockerId", locker_uid as "lockerUid", locker_name as "lockerName",
      pick_up_point_id as "pickUpPointId", pup_uid as "pupUid"
    from lockers as locker join pick_up_points as pup using (pick_up_point_id)
    where locker.locker_uid = ${lockerUid} and locker.tenant_id = ${tenantId}
    for no key update of locker
  `.execute(transaction);
  const [locker] = rows;
  if (!locker) throw new ApiError('InvalidLockerUid', `There is no locker ${lockerUid}`);
  // A separate statement, so that it sees what the last holder of the lock wrote.
  const { rows: opening } = await sql<{ opening: Pick<LockedLocker, 'wall' | 'command'> }>`
    select opening_of_locker(${locker.lockerId}) as opening
  `.execute(transaction);
  return { ...locker, wall: null, command: null, ...opening[0]?.opening };
}

export interface Look extends AuditedRequest, AnswerKey, Pick<LockerRow, 'lockerId' | 'lockerUid'> {
  /** When the door opened, if that is told much later. */
  readonly openedAt?: Date;
}

/** Writes the look with its entry in the audit log and the kept answer. It never means anything for a shipment. */
export async function recordLook(transaction: Transaction<Database>, look: Look): Promise<Meaning> {
  const { tenantId, lockerId, lockerUid, operation, clientId, onBehalfOf, why, keyHash, requestHash } = look;
  const answer: Answer = { lockerUid };
  await sql`
    with audited as (${insertAuditEntry({ ...look, uids: [lockerUid], outcome: SUCCESS })}), looked as (
      insert into locker_looks
        (tenant_id, locker_id, shipment_id, why, operation, client_id, on_behalf_of, occurred_at)
      select ${tenantId}::bigint, locker_id, ${shipmentInIt}, ${why}, ${operation}, ${clientId}, ${onBehalfOf},
        coalesce(${look.openedAt ?? null}::timestamptz + clock_ahead(${tenantId}::bigint),
          tenant_moment(${tenantId}::bigint))
      from lockers as locker where locker_id = ${lockerId}
    )
    select ${
      keyHash === null
        ? null
        : sql`keep_answer(${tenantId}::bigint, ${operation}, ${keyHash}, ${requestHash}, ${JSON.stringify(answer)})`
    }
  `.execute(transaction);
  return { meaning: 'Next', reason: null };
}

/** Of the row `locker`: the one that has it now, or else the one whose item was left in it. */
const shipmentInIt = sql`coalesce(
  (select min(shipment_id) from shipments as shipment
    where shipment.locker_id = locker.locker_id and shipment.chain_id = locker.chain_id
      and shipment.state_code in (${activeStateCodes})),
  case when locker.to_be_emptied then locker.left_shipment_id end)`;
