// An item by its reference: where it is now, who had it, its shipments, and for whom they were.
import pLimit from 'p-limit';
import type { ConsoleParts } from '../console-parts.ts';
import { ifKnown, nameOfAccount } from '../people.ts';
import { historyOf, type ShipmentWithEvents } from './item-history.ts';
import { shipmentsBy } from './person.ts';
import type { ItemView, ShipmentShown } from './person-view.ts';

const CALLS_AT_ONCE = 8;
/** Of so many of the newest it is asked what happened to them; of those before, their last state is known. */
const WITH_EVENTS = 20;

export async function readItem(
  parts: Pick<ConsoleParts, 'service'>,
  reference: string,
  mayKnowPeople: boolean,
): Promise<ItemView> {
  const found = await shipmentsBy(parts, { referenceNo: reference });
  const history = historyOf(await withEvents(parts, found.shipments));
  if (!mayKnowPeople)
    return {
      reference,
      title: reference,
      people: [],
      ...found,
      ...history,
      now: history.now && { ...history.now, userUid: null },
      holders: history.holders.map((each) => ({ ...each, userUid: null })),
      shipments: found.shipments.map(withoutPeople),
    };
  const described = found.shipments.find(({ title }) => title !== null && title !== reference);
  const people = await peopleOf(parts, found.shipments);
  return { reference, title: described?.title ?? reference, people, ...found, ...history };
}

async function withEvents(
  parts: Pick<ConsoleParts, 'service'>,
  shipments: readonly ShipmentShown[],
): Promise<ShipmentWithEvents[]> {
  const limit = pLimit(CALLS_AT_ONCE);
  const read = shipments.map(async (shipment, index) => {
    const { shipmentUid } = shipment;
    if (index >= WITH_EVENTS) return { shipment, events: null };
    const answer = await limit(() => ifKnown(() => parts.service.call('GetShipmentEvents', { shipmentUid })));
    return { shipment, events: answer?.items ?? null };
  });
  return await Promise.all(read);
}

/** Nor the description: it may name one. */
const withoutPeople = (shipment: ShipmentShown): ShipmentShown => ({
  ...shipment,
  title: shipment.reference,
  fromUserUid: null,
  toUserUid: null,
});

async function peopleOf(
  parts: Pick<ConsoleParts, 'service'>,
  shipments: readonly ShipmentShown[],
): Promise<ItemView['people']> {
  const limit = pLimit(CALLS_AT_ONCE);
  const uids = new Set(shipments.flatMap(({ toUserUid }) => toUserUid ?? []));
  const read = [...uids].map((userUid) =>
    limit(async () => ({ userUid, name: await nameOfAccount(parts, userUid) })),
  );
  return await Promise.all(read);
}
