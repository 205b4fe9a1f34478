// An item by its reference: where it is now, who had it, its shipments, and for whom they were.
import pLimit from 'p-limit';
import { itemsIn } from '../../flows/language/subjects.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { flowQuery } from '../../processes/views/flow-query.ts';
import { isOfLeg } from '../../processes/views/format-item.ts';
import { type FoundFlow, foundPage } from '../../processes/views/found-flows.ts';
import { itemsOutOf, type SettledItem } from '../../processes/views/items-out.ts';
import { isSearchable, UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { deskAccount, ifKnown, nameOfAccount } from '../people.ts';
import { beingPutIn } from '../process/at-lockers.ts';
import { historyOf, type ShipmentWithEvents } from './item-history.ts';
import { shipmentsBy } from './person.ts';
import type { ItemView, ShipmentShown } from './person-view.ts';

const CALLS_AT_ONCE = 8;
/** Of so many of the newest it is asked what happened to them; of those before, their last state is known. */
const WITH_EVENTS = 20;

/** Each asks the visibility store, and what has ended changes no more. */
const SHARED_MS = 5_000;
/** So many of the last ones are looked at. */
const MAX_CASES = 50;

type Parts = Pick<ConsoleParts, 'client' | 'service' | 'shared' | 'taskQueue'>;

export async function readItem(parts: Parts, reference: string, mayKnowPeople: boolean): Promise<ItemView> {
  const shipments = await shipmentsBy(parts, { referenceNo: reference });
  const [passages, said, deskUid, isBeingPutIn] = await Promise.all([
    withEvents(parts, shipments.shipments),
    saidOf(parts, reference, shipments.shipments),
    deskAccount(parts),
    beingPutIn(parts, shipments.shipments),
  ]);
  const found = { ...shipments, unread: [...shipments.unread, ...said.unread] };
  const history = historyOf(passages, said.settled, {
    isComplete: found.isComplete,
    deskUid,
    isBeingPutIn,
  });
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

/** What people have said of it while no process waited for it. */
async function saidOf(
  parts: Parts,
  reference: string,
  shipments: readonly ShipmentShown[],
): Promise<{ readonly settled: readonly SettledItem[]; readonly unread: readonly string[] }> {
  const read = () => callTemporal(parts, () => settledOf(parts, reference, shipments));
  try {
    const settled = await parts.shared.of(`what was said of ${reference}`, SHARED_MS, read);
    return { settled, unread: [] };
  } catch (error) {
    if (!commandErrorOf(error)) throw error;
    return { settled: [], unread: [t`whether somebody has said what became of it`] };
  }
}

/** The shipment that was to bring it back may not have its reference: then its case knows it. */
async function settledOf(
  { client, taskQueue }: Parts,
  reference: string,
  shipments: readonly ShipmentShown[],
): Promise<readonly SettledItem[]> {
  const own = shipments.map(({ shipmentUid }) => shipmentUid);
  const query = isSearchable(reference) ? flowQuery({ item: reference, closed: true }, taskQueue) : null;
  const cases = query === null ? [] : (await foundPage(client, query, { size: MAX_CASES })).flows;
  const uids = [...own, ...cases.filter(isAboutAlone(reference)).flatMap((each) => each.shipmentUids)];
  return (await itemsOutOf(client, [...new Set(uids)].slice(0, UIDS_PER_QUERY))).settled;
}

/** Of a case about several items nobody knows which of its shipments was to bring this one back. */
const isAboutAlone =
  (reference: string) =>
  ({ subjects, workflowId }: FoundFlow): boolean =>
    itemsIn(subjects).every((each) => each === reference || isOfLeg(each, workflowId));

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
