// What the bookings of a flow file (`src: book`) add to the definition of its processes: their messages and commands, and what
// people see of them.
import type { AnyMachineSnapshot } from 'xstate';
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { ChartView } from '../../engine/chart/chart-view.ts';
import { type Command, notPossible } from '../../engine/commands.ts';
import type {
  Definition,
  Ending,
  InlineActorView,
  MessageEvent,
  MigrationRequest,
  PendingWork,
  ProcessStart,
  SearchAttributes,
} from '../../engine/definition.ts';
import type { Process } from '../../engine/process.ts';
import { type FlowFile, invokeIdOf, invokesIn, listOf, statesIn } from '../language/flow-file.ts';
import { eachOf } from '../language/machine/each.ts';
import { bookingSignals } from './booking-actor.ts';
import {
  BOOK,
  type BookingSnapshot,
  BookingSnapshots,
  type BookingState,
  type BookingTerms,
  begunBooking,
  declarationOf,
  withTerms,
} from './booking-state.ts';
import { bookingCommands } from './commands.ts';
import { details } from './details.ts';
import { type FlowContext, shipmentOf } from './known.ts';
import { type DrawnBooking, withActiveLegs, withLegs } from './leg-chart.ts';
import { fieldsOf, reportIn } from './messages.ts';
import { finalChanges } from './migration.ts';
import { bookingAttributes, bookingProgress } from './progress.ts';
import { bookingUpdates } from './refusals.ts';

type FileDefinition = Omit<Definition, 'outbox'>;

/** A booking of a process. */
interface OwnBooking {
  readonly id: string;
  readonly state: BookingState;
  readonly isEnded: boolean;
}

const bookingsIn = (actors: readonly InlineActorView[] = []): OwnBooking[] =>
  actors.flatMap(({ id, name, state, isEnded = false }) =>
    name === BOOK ? [{ id, state: state as BookingState, isEnded }] : [],
  );

interface BookingInvoke {
  readonly id: string;
  readonly terms: BookingTerms;
}

/** Where the file books; of an `each`, what each of its items books. */
const bookingInvokesIn = (file: FlowFile): BookingInvoke[] =>
  invokesIn(file).flatMap(({ id, invoke }) => {
    const { src, input } = eachOf(invoke)?.do ?? invoke;
    return src === BOOK ? [{ id, terms: input as unknown as BookingTerms }] : [];
  });

const termsOf = (file: FlowFile): BookingTerms[] => bookingInvokesIn(file).map(({ terms }) => terms);

export const hasBookings = (file: FlowFile): boolean => termsOf(file).length > 0;

/** Its booking is the whole process: its input, its result and its answers are those of the booking. */
const isWhole = (file: FlowFile): boolean => termsOf(file).some((terms) => terms.isWhole === true);

export function withBookings<Given extends FileDefinition>(
  given: Given,
  file: FlowFile,
  snapshots: BookingSnapshots = new BookingSnapshots(),
): Given {
  if (!hasBookings(file)) return { ...given, ...withoutShipments(given) };
  const messages = { ...bookingSignals, ...bookingUpdates };
  const added: Partial<Definition> = {
    signals: { ...given.signals, ...bookingSignals },
    updates: { ...given.updates, ...bookingUpdates },
    actorMessages: Object.keys(messages),
    event: (message) => (Object.hasOwn(messages, message.type) ? message : (given.event?.(message) ?? null)),
    notAccepted: reportForOthers,
    isOurs: (_snapshot, message, actors) => isOurs(message, actors),
    commands: (process) => [
      ...bookingsIn((process as Process).chart.actors.view)
        .filter(({ state, isEnded }) => !isEnded || state.terms.isWhole)
        .flatMap((booking) => commandsOf(booking, process as Process, snapshots)),
      ...(given.commands?.(process) ?? []),
    ],
    chart: (view) => chartWithLegs(view, file),
    position: (position, actors) => withActiveLegs(position, drawnIn(actors, file)),
    ...(given.migrates && {
      migrates: (request, now, actors) => migrated(given, request, now, actors),
    }),
  };
  return {
    ...given,
    ...added,
    ...(isWhole(file) ? ofWhole(given, file, snapshots) : besideOthers(given, file, snapshots)),
  };
}

/** Callbacks come by their case number, which may be the key of any process: what is not its own goes to who follows the shipment. */
export const withoutShipments = ({ signals, event }: Pick<Definition, 'signals' | 'event'>) =>
  ({
    signals: {
      ...signals,
      shipmentStatus: 'A shipment with the key of the process as its case number has changed its state',
    },
    ...(event && { event: (message) => (message.type === 'shipmentStatus' ? message : event(message)) }),
    actorMessages: ['shipmentStatus'],
    notAccepted: reportForOthers,
    isOurs: (_snapshot, { type }) => type !== 'shipmentStatus',
  }) satisfies Partial<Definition>;

const reportForOthers = ({ type, payload }: MessageEvent): ShipmentReport | undefined =>
  type === 'shipmentStatus' ? (reportIn(payload, Date.now()) ?? undefined) : undefined;

