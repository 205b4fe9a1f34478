// Reading shipments through GetShipments, in our words. Only where the service has the listing (LOCKER_CAPABILITIES).
import { MAXIMUM_PAGE_SIZE, type Peer, type Request, type ShipmentRecord } from '../contract/index.ts';
import type { LockerApi } from './api/index.ts';
import { type CallSettings, callOperation } from './operation-call.ts';

export interface ReadingMeans {
  readonly api: LockerApi;
  readonly peer: Peer;
}

/** A shipment as the listing shows it: with its uid, state codes in our words, null for what is empty. */
export type ListedShipment = ShipmentRecord & { readonly shipmentUid: string };

export interface Listing {
  readonly shipments: readonly ListedShipment[];
  /** False when there was more than is read, or something that could not be read. */
  readonly isComplete: boolean;
}

type Filter = Omit<Request<'GetShipments'>, 'pageNo' | 'pageSize'>;

// 20,000 shipments: beyond it a search would run for minutes, and a person decides sooner.
const MOST_PAGES = 40;

/** Every shipment that the filter lets through. One that moves to another page meanwhile is not missed, but seen twice. */
export async function listShipments(
  means: ReadingMeans,
  filter: Filter,
  settings: CallSettings = {},
): Promise<Listing> {
  const shipments = new Map<string, ListedShipment>();
  let allReadable = true;
  for (let pageNo = 1; pageNo <= MOST_PAGES; pageNo += 1) {
    const request = { ...filter, pageNo, pageSize: MAXIMUM_PAGE_SIZE };
    const { items, totalPages, totalItems } = await callOperation(
      means.api,
      'GetShipments',
      request,
      settings,
    );
    const readable = items.flatMap((item) => listed(means.peer, item));
    for (const shipment of readable) shipments.set(shipment.shipmentUid, shipment);
    allReadable &&= readable.length === items.length;
    const isLast = totalPages === null ? items.length === 0 : pageNo >= totalPages;
    if (isLast)
      return {
        shipments: [...shipments.values()],
        isComplete: allReadable && shipments.size >= (totalItems ?? 0),
      };
  }
  return { shipments: [...shipments.values()], isComplete: false };
}

/** The shipment as the listing shows it; null when it does not. */
export async function findShipment(
  means: ReadingMeans,
  shipmentUid: string,
  settings: CallSettings = {},
): Promise<ListedShipment | null> {
  const request = { pageNo: 1, pageSize: 1, shipmentUid };
  const { items } = await callOperation(means.api, 'GetShipments', request, settings);
  // A service that ignores the filter must not pass off another shipment as this one.
  return (
    items.flatMap((item) => listed(means.peer, item)).find((each) => each.shipmentUid === shipmentUid) ?? null
  );
}

function listed(peer: Peer, record: ShipmentRecord): ListedShipment[] {
  const { shipmentUid } = record;
  if (!shipmentUid) return [];
  const fields = Object.entries(peer.inOurWords(record)).map(([field, value]) => [field, value || null]);
  return [{ ...record, ...Object.fromEntries(fields), shipmentUid }];
}
