// What a form of the desk offers: the sizes and free lockers of a pick up point, and the items that a flow can take over.

import type { Response } from '../../contract/operations/operations.ts';
import { isInside } from '../../contract/wire/states.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { namesOf, pickUpPoints } from '../find/pick-up-points.ts';
import { formatItemState } from '../item-state.ts';
import { lockersOf } from '../pages-of-service.ts';
import { readDeskAccount } from '../people.ts';
import type { DeskLockers, Dimension, ItemFound, ItemsFound } from './desk-view.ts';

interface OfferedLocker {
  readonly lockerUid: string | null;
  readonly lockerName: string | null;
  readonly size: string | null;
  readonly isFree: boolean;
  readonly innerDimension: Dimension | null;
}

export async function deskLockers(parts: ConsoleParts, pupUid: string): Promise<DeskLockers> {
  const lockers = await offeredLockers(parts, pupUid);
  const sizes = new Map<string, DeskLockers['sizes'][number]>();
  for (const { size, isFree, innerDimension } of lockers) {
    const name = size ?? '';
    const before = sizes.get(name) ?? { size: name, innerDimension, lockers: 0, free: 0 };
    sizes.set(name, { ...before, lockers: before.lockers + 1, free: before.free + (isFree ? 1 : 0) });
  }
  return {
    sizes: [...sizes.values()].sort((one, other) => volumeOf(one) - volumeOf(other)),
    free: lockers.flatMap(({ isFree, lockerUid, lockerName, size }) =>
      isFree && lockerUid && lockerName ? [{ lockerUid, lockerName, size: size ?? '' }] : [],
    ),
  };
}

const volumeOf = ({ innerDimension }: Pick<OfferedLocker, 'innerDimension'>): number =>
  innerDimension ? innerDimension.width * innerDimension.height * innerDimension.length : 0;

/** Another service may list them with its pick up points alone: then nobody knows what fits. */
async function offeredLockers(parts: ConsoleParts, pupUid: string): Promise<OfferedLocker[]> {
  try {
    return (await lockersOf(parts, pupUid)).map(({ innerDimension, state, door, ...locker }) => ({
      ...locker,
      // No booking gets one whose door stands open.
      isFree: state === 'Free' && door !== 'Open',
      innerDimension: dimensionOf(innerDimension),
    }));
  } catch (error) {
    if (!(error instanceof LockerApiError && error.code === 'UnknownOperation')) throw error;
    const request = { pageNo: 1, pageSize: 1, includeDetails: true, pupUid };
    const { items } = await parts.service.call('GetPickUpPoints', request);
    const point = items.find((each) => each.pupUid === pupUid);
    return (point?.lockers ?? []).map((locker) => ({
      ...locker,
      isFree: locker.free === true,
      innerDimension: null,
    }));
  }
}

type Inner = Response<'GetLockers'>['items'][number]['innerDimension'];

function dimensionOf(inner: Inner): Dimension | null {
  const { width, height, length } = inner ?? {};
  return width && height && length ? { width, height, length } : null;
}

type Shipment = Response<'GetShipments'>['items'][number];

/** As many as a person reads before typing more. */
const MAX_ITEMS = 20;
/** Among so many of the newest a text is looked for. */
const MAX_SHIPMENTS = 500;

type ItemKind = 'stock' | 'intake' | 'parcel';

/** Those that a flow may take: stock without a receiver, or what comes back to the dispatcher; or any parcel. */
export async function itemsFound(
  parts: ConsoleParts,
  { kind, text }: { readonly kind: ItemKind; readonly text: string },
): Promise<ItemsFound> {
  const page = { pageNo: 1, pageSize: MAX_SHIPMENTS, activeShipments: true, sortBy: 'CreatedDesc' } as const;
  const [{ items, totalPages }, points, deskUid] = await Promise.all([
    parts.service.call('GetShipments', page),
    pickUpPoints(parts),
    kind === 'intake' ? readDeskAccount(parts) : null,
  ]);
  const names = namesOf(points);
  const isIt = (shipment: Shipment) =>
    shipment.shipmentType === 'LocalPupShipment' && isOfKind(kind, shipment, deskUid);
  const wanted = text.trim().toLowerCase();
  const found = items
    .filter(isIt)
    .map((shipment) => itemOf(shipment, names))
    .filter((item) => isMeant(item, wanted));
  const isComplete = found.length <= MAX_ITEMS && (totalPages ?? 1) <= 1;
  return { items: found.slice(0, MAX_ITEMS), isComplete };
}

/** What somebody has, or is still to bring, is not in stock. */
export function isOfKind(
  kind: ItemKind,
  { toUserUid, stateCode }: Pick<Shipment, 'toUserUid' | 'stateCode'>,
  dispatcherUid: string | null | undefined,
): boolean {
  if (kind === 'stock') return toUserUid === null && isInside(stateCode);
  return kind === 'parcel' || (dispatcherUid != null && toUserUid === dispatcherUid);
}

/** By the words that people see, in lower case; by the number of its locker, and by the whole uid. */
export function isMeant(item: ItemFound, text: string): boolean {
  const { title, referenceNo, pupName, lockerName, shipmentUid } = item;
  // Locker 1 is not locker 12.
  const number = /^(?:locker )?(\d+)$/.exec(text)?.[1];
  const place =
    number === undefined && lockerName !== null ? t`Locker ${lockerName}, ${pupName ?? ''}` : pupName;
  return (
    [title, referenceNo, place].some((words) => words?.toLowerCase().includes(text)) ||
    (number !== undefined && number === lockerName) ||
    text === shipmentUid.toLowerCase()
  );
}

function itemOf(shipment: Shipment, names: ReadonlyMap<string, string>): ItemFound {
  const { shipmentUid, description, referenceNo, lockerName, pupUid, stateCode, toUserUid } = shipment;
  return {
    shipmentUid: shipmentUid ?? '',
    title: description ?? referenceNo,
    referenceNo,
    lockerName,
    pupName: pupUid === null ? null : (names.get(pupUid) ?? pupUid),
    words: formatItemState({ stateCode, toUserUid }),
  };
}
