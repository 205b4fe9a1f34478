// An item by its reference: its shipments, and for whom they were. Where it is now its cases say.
import pLimit from 'p-limit';
import type { ConsoleParts } from '../console-parts.ts';
import { nameOfAccount } from '../people.ts';
import { shipmentsBy } from './person.ts';
import type { ItemView, ShipmentShown } from './person-view.ts';

const CALLS_AT_ONCE = 8;

export async function readItem(
  parts: Pick<ConsoleParts, 'service'>,
  reference: string,
  mayKnowPeople: boolean,
): Promise<ItemView> {
  const found = await shipmentsBy(parts, { referenceNo: reference });
  if (!mayKnowPeople)
    return {
      reference,
      title: reference,
      people: [],
      ...found,
      shipments: found.shipments.map(withoutPeople),
    };
  const described = found.shipments.find(({ title }) => title !== null && title !== reference);
  const people = await peopleOf(parts, found.shipments);
  return { reference, title: described?.title ?? reference, people, ...found };
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
