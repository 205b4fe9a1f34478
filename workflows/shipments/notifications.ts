// The events that a shipment flow sends to its parent workflow, and the notifications that its start asked for by `tell`.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { notificationRequestIn } from '../../flows/booking/notification-request.ts';
import { legResult } from '../../flows/booking/settlement.ts';
import { type FlowView, openDeadlines } from '../../flows/booking/view.ts';
import { endIn, type Notification, notification } from '../event-delivery.ts';

type ViewOf = (snapshot: AnyMachineSnapshot) => FlowView;

/** Types: `<role>.<StateCode>`, `<role>.overdue`, `needsPerson`; null for `before` at the start. */
export function parentEvents(before: FlowView | null, now: FlowView): EventObject[] {
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
      stage,
      until: new Date(until).toISOString(),
    }));
  const isStuck = now.phase === 'NeedsPerson' && before?.phase !== 'NeedsPerson';
  const stuck = isStuck
    ? [{ type: 'needsPerson', waitingFor: now.waitingFor.map(({ words }) => words) }]
    : [];
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
  viewOf: ViewOf,
): Notification[] {
  const { known } = viewOf(now);
  const { input, flow: name, version } = known.start;
  const tell = notificationRequestIn(input);
  if (!tell) return [];
  const made = (type: string, data: unknown) => notification(tell, { name, version }, type, data);
  const earlier = before && viewOf(before);
  const reminders = known.reminded.slice(earlier?.known.reminded.length ?? 0);
  const happened = parentEvents(earlier, viewOf(now)).flatMap(({ type, ...data }) => {
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