/** What the only booking of a process says is what the process says. */
function ofWhole(given: FileDefinition, file: FlowFile, snapshots: BookingSnapshots): Partial<Definition> {
  const first = (pending?: PendingWork) => bookingsIn(pending?.actors)[0]?.state;
  return {
    progress: (snapshot, late, pending, asked) => {
      const own = given.progress(snapshot, late, pending, asked) as ProcessProgress;
      const [booking] = bookingsIn(pending?.actors);
      if (!booking) return own;
      const said = wholeProgress(booking.id, snapshots.of(booking.state), late);
      const decisions = own.waitingFor.filter(({ kind }) => kind === 'decision');
      return {
        ...own,
        ...said,
        waitingFor: [...decisions, ...said.waitingFor],
        ...(own.halted && { phase: 'NeedsPerson', activity: 'NeedsPerson' }),
      };
    },
    details: (snapshot, pending) => {
      const state = pending?.halted ? undefined : first(pending);
      return state ? details(snapshots.of(state)) : given.details(snapshot, pending);
    },
    searchAttributes: (snapshot, pending) => {
      const state = first(pending);
      if (pending?.halted || !state) return given.searchAttributes(snapshot, pending);
      return bookingAttributes(snapshots.of(state));
    },
    refusal: (_snapshot, { type }) => `${file.name}: it has no update ${type}`,
    // It tells its parent by itself.
    parentEvents: (before, now, halted) => (halted ? (given.parentEvents?.(before, now, halted) ?? []) : []),
    // A cancellation that comes when all is done leaves the result.
    ending: (snapshot, isCancelled, actors) =>
      given.ending?.(snapshot, isCancelled && snapshot.value !== 'done', actors) as Ending,
  };
}

function besideOthers(
  given: FileDefinition,
  file: FlowFile,
  snapshots: BookingSnapshots,
): Partial<Definition> {
  return {
    extension: (payload, open) => {
      const { timer, role, booking } = fieldsOf(payload);
      if (timer !== undefined || role === undefined)
        return given.extension?.(payload, open) ?? notPossible('timer is missing');
      const ids = bookingInvokesIn(file).map(({ id }) => id);
      const which = booking === undefined ? 'no booking runs' : `booking is ${JSON.stringify(booking)}`;
      return notPossible(`${which}, expected one that runs, of ${ids.join(', ')}`);
    },
    progress: (snapshot, late, pending, asked) => {
      const own = given.progress(
        snapshot,
        late,
        pending && besideBookings(pending),
        asked,
      ) as ProcessProgress;
      const all = bookingsIn(pending?.actors).map(({ id, state }) => ({ id, snapshot: snapshots.of(state) }));
      const waits = all.flatMap(({ id, snapshot: { view } }) =>
        view.waitingFor.map((each) => ({ ...each, booking: id })),
      );
      const phases = [own.phase, ...all.map(({ snapshot: { view } }) => view.phase)];
      const urgent = (['NeedsPerson', 'Overdue'] as const).find((each) => phases.includes(each));
      return {
        ...own,
        ...(own.phase !== null && urgent && { phase: urgent }),
        waitingFor: [...own.waitingFor, ...waits].sort((one, other) => rankOf(one) - rankOf(other)),
        bookings: all.map(({ id, snapshot: of }) =>
          bookingProgress({ id, isWhole: false }, of, reportsIn(late).filter(isOf(of.view.known))),
        ),
      };
    },
    details: (snapshot, pending) =>
      [
        given.details(snapshot, pending && besideBookings(pending)),
        ...bookingsIn(pending?.actors).map(({ state }) => details(snapshots.of(state))),
      ].join('\n\n'),
    searchAttributes: (snapshot, pending) => {
      const own = given.searchAttributes(snapshot, pending) ?? {};
      const found = bookingsIn(pending?.actors).flatMap(({ state }) => {
        const attributes = bookingAttributes(snapshots.of(state));
        return attributes ? [attributes] : [];
      });
      return joined(own, found);
    },
  };
}

/** What a booking waits for in time and by calls it says itself, in its own words. */
function besideBookings(pending: PendingWork): PendingWork {
  const ids = new Set(bookingsIn(pending.actors).map(({ id }) => id));
  const isBeside = ({ of }: { readonly of?: string }) => of === undefined || !ids.has(of);
  return { ...pending, timers: pending.timers.filter(isBeside), calls: pending.calls.filter(isBeside) };
}

/** Of several bookings: all shipments, the most urgent phase, and else what the one says that was booked last. */
function joined(own: SearchAttributes, found: readonly SearchAttributes[]): SearchAttributes {
  const uids = found.flatMap(({ LockerShipmentUids = [] }) => LockerShipmentUids as readonly string[]);
  const phases = [own, ...found].map(({ LockerPhase }) => LockerPhase);
  const phase = ['NeedsPerson', 'Overdue'].find((each) => phases.includes(each));
  const bookedAt = ({ LockerBookedAt }: SearchAttributes) => Number(LockerBookedAt ?? 0);
  return {
    ...Object.assign({}, ...found.toSorted((one, other) => bookedAt(one) - bookedAt(other))),
    ...own,
    ...(uids.length > 0 && { LockerShipmentUids: uids }),
    ...(phase !== undefined && { LockerPhase: phase }),
  };
}

