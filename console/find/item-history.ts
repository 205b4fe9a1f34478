// Where an item is now, who had it, and how it came into lockers and out of them: by the changes of state of its shipments. Pure.
import { isInside } from '../../contract/wire/states.ts';
import type { BeingPutInAt } from '../../processes/views/being-put-in.ts';
import { type SettledItem, whoSettled } from '../../processes/views/items-out.ts';
import { t } from '../../shared/texts/text.ts';
import { EMPTIED } from '../process/door-rows.ts';
import { formatInside } from '../process/items-inside.ts';
import { inUtc } from './in-utc.ts';
import type { ItemView, ShipmentShown } from './person-view.ts';

export interface ShipmentEvent {
  readonly kind: string | null;
  readonly occurredAt: string | null;
  readonly stateCode: string | null;
  readonly operation: string | null;
  readonly outcome: string | null;
}

export interface ShipmentWithEvents {
  readonly shipment: ShipmentShown;
  /** Null: the service does not tell them; then the present state alone is known. */
  readonly events: readonly ShipmentEvent[] | null;
}

type History = Pick<ItemView, 'now' | 'holders' | 'movements'>;
type Movement = ItemView['movements'][number];

/** What one shipment says of the item. The moments are null where it did not come so far. */
interface Passage {
  readonly shipment: ShipmentShown;
  /** Somebody put it in, or a return whose item stays as stock came to its end. */
  readonly putInAt: string | null;
  readonly takenOutAt: string | null;
  /** It was cancelled with its item inside. */
  readonly leftAt: string | null;
  readonly fetchedAt: string | null;
}

/**
 * @param all the shipments of one item
 * @param said what people have said of it while no process waited for it, the oldest first
 * @param isComplete whether these are all of its shipments
 * @param isBeingPutIn of a locker whose door is open; absent: no door is known
 * @param deskUid the account of those who work here: what it receives, no person has
 */
export function historyOf(
  all: readonly ShipmentWithEvents[],
  said: readonly SettledItem[] = [],
  {
    isComplete = true,
    deskUid = null,
    isBeingPutIn = () => false,
  }: {
    readonly isComplete?: boolean;
    readonly deskUid?: string | null;
    readonly isBeingPutIn?: BeingPutInAt;
  } = {},
): History {
  const passages = all.map(passageOf);
  const putIns = passages.flatMap(({ putInAt }) => putInAt ?? []);
  const ends = [...putIns, ...said.map(({ at }) => at)];
  const holders = passages
    .flatMap(({ shipment: { shipmentUid, toUserUid }, takenOutAt }) =>
      toUserUid === null || toUserUid === deskUid || takenOutAt === null
        ? []
        : [{ shipmentUid, userUid: toUserUid, from: takenOutAt, until: firstAfter(ends, takenOutAt) }],
    )
    .sort((one, other) => other.from.localeCompare(one.from));
  const movements = [...passages.flatMap(movementsOf), ...said.map(saidOf)];
  movements.sort((one, other) => other.at.localeCompare(one.at));
  const now =
    nowOf(passages, holders, said.at(-1), { deskUid, isBeingPutIn }) ?? (isComplete ? notPutIn(all) : null);
  return { now, holders, movements };
}

const saidOf = (settled: SettledItem): Movement => ({
  shipmentUid: settled.shipmentUid,
  at: settled.at,
  words:
    settled.became === 'Back'
      ? t`Back, said by ${whoSettled(settled)}`
      : t`Written off by ${whoSettled(settled)}`,
  pupUid: null,
});

const firstAfter = (moments: readonly string[], at: string): string | null =>
  moments.filter((each) => each > at).sort()[0] ?? null;

function passageOf({ shipment, events }: ShipmentWithEvents): Passage {
  const { stateCode, stateStart } = shipment;
  const known = events ?? [
    { kind: 'StateChanged', occurredAt: stateStart, stateCode, operation: null, outcome: null },
  ];
  const changes = known.filter(({ kind, occurredAt }) => kind === 'StateChanged' && occurredAt !== null);
  const inside = changes.find((each) => isInside(each.stateCode));
  const completed = changes.find((each) => each.stateCode === 'Completed');
  const cancelled = changes.find((each) => each.stateCode === 'Cancelled');
  const emptied = known.find(({ operation, outcome }) => operation === EMPTIED && outcome === 'Success');
  // Without its earlier states, only that of a receiver says that it was taken out.
  const wasInside = inside !== undefined || (events === null && shipment.toUserUid !== null);
  return {
    shipment,
    putInAt: momentOf(inside ?? (wasInside ? undefined : completed)),
    takenOutAt: wasInside ? momentOf(completed) : null,
    leftAt: inside ? momentOf(cancelled) : null,
    fetchedAt: momentOf(emptied),
  };
}

