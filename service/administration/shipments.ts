// Operators find a tenant's shipments.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { keptEmailAddress } from '../accounts/email-address.ts';
import { activeStateCodes, type Database } from '../storage/database.ts';
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
  readonly referenceCaseNo: string | null;
  readonly fromUserUid: string | null;
  readonly toUserUid: string | null;
  readonly lockerUid: string;
  /** The pick up point and the name, like pup-central/7: every command takes it. */
  readonly locker: string;
  readonly isItemLeft: boolean | null;
}

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
      shipment.reference_case_no as "referenceCaseNo",
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
