// What a step of a booking tells: its file, by the events that this listens for; and, where it is the whole process, the parent
// workflow and whom the start asks to be notified.
import type { EventObject } from 'xstate';
import type { LegResult } from '../../contract/flows/flow-result.ts';
import { matchesAny } from '../../engine/chart/messages.ts';
import type { Emitted } from '../../engine/definition/outgoing-rules.ts';
import type { BookingSnapshots, BookingState } from './booking-state.ts';
import type { Extension } from './deadlines.ts';
import { type Notification, notification, notificationRequestIn } from './notification-request.ts';
import { legResult } from './settlement.ts';
import { type FlowView, openDeadlines } from './view.ts';

interface StateEvent extends EventObject, LegResult {
  /** The end of the deadline that begins with the state. */
  readonly until: string | null;
}

interface DeadlineOf {
  readonly stage: Extension['stage'];
  /** Null: there is none any more. */
  readonly until: string | null;
}

interface Told {
  /** For the chart of its file. */
  readonly events: readonly EventObject[];
  /** For parent and outside. */
  readonly emitted: readonly (Emitted | Notification)[];
}

/** @param before null: it has just begun */
export function bookingEvents(
  id: string,
  before: BookingState | null,
  now: BookingState,
  {
    moved,
    snapshots,
  }: {
    /** The deadline that a person has moved. */
    readonly moved: Extension | undefined;
    readonly snapshots: BookingSnapshots;
  },
): Told {
  if (before === now) return { events: [], emitted: [] };
  const told = changes(before && snapshots.of(before).view, snapshots.of(now).view);
  return {
    events: [...told, ...(moved ? [movedEvent(moved)] : [])]
      .filter(({ type }) => matchesAny(type, now.subscriptions))
      .map((event) => ({ ...event, type: `${id}.${event.type}` })),
    emitted: now.terms.isWhole
      ? [...told.map((event) => ({ type: 'toParent', event }) as const), ...notifications(before, now, told)]
      : [],
  };
}

const movedEvent = ({ role, stage, until }: Extension): EventObject & DeadlineOf => ({
  type: `${role}.deadlineMoved`,
  stage,
  until: endText(until),
});

const endText = (until: number | null): string | null =>
  until === null ? null : new Date(until).toISOString();

/** Types: `<role>.<StateCode>`, `<role>.overdue`, `needsPerson`. */
function changes(before: FlowView | null, now: FlowView): EventObject[] {
  const states = now.legs.flatMap(({ role, state, shipment, deadline }, index): StateEvent[] =>
    shipment && state !== before?.legs[index]?.state
      ? [{ type: `${role}.${state}`, ...legResult(shipment), until: endText(deadline?.until ?? null) }]
      : [],
  );
  const passedBefore = new Set(before ? passedIn(before).map(keyOf) : []);
  const overdue = passedIn(now)
    .filter((deadline) => !passedBefore.has(keyOf(deadline)))
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

type Deadline = ReturnType<typeof openDeadlines>[number];

const passedIn = (view: FlowView): Deadline[] => openDeadlines(view).filter(({ passed }) => passed);

/** An extended deadline may pass again. */
const keyOf = ({ role, stage, until }: Deadline): string => [role, stage, until].join();

function notifications(
  before: BookingState | null,
  { known }: BookingState,
  told: readonly EventObject[],
): Notification[] {
  const tell = notificationRequestIn(known.start.input);
  if (!tell) return [];
  const reminders = known.reminded.slice(before?.known.reminded.length ?? 0);
  return [
    ...reminders.map((reminder) => notification(tell, 'reminder', reminder)),
    ...told.flatMap(({ type, ...data }) => {
      if (type === 'needsPerson')
        return tell.events.includes('needsPerson') ? [notification(tell, type, data)] : [];
      const [role, what] = type.split('.');
      return what === 'overdue' && tell.events.includes('overdue')
        ? [notification(tell, what, { role, ...data })]
        : [];
    }),
  ];
}