const isOf =
  (known: FlowContext) =>
  ({ shipmentUid }: ShipmentReport): boolean =>
    shipmentOf(known, shipmentUid) !== undefined;

const rankOf = ({ kind }: WaitingFor): number => (kind === 'decision' ? 0 : 1);

const reportsIn = (late: readonly unknown[]) => late.flatMap((one) => reportIn(one, Date.now()) ?? []);

/** What the process says of itself is what its one booking says. */
function wholeProgress(id: string, snapshot: BookingSnapshot, late: readonly unknown[]) {
  const booking = bookingProgress({ id, isWhole: true }, snapshot, reportsIn(late));
  const { id: _, isWhole: __, ...own } = booking;
  const { known, place, phase, waitingFor } = snapshot.view;
  return {
    version: known.start.version,
    phase: place === 'ended' ? null : phase,
    waitingFor,
    ...own,
    bookings: [booking],
  };
}

/** What a process whose booking is the whole of it answers before it begins. */
export function progressAtStart(file: FlowFile, start: ProcessStart, now: number) {
  const [terms] = invokesIn(file).filter(
    ({ invoke }) => (invoke.input as { isWhole?: unknown } | undefined)?.isWhole === true,
  );
  if (!terms) return undefined;
  const state = begunBooking(terms.invoke.input as unknown as BookingTerms, [], start, now);
  return { flow: file.name, ...wholeProgress(terms.id, new BookingSnapshots().of(state), []) };
}

/**
 * A report that names no shipment is not handed to another process. One that others wait for too is theirs: this process has
 * ended.
 */
function isOurs({ type, payload }: MessageEvent, actors: readonly InlineActorView[]): boolean {
  const report = type === 'shipmentStatus' ? reportIn(payload, Date.now()) : null;
  if (!report) return true;
  const found = bookingsIn(actors).flatMap(({ state }) => shipmentOf(state.known, report.shipmentUid) ?? []);
  return found.length > 0 && found.every(({ passedOnTo }) => passedOnTo === undefined);
}

function commandsOf({ id, state }: OwnBooking, process: Process, snapshots: BookingSnapshots): Command[] {
  const stateIn = ({ chart }: Process) =>
    bookingsIn(chart.actors.view).find((each) => each.id === id)?.state ?? state;
  return bookingCommands(id, process, (each) => snapshots.of(stateIn(each)));
}

/** The index of an item, in the id of its booking. */
const ITEM = /\.\d+$/;

/** Each booking goes on by the terms that the next version of the file has for it. */
function migrated(
  given: FileDefinition,
  request: MigrationRequest,
  now: AnyMachineSnapshot,
  actors: readonly InlineActorView[],
): ReturnType<NonNullable<Definition['migrates']>> {
  const target = (given.migrates as NonNullable<Definition['migrates']>)(request, now, actors);
  const { file } = request.to as { readonly file: FlowFile };
  const next = new Map(bookingInvokesIn(file).map(({ id, terms }) => [id, terms] as const));
  const actor = (id: string, state: unknown) => {
    const isBooking = bookingsIn(actors).some((each) => each.state === state);
    const terms = isBooking ? (next.get(id) ?? next.get(id.replace(ITEM, ''))) : undefined;
    return terms ? withTerms(state as BookingState, terms, target.version) : state;
  };
  const changes = bookingsIn(actors)
    .filter(({ isEnded }) => !isEnded)
    .flatMap(({ id, state }) =>
      finalChanges(id, state, actor(id, state) as BookingState, target.plan.states ?? {}),
    );
  return { ...target, obstacles: [...(target.obstacles ?? []), ...changes], actor };
}

/** Where the file books. A state that has states of its own is not drawn with legs. */
function drawnBookings(file: FlowFile): DrawnBooking[] {
  return statesIn(file)
    .filter(({ state }) => !state.states)
    .flatMap(({ state, keys }) =>
      listOf(state.invoke).flatMap((invoke, index) => {
        if (invoke.src !== BOOK) return [];
        const flow = declarationOf(invoke.input as unknown as BookingTerms, file.name);
        return [{ at: keys.join('.'), id: invokeIdOf(invoke, keys, index), flow }];
      }),
    );
}

const drawnIn = (actors: readonly InlineActorView[], file: FlowFile) =>
  bookingsIn(actors).flatMap(({ id, state, isEnded }) =>
    drawnBookings(file).flatMap((each) => (each.id === id && !isEnded ? [{ ...each, state }] : [])),
  );

export const chartWithLegs = (view: ChartView, file: FlowFile): ChartView =>
  withLegs(view, drawnBookings(file));
