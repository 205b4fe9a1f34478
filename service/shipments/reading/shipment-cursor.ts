// The cursor of a listing of shipments: the requested order, and the last shipment of the page before, by its uid. The
// next page starts after that shipment, at any depth.
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type Request, shipmentOrders } from '../../../contract/index.ts';
import { uid } from '../../../contract/wire/fields.ts';
import { ApiError } from '../../api-error.ts';

type Order = (typeof shipmentOrders)[number];

const position = z.object({
  order: z.enum(shipmentOrders),
  shipmentUid: uid,
  updatedAt: z.iso.datetime(),
});
export type Position = z.infer<typeof position>;

export const cursorOf = (at: Position): string => Buffer.from(JSON.stringify(at)).toString('base64url');

/** Where the page begins; undefined for the first page, or if pageNo says it. */
export function positionOf({ cursor, sortBy }: Request<'GetShipments'>): Position | undefined {
  if (cursor == null) return undefined;
  const at = readPosition(cursor);
  if (!at) throw new ApiError('InvalidRequest', 'cursor: must be the nextCursor of the page before');
  if (at.order === orderOf(sortBy)) return at;
  throw new ApiError(
    'InvalidRequest',
    `cursor: the page before was sorted by ${at.order}; send the same sortBy, or begin again without cursor`,
  );
}

function readPosition(cursor: string): Position | undefined {
  try {
    return position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

// ASSUMPTION: the default is the order of creation.
export const orderOf = (sortBy: Request<'GetShipments'>['sortBy']): Order => sortBy ?? 'CreatedAsc';

export const orderedBy: Record<Order, RawBuilder<unknown>> = {
  CreatedAsc: sql`shipment.shipment_id`,
  CreatedDesc: sql`shipment.shipment_id desc`,
  ActivityAsc: sql`shipment.updated_at, shipment.shipment_id`,
  ActivityDesc: sql`shipment.updated_at desc, shipment.shipment_id desc`,
};

/** The id of the shipment in the cursor; the shipment may be deleted by now (SERVICE_SHIPMENT_RETENTION_DAYS). */
export function isAfter({ order, updatedAt }: Position, shipmentId: number): RawBuilder<unknown> {
  const stood = sql`(${new Date(updatedAt)}::timestamptz, ${shipmentId}::bigint)`;
  return {
    CreatedAsc: sql`shipment.shipment_id > ${shipmentId}`,
    CreatedDesc: sql`shipment.shipment_id < ${shipmentId}`,
    ActivityAsc: sql`(shipment.updated_at, shipment.shipment_id) > ${stood}`,
    ActivityDesc: sql`(shipment.updated_at, shipment.shipment_id) < ${stood}`,
  }[order];
}
