// Finds what is sent by its reference number, as an e-mail quotes it, also long after it has ended; and what lies in a locker, is on
// its way or was so of late by any part of its description.
import type { Response } from '../../contract/operations/operations.ts';
import { isInside } from '../../contract/wire/states.ts';
import { unlessUnknown } from '../../processes/locker-service.ts';
import { referenceOf } from '../../processes/views/format-item.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ItemFound } from './find-view.ts';
import { namesOf, pickUpPoints } from './pick-up-points.ts';

/** Among so many of the newest, and of the newest active ones, a text is looked for. */
const NEWEST = 500;
/** They are read for all who search at about the same time. */
const KEPT_MS = 5_000;

type Parts = Pick<ConsoleParts, 'service' | 'shared'>;
type Shipment = Response<'GetShipments'>['items'][number];

export interface ItemsFound {
  readonly items: readonly ItemFound[];
  /** That have the text as their reference number, whether or not they are items by that: their cases are meant. */
  readonly shipmentUids: readonly string[];
  readonly isComplete: boolean;
}

interface Wanted {
  readonly text: string;
  readonly most: number;
  /** A description may name a person: without this, items are known by their references alone. */
  readonly mayKnowPeople: boolean;
}

export async function findItems(parts: Parts, { text, most, mayKnowPeople }: Wanted): Promise<ItemsFound> {
  const wordsOf = (shipment: Shipment) => {
    const reference = referenceOf(shipment);
    return mayKnowPeople ? [shipment.description, reference] : [reference];
  };
  const [exact, active, newest, points] = await Promise.all([
    withReference(parts, text, most),
    newestShipments(parts, true),
    newestShipments(parts, null),
    pickUpPoints(parts),
  ]);
  const names = namesOf(points);
  const wanted = text.toLowerCase();
  // Who quotes a number means that one.
  const described = [...active, ...(exact.length > 0 ? [] : newest)].filter((shipment) =>
    wordsOf(shipment).some((each) => each?.toLowerCase().includes(wanted)),
  );
  // What was asked for this search comes first: it is newer than what is kept.
  const byUid = new Map([...described, ...exact].map((each) => [each.shipmentUid, each]));
  const items = itemsOf(
    [...exact, ...described].flatMap(({ shipmentUid }) => byUid.get(shipmentUid) ?? []),
    (shipment) => itemOf(shipment, wordsOf(shipment).find((each) => each !== null) ?? null, names),
  );
  const shipmentUids = exact.flatMap(({ shipmentUid }) => shipmentUid ?? []);
  return { items: [...items.values()].slice(0, most), shipmentUids, isComplete: items.size <= most };
}

async function withReference({ service }: Parts, referenceNo: string, most: number): Promise<Shipment[]> {
  const page = { pageNo: 1, pageSize: most, sortBy: 'CreatedDesc', referenceNo } as const;
  return (await unlessUnknown(() => service.call('GetShipments', page)))?.items ?? [];
}

/** @param activeShipments null: also those that have ended, which people ask about */
const newestShipments = (
  { service, shared }: Parts,
  activeShipments: true | null,
): Promise<readonly Shipment[]> =>
  shared.of(`newest shipments ${activeShipments}`, KEPT_MS, async () => {
    const page = { pageNo: 1, pageSize: NEWEST, activeShipments, sortBy: 'CreatedDesc' } as const;
    return (await unlessUnknown(() => service.call('GetShipments', page)))?.items ?? [];
  });

/** The shipments of one item are one item. That which is in a locker says where it is. */
function itemsOf(
  shipments: readonly Shipment[],
  itemOfShipment: (shipment: Shipment) => ItemFound | undefined,
): Map<string, ItemFound> {
  const items = new Map<string, ItemFound>();
  for (const shipment of shipments) {
    const item = itemOfShipment(shipment);
    const key = item && (item.reference ?? item.shipmentUid);
    if (key && (!items.has(key) || item.lockerName !== null)) items.set(key, item);
  }
  return items;
}

/** Nothing is said of a locker that is only booked for it, or that it has left. */
function itemOf(
  shipment: Shipment,
  title: string | null,
  names: ReadonlyMap<string, string>,
): ItemFound | undefined {
  const { shipmentUid, stateCode, pupUid, lockerName } = shipment;
  if (shipmentUid === null || title === null) return undefined;
  const isHere = isInside(stateCode);
  return {
    title,
    reference: referenceOf(shipment),
    shipmentUid,
    stateCode: stateCode ?? '',
    pupUid,
    pupName: pupUid === null || !isHere ? null : (names.get(pupUid) ?? pupUid),
    lockerName: isHere ? lockerName : null,
  };
}