const momentOf = (event: ShipmentEvent | undefined): string | null =>
  event?.occurredAt ? inUtc(event.occurredAt) : null;

function movementsOf({ shipment, putInAt, takenOutAt, fetchedAt }: Passage): Movement[] {
  const { shipmentUid, pupUid } = shipment;
  const locker = lockerOf(shipment);
  const moved = (at: string | null, words: string): Movement[] =>
    at === null ? [] : [{ shipmentUid, at, words, pupUid }];
  return [
    ...moved(putInAt, t`Put into ${locker}`),
    ...moved(takenOutAt, t`Taken out of ${locker}`).map((each) => ({ ...each, isTakenOut: true as const })),
    ...moved(fetchedAt, t`Fetched from ${locker}`),
  ];
}

const lockerOf = ({ lockerName }: ShipmentShown): string =>
  lockerName === null ? t`its locker` : t`locker ${lockerName}`;

const NOBODY = { isWithPerson: false, userUid: null, settled: null };

/** @param settled what a person has said of it last */
function nowOf(
  passages: readonly Passage[],
  holders: History['holders'],
  settled: SettledItem | undefined,
  { deskUid, isBeingPutIn }: { readonly deskUid: string | null; readonly isBeingPutIn: BeingPutInAt },
): ItemView['now'] {
  const here = passages.find(({ shipment }) => isInside(shipment.stateCode));
  if (here) {
    const words = formatInside(here.shipment, isBeingPutIn);
    return { words, pupUid: here.shipment.pupUid, ...NOBODY, since: here.putInAt };
  }
  const [last] = passages
    .map((passage) => ({ passage, at: latestOf(passage) }))
    .filter(({ at }) => at !== '')
    .sort((one, other) => other.at.localeCompare(one.at));
  if (settled && settled.at >= (last?.at ?? '')) {
    const { became, at } = settled;
    const words = became === 'Back' ? t`Back` : t`Written off`;
    return { words, pupUid: null, ...NOBODY, since: at, settled: { became, by: whoSettled(settled) } };
  }
  if (!last) return null;
  const { shipment, takenOutAt, leftAt, fetchedAt } = last.passage;
  if (leftAt !== null && fetchedAt === null)
    return { words: t`Left in ${lockerOf(shipment)}`, pupUid: shipment.pupUid, ...NOBODY, since: leftAt };
  if (fetchedAt === last.at)
    return {
      words: t`Fetched from ${lockerOf(shipment)}`,
      pupUid: shipment.pupUid,
      ...NOBODY,
      since: fetchedAt,
    };
  if (takenOutAt === last.at && deskUid !== null && shipment.toUserUid === deskUid)
    return {
      words: t`Brought back: the desk took it out of ${lockerOf(shipment)}`,
      pupUid: shipment.pupUid,
      ...NOBODY,
      since: takenOutAt,
    };
  const holder = holders.find(({ until, from }) => until === null && from === last.at);
  if (holder)
    return {
      words: t`Somebody has it`,
      pupUid: null,
      isWithPerson: true,
      userUid: holder.userUid,
      since: holder.from,
      settled: null,
    };
  return null;
}

/** Null: it was in a locker once, or that is not known of each of its shipments. */
function notPutIn(all: readonly ShipmentWithEvents[]): ItemView['now'] {
  const isKnown = all.length > 0 && all.every(({ events }) => events !== null);
  if (!isKnown || all.map(passageOf).some(({ putInAt }) => putInAt !== null)) return null;
  const isOver = all.every(({ shipment }) => shipment.hasEnded);
  const words = isOver ? t`It was never put into a locker` : t`Not put into a locker yet`;
  return { words, pupUid: null, ...NOBODY, since: null };
}

const latestOf = ({ putInAt, takenOutAt, leftAt, fetchedAt }: Passage): string =>
  [putInAt, takenOutAt, leftAt, fetchedAt]
    .flatMap((each) => each ?? [])
    .sort()
    .at(-1) ?? '';
