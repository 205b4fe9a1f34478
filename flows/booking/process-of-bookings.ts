// What the bookings of a flow file (`src: book`) add to the definition of its processes.
import type { AnyMachineSnapshot } from 'xstate';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { Command } from '../../engine/commands.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import type { MessageEvent, MessageRules } from '../../engine/definition/message-rules.ts';
import type { MigrationRequest } from '../../engine/definition/migration-request.ts';
import type { InlineActorView } from '../../engine/definition/views.ts';
import type { Process } from '../../engine/process.ts';
import { calendarsOf } from '../language/calendar.ts';
import { type FlowFile, subscribedEvents } from '../language/flow-file.ts';
import { itemSubscriptions } from '../language/machine/each-data.ts';
import { bookingSignals } from './booking-actor.ts';
import { BookingSnapshots, type BookingState, withTerms } from './booking-state.ts';
import { bookingCommands } from './commands.ts';
import { chartWithLegs, positionWithLegs } from './drawn-bookings.ts';
import { shipmentOf } from './known.ts';
import { reportIn, shipmentUidIn } from './messages.ts';
import { finalChanges, keptDeadlines } from './migration.ts';
import {
  type BookingInvoke,
  bookingInvokesIn,
  bookingsIn,
  eachOfItem,
  latestWholeAmong,
  wholeAmong,
} from './own-bookings.ts';
import { bookingUpdates } from './refusals.ts';
import { withSeveralBookings } from './several-bookings.ts';
import { withWholeBooking } from './whole-booking.ts';

interface ProcessWithBookings {
  /** It may have bookings of a former version of its file, which are undone. */
  readonly isMigrated?: boolean;
  readonly snapshots?: BookingSnapshots;
}

export function withBookings(
  given: Definition,
  file: FlowFile,
  { isMigrated = false, snapshots = new BookingSnapshots() }: ProcessWithBookings = {},
): Definition {
  const invokes = bookingInvokesIn(file);
  if (invokes.length === 0 && !isMigrated) return { ...given, messages: withoutShipments(given.messages) };
  const { messages, views } = given;
  const bookingMessages = { ...bookingSignals, ...bookingUpdates };
  const booking: Definition = {
    ...given,
    messages: {
      ...messages,
      signals: { ...messages.signals, ...bookingSignals },
      updates: { ...messages.updates, ...bookingUpdates },
      forActors: Object.keys(bookingMessages),
      event: (message, named) =>
        Object.hasOwn(bookingMessages, message.type) ? message : (messages.event?.(message, named) ?? null),
      notAccepted: reportOf,
      isOurs: (_snapshot, message, actors) => isOurs(message, actors),
    },
    views: {
      ...views,
      chart: (view) => chartWithLegs(view, file),
      position: (position, actors) => positionWithLegs(position, actors, file),
    },
    commands: (process) => {
      const bookings = bookingsIn((process as Process).chart.actors.view);
      const whole = latestWholeAmong(bookings);
      const own = bookings
        .filter((each) => !each.isEnded || each === whole)
        .flatMap(({ id, state }) => bookingCommands(id, process as Process, snapshots.of(state)));
      return [...own, ...(given.commands?.(process) ?? []).filter((each) => !own.some(isInsteadOf(each)))];
    },
    ...(given.migrates && {
      migrates: (request, now, actors) => migrated(given, invokes, request, now, actors),
    }),
  };
  return wholeAmong(invokes)
    ? withWholeBooking(booking, file, snapshots)
    : withSeveralBookings(booking, invokes, snapshots);
}

/** Callbacks come by their case number, which may be the key of any process: what is not its own goes to who follows the shipment. */
export const withoutShipments = (given: MessageRules): MessageRules => ({
  ...given,
  signals: {
    ...given.signals,
    shipmentStatus: 'A shipment with the key of the process as its case number has changed its state',
  },
  event: (message, named) =>
    message.type === 'shipmentStatus' || !given.event ? message : given.event(message, named),
  forActors: ['shipmentStatus'],
  notAccepted: reportOf,
  isOurs: (_snapshot, { type }) => type !== 'shipmentStatus',
});

const reportOf = ({ type, payload }: MessageEvent, now: number): ShipmentReport | undefined =>
  type === 'shipmentStatus' ? (reportIn(payload, now) ?? undefined) : undefined;

/**
 * A report that names no shipment is not handed to another process. One that others wait for too is theirs: this process has
 * ended.
 */
function isOurs({ type, payload }: MessageEvent, actors: readonly InlineActorView[]): boolean {
  const shipmentUid = type === 'shipmentStatus' ? shipmentUidIn(payload) : null;
  if (!shipmentUid) return true;
  const found = bookingsIn(actors).flatMap(({ state }) => shipmentOf(state.known, shipmentUid) ?? []);
  return found.length > 0 && found.every(({ passedOnTo }) => passedOnTo === undefined);
}

/** The booking moves the deadlines of a process that has no timers of its own. */
const isInsteadOf = (given: Command) => (own: Command) =>
  own.booking === undefined && own.command === given.command && given.refusal() !== undefined;

/** Each booking goes on by the terms that the next version of the file has for it. */
function migrated(
  given: Definition,
  before: readonly BookingInvoke[],
  request: MigrationRequest,
  now: AnyMachineSnapshot,
  actors: readonly InlineActorView[],
): ReturnType<NonNullable<Definition['migrates']>> {
  const target = (given.migrates as NonNullable<Definition['migrates']>)(request, now, actors);
  const { version, plan } = target;
  const { file } = request.to as { readonly file: FlowFile };
  const calendars = calendarsOf(file.calendars);
  const next = bookingInvokesIn(file);
  const bookings = bookingsIn(actors);
  const actor = (id: string, state: unknown, of?: string) => {
    if (!bookings.some((each) => each.state === state)) return target.actor?.(id, state, of) ?? state;
    const invoke = invokeOf(of ?? id, next);
    if (!invoke) return state;
    const heard = subscribedEvents(file, invoke.id);
    const subscriptions = of === undefined ? heard : itemSubscriptions(heard);
    return withTerms(state as BookingState, { version, terms: invoke.terms, subscriptions, calendars });
  };
  const imageOf = (id: string) => plan.invokes?.[id] ?? id;
  const carried = bookings
    .filter(({ isEnded }) => !isEnded)
    .map(({ id, state }) => {
      const each = eachOfItem(id, actors);
      const [image, of] = each === undefined ? [imageOf(id)] : [id, imageOf(each)];
      const [was, is] = [invokeOf(each ?? id, before), invokeOf(of ?? image, next)];
      return { id, image, was, is, state, after: actor(image, state, of) as BookingState };
    });
  const changes = carried.flatMap(({ id, state, after }) =>
    finalChanges(id, state, after, plan.states ?? {}),
  );
  const kept = carried.flatMap(({ image, was, is, after }) =>
    was && is ? keptDeadlines(image, after, was.deadlines, is.deadlines) : [],
  );
  return {
    ...target,
    obstacles: [...(target.obstacles ?? []), ...changes],
    actor,
    notes: (invokes) => [...(target.notes?.(invokes) ?? []), ...kept],
  };
}

const invokeOf = (id: string, invokes: readonly BookingInvoke[]): BookingInvoke | undefined =>
  invokes.find((each) => each.id === id);
