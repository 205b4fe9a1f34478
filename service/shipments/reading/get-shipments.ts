// GetShipments, GetLocalShipments and GetCollectOnlyShipments (assumptions: Reading): the tenant's shipments, page by page.

import { type RawBuilder, sql } from 'kysely';
import {
  MAX_COUNTED_ITEMS,
  type Request,
  type Response,
  type ShipmentRecord,
  type ShipmentType,
  type StateCode,
} from '../../../contract/index.ts';
import type { Link } from '../../../contract/machines/chain-shipments.ts';
import { ApiError } from '../../api-error.ts';
import type { Context, Handlers } from '../../handler.ts';
import { MAX_PAGE_BYTES, offsetOf, withinBytes } from '../../page.ts';
import { activeStateCodes } from '../../storage/open-states.ts';
import { asRenamed, formerNames } from '../../switches/switches.ts';
import { momentOf, withoutOffset } from '../../wire-time.ts';
import { cursorOf, isAfter, orderedBy, orderOf, type Position, positionOf } from './shipment-cursor.ts';

export const listing = {
  GetShipments: (request, context) => list(request, context, null),
  GetLocalShipments: (request, context) => list(request, context, 'LocalPupShipment'),
  GetCollectOnlyShipments: (request, context) => list(request, context, 'CollectOnlyShipment'),
} satisfies Partial<Handlers>;

async function list(
  request: Request<'GetShipments'>,
  context: Context,
  shipmentType: ShipmentType | null,
): Promise<Response<'GetShipments'>> {
  const { pageNo, pageSize } = request;
  const position = positionOf(request);
  const accountId = await accountIdOf(request.userUid, context);
  const filters = conditions(request, context, shipmentType, accountId);
  if (position) {
    const rows = await pageRows(
      request,
      [...filters, isAfter(position, await shipmentIdOf(position, context))],
      0,
      context,
    );
    return { ...pageOfRows(request, rows, context), pageNo, pageSize, totalItems: null, totalPages: null };
  }
  const offset = offsetOf(request);
  if (offset > MAX_COUNTED_ITEMS)
    throw new ApiError(
      'InvalidRequest',
      `pageNo: a page begins after at most ${MAX_COUNTED_ITEMS.toLocaleString('en')} items; use cursor to read further`,
    );
  const totalItems = await countedItems(filters, context);
  const totalPages = totalItems === null ? null : Math.ceil(totalItems / pageSize);
  const readPage = async (from: number) => {
    const rows = await pageRows(request, filters, from, context);
    const page = pageOfRows(request, rows, context);
    return { page, isCut: page.items.length < Math.min(rows.length, pageSize) };
  };
  const { page, isCut } = await readPage(offset);
  // The first page alone may be cut short by its bytes: its cursor leads to the others, a page number would leave out rows.
  if (pageNo > 1) {
    if (isCut) throw tooLong(pageNo, page.items.length);
    const first = await readPage(0);
    if (first.isCut) throw tooLong(1, first.page.items.length);
  }
  return {
    ...page,
    pageNo,
    pageSize,
    ...(isCut ? { totalItems: null, totalPages: null } : { totalItems, totalPages }),
  };
}

const tooLong = (pageNo: number, fitting: number): ApiError =>
  new ApiError(
    'InvalidRequest',
    `pageSize: page ${pageNo} is longer than 1 MB; expected at most ${fitting} for it, or the cursor of page 1, which leads to all`,
  );

/** Null: there are more than the service counts. */
async function countedItems(
  filters: readonly RawBuilder<unknown>[],
  context: Context,
): Promise<number | null> {
  const { rows } = await sql<{ items: number }>`
    select count(*) as items from (
      select from shipments as shipment where ${sql.join(filters, sql` and `)} limit ${MAX_COUNTED_ITEMS + 1}
    ) as counted
  `.execute(context.database);
  const items = rows[0]?.items ?? 0;
  return items > MAX_COUNTED_ITEMS ? null : items;
}

/** One row more than the page has, if there is one; of long texts no more than a page may hold, and the row that is too much. */
async function pageRows(
  { pageSize, sortBy }: Request<'GetShipments'>,
  filters: readonly RawBuilder<unknown>[],
  offset: number,
  context: Context,
): Promise<ShipmentRow[]> {
  const order = orderedBy[orderOf(sortBy)];
  // An index alone finds the page; then only the rows of the page are read.
  const { rows } = await sql<ShipmentRow>`
    select * from (select ${shipmentColumns},
      sum(${textBytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
    from (
      select shipment.shipment_id as page_id from shipments as shipment
      where ${sql.join(filters, sql` and `)}
      order by ${order} limit ${pageSize + 1} offset ${offset}
    ) as page
    join shipments as shipment on shipment.shipment_id = page.page_id
    ${itsUids}
    ) as shipment
    where coalesce(bytes_before, 0) < ${MAX_PAGE_BYTES}
    order by ${order}
  `.execute(context.database);
  return rows;
}

/** Their form in JSON is no shorter. */
const textBytes = sql`coalesce(octet_length(shipment.description), 0) + coalesce(octet_length(shipment.reference_no), 0)
        + coalesce(octet_length(shipment.reference_case_no), 0)`;

function pageOfRows(
  { pageSize, sortBy }: Request<'GetShipments'>,
  rows: readonly ShipmentRow[],
  context: Context,
) {
  const items = withinBytes(rows.slice(0, pageSize).map((row) => shipmentRecord(row, context)));
  const last = rows[items.length - 1];
  const nextCursor =
    last && rows.length > items.length
      ? cursorOf({
          order: orderOf(sortBy),
          shipmentUid: last.shipmentUid,
          updatedAt: last.updated_at.toISOString(),
        })
      : null;
  return { items, nextCursor };
}

