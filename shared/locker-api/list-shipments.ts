// Reads shipments through GetShipments, in our words, for an activity or the command line. The service must have the
// listing (LOCKER_CAPABILITIES).
import {
  MAXIMUM_PAGE_SIZE,
  type Request,
  type Response,
  type ServiceProfile,
  type ShipmentRecord,
} from '../../contract/index.ts';

export interface ShipmentReader {
  readonly read: (request: Request<'GetShipments'>) => Promise<Response<'GetShipments'>>;
  readonly serviceProfile: Pick<ServiceProfile, 'normalize'>;
}

/** A shipment as the listing shows it: with its uid, state codes in our words, and null for an empty field. */
export type ListedShipment = ShipmentRecord & { readonly shipmentUid: string };

export interface Listing {
  readonly shipments: readonly ListedShipment[];
  /** False when there was more than is read, or something that could not be read. */
  readonly isComplete: boolean;
}

type ShipmentFilter = Omit<Request<'GetShipments'>, 'pageNo' | 'pageSize' | 'cursor'>;

// 20,000 shipments: beyond it a search would run for minutes, and a person decides sooner.
const MAX_PAGES = 40;

/** Every shipment that the filter lets through. One that moves to another page meanwhile is not missed, but seen twice. */
export async function listShipments(
  { read, serviceProfile }: ShipmentReader,
  filter: ShipmentFilter,
  maxPages = MAX_PAGES,
): Promise<Listing> {
  const shipments = new Map<string, ListedShipment>();
  let allReadable = true;
  let page: PageAsked = { pageNo: 1 };
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const { items, totalPages, totalItems, nextCursor } = await read({
      ...filter,
      ...page,
      pageSize: MAXIMUM_PAGE_SIZE,
    });
    const readable = items.flatMap((item) => listed(serviceProfile, item));
    for (const shipment of readable) shipments.set(shipment.shipmentUid, shipment);
    allReadable &&= readable.length === items.length;
    const next = nextOf(page, { items, totalPages, nextCursor });
    if (next === null)
      return {
        shipments: [...shipments.values()],
        isComplete: allReadable && shipments.size >= (totalItems ?? 0),
      };
    page = next;
  }
  return { shipments: [...shipments.values()], isComplete: false };
}

type PageAsked = { readonly pageNo: number; readonly cursor?: string };
type PageAnswered = Pick<Response<'GetShipments'>, 'items' | 'totalPages' | 'nextCursor'>;

/** Null after the last page. Our service has a cursor, which leaves out none; others have numbers alone. */
function nextOf(
  { pageNo, cursor }: PageAsked,
  { items, totalPages, nextCursor }: PageAnswered,
): PageAsked | null {
  if (nextCursor != null) return { pageNo, cursor: nextCursor };
  const isLast = totalPages === null ? cursor !== undefined || items.length === 0 : pageNo >= totalPages;
  return isLast ? null : { pageNo: pageNo + 1 };
}

/** The shipment as the listing shows it; null when it does not. */
export async function findShipment(
  { read, serviceProfile }: ShipmentReader,
  shipmentUid: string,
): Promise<ListedShipment | null> {
  const { items } = await read({ pageNo: 1, pageSize: 1, shipmentUid });
  // A service that ignores the filter must not pass off another shipment as this one.
  return (
    items.flatMap((item) => listed(serviceProfile, item)).find((each) => each.shipmentUid === shipmentUid) ??
    null
  );
}

function listed(serviceProfile: ShipmentReader['serviceProfile'], record: ShipmentRecord): ListedShipment[] {
  const { shipmentUid } = record;
  if (!shipmentUid) return [];
  const fields = Object.entries(serviceProfile.normalize(record)).map(([field, value]) => [
    field,
    value || null,
  ]);
  return [{ ...record, ...Object.fromEntries(fields), shipmentUid }];
}
