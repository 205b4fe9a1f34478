// What other systems hear of the steps of a shipment flow: its parent workflow, if that listens, and the outside, where its
// start asked for it by `tell`.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { endIn, type Notification, notification, tellIn } from '../notifications.ts';
import { openDeadlines, type Picture } from './picture.ts';
import { legResult } from './settlement.ts';

type PictureOf = (snapshot: AnyMachineSnapshot) => Picture;

/** Types: `<role>.<StateCode>`, `<role>.overdue`, `needsPerson`; null for `before` at the start. */
export function parentEvents(before: Picture | null, now: Picture): EventObject[] {
  const states = now.legs.flatMap(({ role, state, shipment }, index): EventObject[] =>
    shipment && state !== before?.legs[index]?.state
      ? [{ type: `${role}.${state}`, ...legResult(shipment) }]
      : [],
  );
  const passedBefore = new Set(
    before &&
      openDeadlines(before)
        .filter(({ passed }) => passed)
        .map(keyOf),
  );
  const overdue = openDeadlines(now)
    .filter((deadline) => deadline.passed && !passedBefore.has(keyOf(deadline)))
    .map(({ role, stage, until }) => ({
      type: `${role}.overdue`,
      ...{ stage, until: new Date(until).toISOString() },
    }));
  const isStuck = now.phase === 'NeedsPerson' && before?.phase !== 'NeedsPerson';
  const stuck = isStuck ? [{ ...{ type: 'needsPerson', awaits: [...now.awaits] } }] : [];
  return [...states, ...overdue, ...stuck];
}

/** An extended deadline may pass again. */
const keyOf = ({
  role,
  stage,
  until,
}: {
  readonly role: string;
  readonly stage: string;
  readonly until: number;
}) => [role, stage, until].join();

/** Types: `flow.reminder`, `flow.overdue`, `flow.needsPerson`, `flow.ended`. */
export function notifications(
  before: AnyMachineSnapshot | null,
  now: AnyMachineSnapshot,
  pictureOf: PictureOf,
): Notification[] {
  const { known } = pictureOf(now);
  const { input, flow: name, version } = known.start;
  const tell = tellIn(input);
  if (!tell) return [];
  const made = (type: string, data: unknown) => notification(tell, { name, version }, type, data);
  const earlier = before && pictureOf(before);
  const reminders = (known.reminded ?? []).slice(earlier?.known.reminded?.length ?? 0);
  const happened = parentEvents(earlier, pictureOf(now)).flatMap(({ type, ...data }) => {
    if (type === 'needsPerson') return tell.events.includes('needsPerson') ? [made(type, data)] : [];
    const [role, word] = type.split('.');
    return word === 'overdue' && tell.events.includes('overdue') ? [made(word, { role, ...data })] : [];
  });
  const end = endIn(tell, before, now);
  return [
    ...reminders.map((reminder) => made('reminder', reminder)),
    ...happened,
    ...(end ? [made('ended', end)] : []),
  ];
}