async function shipmentIdOf({ shipmentUid }: Position, { database, tenantId }: Context): Promise<number> {
  const shipment = await database
    .selectFrom('shipments')
    .select('shipment_id')
    .where('shipment_uid', '=', shipmentUid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!shipment)
    throw new ApiError('InvalidRequest', 'cursor: its shipment was deleted; start again with the first page');
  return shipment.shipment_id;
}

function conditions(
  request: Request<'GetShipments'>,
  { tenantId, switches }: Context,
  shipmentType: ShipmentType | null,
  accountId: number | undefined,
): RawBuilder<unknown>[] {
  const { activeShipments, shipmentState, bookedPupUid, shipmentUid, updatedSince } = request;
  const when = (filter: unknown, condition: RawBuilder<unknown>) => (filter == null ? [] : [condition]);
  const isActive = sql`shipment.state_code in (${activeStateCodes})`;
  return [
    sql`shipment.tenant_id = ${tenantId}`,
    ...when(shipmentType, sql`shipment.shipment_type = ${shipmentType}`),
    // ASSUMPTION: false lists those that have ended; absent lists all.
    ...when(activeShipments, activeShipments ? isActive : sql`not ${isActive}`),
    ...when(shipmentState, sql`shipment.state_code = any(${formerNames(switches, shipmentState ?? [])})`),
    ...when(
      request.userUid,
      sql`(shipment.from_account_id = ${accountId} or shipment.to_account_id = ${accountId})`,
    ),
    ...when(
      bookedPupUid,
      sql`shipment.pick_up_point_id = (select pick_up_point_id from pick_up_points where pup_uid = ${bookedPupUid})`,
    ),
    ...when(shipmentUid, sql`shipment.shipment_uid = ${shipmentUid}`),
    ...when(request.referenceNo, hashed('reference_no', request.referenceNo)),
    ...when(request.referenceCaseNo, hashed('reference_case_no', request.referenceCaseNo)),
    ...when(updatedSince, sql`shipment.updated_at >= ${updatedSince && momentOf(updatedSince)}`),
  ];
}

/** Read first: Postgres chooses the right index only if it knows whether the user has few shipments or many. */
async function accountIdOf(
  userUid: string | null | undefined,
  { database }: Context,
): Promise<number | undefined> {
  if (userUid == null) return undefined;
  const account = await database
    .selectFrom('accounts')
    .select('account_id')
    .where('user_uid', '=', userUid)
    .executeTakeFirst();
  return account?.account_id;
}

/** The index finds candidates by the hash; the text itself decides. */
function hashed(column: 'reference_no' | 'reference_case_no', text: string | null | undefined) {
  const reference = sql.ref(`shipment.${column}`);
  return sql`(hashtextextended(${reference}, 0) = hashtextextended(${text}, 0) and ${reference} = ${text})`;
}

/** A shipment with the uids that it refers to. */
export interface ShipmentRow extends Omit<ShipmentRecord, 'stateCode' | 'stateStart' | 'lastPickUpAt'> {
  readonly shipmentUid: string;
  readonly stateCode: StateCode;
  readonly stateStart: Date;
  readonly lastPickUpAt: Date | null;
  readonly updated_at: Date;
}

/** The uid of the shipment that this one follows by this link. */
const followedBy = (link: Link) =>
  sql`case when shipment.link = ${sql.lit(link)} then predecessor.shipment_uid end`;

/** One for each field of the record. Openings are read only for shipments whose state does not tell of a pick-up. */
const recordColumns: Readonly<Record<keyof ShipmentRecord, RawBuilder<unknown>>> = {
  shipmentUid: sql`shipment.shipment_uid`,
  shipmentType: sql`shipment.shipment_type`,
  stateCode: sql`shipment.state_code`,
  stateStart: sql`shipment.state_start`,
  referenceNo: sql`shipment.reference_no`,
  referenceCaseNo: sql`shipment.reference_case_no`,
  description: sql`shipment.description`,
  fromUserUid: sql`sender.user_uid`,
  toUserUid: sql`receiver.user_uid`,
  pupUid: sql`pup.pup_uid`,
  lockerName: sql`locker.locker_name`,
  swapsShipmentUid: followedBy('swap'),
  priorShipmentUid: followedBy('subsequentIntake'),
  circularPriorShipmentUid: followedBy('circularStock'),
  lastPickUpAt: sql`case when shipment.keep_booked_after_pick_up then (
    select access.occurred_at from locker_accesses as access
    where access.shipment_id = shipment.shipment_id and access.access_goal = 'PickUp'
    order by access.access_id desc limit 1) end`,
};

/** The columns of a ShipmentRow. */
export const shipmentColumns = sql`shipment.shipment_id, shipment.updated_at, ${sql.join(
  Object.entries(recordColumns).map(([field, column]) => sql`${column} as ${sql.id(field)}`),
)}`;

/** After `shipments as shipment`. */
export const itsUids = sql`
  join pick_up_points as pup on pup.pick_up_point_id = shipment.pick_up_point_id
  join lockers as locker on locker.locker_id = shipment.locker_id
  left join shipments as predecessor on predecessor.shipment_id = shipment.predecessor_id
  left join accounts as sender on sender.account_id = shipment.from_account_id
  left join accounts as receiver on receiver.account_id = shipment.to_account_id`;

export const shipmentRecord = (
  row: ShipmentRow,
  { switches }: Pick<Context, 'switches'>,
): ShipmentRecord => ({
  ...row,
  stateCode: asRenamed(switches, row.stateCode),
  stateStart: withoutOffset(row.stateStart),
  lastPickUpAt: row.lastPickUpAt && withoutOffset(row.lastPickUpAt),
});
