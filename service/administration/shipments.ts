// Operators find a tenant's shipments, look at one with everything that is known of it, and cancel it by the same rules as
// the API.
import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { mainUserUid } from '../accounts/account.ts';
import { keptEmailAddress } from '../accounts/email-address.ts';
import { DueCallbackAnnouncer } from '../callbacks/queue/announce-due-callbacks.ts';
import { deliveriesOf } from '../callbacks/queue/delivery-log.ts';
import type { Context } from '../handler.ts';
import { WallDoors } from '../hardware/wall-doors.ts';
import { Refusal } from '../refusal.ts';
import { management } from '../shipments/management.ts';
import { shipmentEventsOf } from '../shipments/reading/get-shipment-events.ts';
import { activeStateCodes } from '../storage/active-state-codes.ts';
import type { Database } from '../storage/database.ts';
import { requireOwnLocker } from './lockers.ts';
import { NotFound } from './tenants.ts';

export interface ShipmentFilter {
  readonly shipment?: string | undefined;
  readonly case?: string | undefined;
  readonly user?: string | undefined;
  readonly locker?: string | undefined;
  readonly active?: true | undefined;
  readonly limit: number;
}

export interface FoundShipment {
  readonly shipmentUid: string;
  readonly stateCode: string;
  readonly stateStart: Date;
  readonly shipmentType: string;
  readonly referenceNo: string | null;
  readonly referenceCaseNo: string | null;
  readonly description: string | null;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
  readonly lockerUid: string;
  /** The pick up point and the name, like pup-central/7: every command takes it. */
  readonly locker: string;
  readonly isItemLeft: boolean | null;
}

/** The latest first. */
export async function findShipments(
  database: Kysely<Database>,
  tenantId: number,
  filter: ShipmentFilter,
): Promise<readonly FoundShipment[]> {
  const conditions = [
    sql`shipment.tenant_id = ${tenantId}`,
    ...(await conditionsOf(database, tenantId, filter)),
  ];
  const { rows } = await sql<FoundShipment>`
    select shipment.shipment_uid as "shipmentUid", shipment.state_code as "stateCode",
      shipment.state_start as "stateStart", shipment.shipment_type as "shipmentType",
      shipment.reference_no as "referenceNo", shipment.reference_case_no as "referenceCaseNo", shipment.description,
      sender.user_uid as "fromUserUid", receiver.user_uid as "toUserUid", locker.locker_uid as "lockerUid",
      pup.pup_uid || '/' || locker.locker_name as locker,
      case when shipment.state_code <> 'Cancelled' or not locker.to_be_emptied then false
        else locker.left_shipment_id = shipment.shipment_id end as "isItemLeft"
    from shipments as shipment
    join lockers as locker using (locker_id)
    join pick_up_points as pup on pup.pick_up_point_id = shipment.pick_up_point_id
    left join accounts as sender on sender.account_id = shipment.from_account_id
    left join accounts as receiver on receiver.account_id = shipment.to_account_id
    where ${sql.join(conditions, sql` and `)}
    order by shipment.shipment_id desc limit ${filter.limit}
  `.execute(database);
  return rows;
}

/** What is named is looked up first, so that a name that does not exist is told, and not an empty list. */
async function conditionsOf(
  database: Kysely<Database>,
  tenantId: number,
  { shipment, case: caseNo, user, locker, active }: ShipmentFilter,
): Promise<RawBuilder<unknown>[]> {
  const conditions: RawBuilder<unknown>[] = [];
  if (shipment !== undefined) conditions.push(sql`shipment.shipment_uid = ${shipment}`);
  if (caseNo !== undefined)
    conditions.push(sql`hashtextextended(shipment.reference_case_no, 0) = hashtextextended(${caseNo}, 0)
      and shipment.reference_case_no = ${caseNo}`);
  if (user !== undefined) {
    const accountId = await accountIdOf(database, user);
    conditions.push(sql`(shipment.from_account_id = ${accountId} or shipment.to_account_id = ${accountId})`);
  }
  if (locker !== undefined) {
    const { lockerId } = await requireOwnLocker(database, tenantId, locker);
    conditions.push(sql`shipment.locker_id = ${lockerId}`);
  }
  if (active) conditions.push(sql`shipment.state_code in (${activeStateCodes})`);
  return conditions;
}

async function accountIdOf(database: Kysely<Database>, user: string): Promise<number> {
  const account = await database
    .selectFrom('accounts')
    .select('account_id')
    .where(({ or, eb }) =>
      or([
        eb('user_uid', '=', user),
        sql<boolean>`lower(email_address collate "C") = lower(${keptEmailAddress(user)} collate "C")`,
      ]),
    )
    .executeTakeFirst();
  if (!account) throw new NotFound(`There is no account ${user}`);
  return account.account_id;
}

// As many as a person reads of one shipment.
const MAX_CALLBACKS = 100;

export async function wholeShipment(database: Kysely<Database>, tenantId: number, shipmentUid: string) {
  const [shipment] = await findShipments(database, tenantId, { shipment: shipmentUid, limit: 1 });
  if (!shipment) throw new NotFound(`The tenant has no shipment ${shipmentUid}`);
  const { shipment_id: shipmentId } = await database
    .selectFrom('shipments')
    .select('shipment_id')
    .where('shipment_uid', '=', shipmentUid)
    .executeTakeFirstOrThrow();
  const { events, isComplete } = await shipmentEventsOf(database, tenantId, { shipmentId, shipmentUid });
  const callbacks = await deliveriesOf(database, tenantId, { shipmentUid, limit: MAX_CALLBACKS });
  return { shipment, events, isComplete, callbacks: callbacks.toReversed() };
}

export type WholeShipment = Awaited<ReturnType<typeof wholeShipment>>;

/** Cancels as CancelShipment does; in the audit log nobody's client did it. */
export async function cancelAsOperator(
  service: Pick<Context, 'settings' | 'doors' | 'log' | 'suggestionFileReader' | 'switches'>,
  database: Kysely<Database>,
  tenantUid: string,
  tenantId: number,
  shipmentUid: string,
): Promise<void> {
  const dispatcherUserUid = await mainUserUid(database, tenantId);
  // If it fails, the senders' polling finds the callbacks.
  const dueCallbacks = new DueCallbackAnnouncer(database, () => undefined);
  // While a wall opens the shipment's door, the cancellation waits, as any does.
  const { settings, log } = service;
  const wallDoors = new WallDoors({ database, databaseUrl: settings.databaseUrl, log });
  const context: Context = {
    ...service,
    wallDoors,
    database,
    tenantUid,
    tenantId,
    clientId: null,
    onBehalfOf: null,
    dispatcherUserUid,
    dueCallbacks,
    operation: 'CancelShipment',
    requestId: randomUUID(),
    idempotencyKey: undefined,
  };
  try {
    await management.CancelShipment({ shipmentUid }, context);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'InvalidShipment')
      throw new NotFound(`The tenant has no shipment ${shipmentUid}`);
    throw error;
  } finally {
    await wallDoors.close();
  }
  await dueCallbacks.announced();
}
