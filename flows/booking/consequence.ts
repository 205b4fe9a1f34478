// What follows from a command to a process, as far as its end can be told: a copy of the process takes the command, and says what
// becomes of its bookings, and of all else that it has.
import type { AnyMachineSnapshot } from 'xstate';
import type {
  ChildEffect,
  Consequence,
  DeadlineMove,
  ItemOutEffect,
  ShipmentEffect,
  ShipmentEffectKind,
} from '../../contract/flows/actions.ts';
import type { DeadlineProgress } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { ItemLeft } from '../../contract/flows/flow-result.ts';
import { stateTitle } from '../../engine/chart/chart-view.ts';
import { aftersOf } from '../../engine/chart/messages.ts';
import { type CopiedCall, ProcessCopy } from '../../engine/copy.ts';
import type { Process } from '../../engine/process.ts';
import { endOf } from '../../engine/process-view.ts';
import { activeNodes } from '../../engine/stepper.ts';
import { timerHandles } from '../language/machine/incoming.ts';
import type { Invocation } from '../language/machine/machine-runtime.ts';
import type { ChangeReceiverInput, UndoInput, Undone } from './activities.ts';
import { doubtOf } from './booking.ts';
import { BOOK, type BookingSnapshot, BookingSnapshots } from './booking-state.ts';
import { itemsStillLeft } from './items-left.ts';
import { isInactive, type KnownShipment, shipmentOf, stateOf } from './known.ts';
import { bookingsIn, type OwnBooking } from './own-bookings.ts';
import { deadlinesOf } from './view.ts';

/** @param play does the command to the copy */
export function consequence(
  process: Process,
  play: (copy: ProcessCopy) => void,
  event: string | null = null,
): Consequence {
  const copy = new ProcessCopy(process);
  const before = bookingsIn(copy.process.chart.actors.view);
  play(copy);
  const effects = answered(copy, before);
  const bookings = changedBookings(before, copy).map(snapshotsOf);
  const { snapshot, isOpen, closing } = copy.process;
  const { activity, phase } = copy.process.progress() as ProcessProgress;
  const begun = isOpen ? copy.calls.filter(({ isNew, state }) => isNew && state === 'running') : [];
  const [booking] = bookingOutcomes.filter((each) => bookings.map(outcomeOf).includes(each));
  return {
    after: {
      ...(isOpen ? { activity, phase } : { activity: 'Ended', phase: null }),
      state: snapshot.value,
      ends: isOpen ? null : { ...endOf(closing), ...titleOfEnd(snapshot) },
    },
    isTaken: true,
    shipments: bookings.flatMap((each) => shipmentEffects(each, effects.on)),
    itemsLeft: newItemsLeft(before, bookingsIn(copy.process.chart.actors.view)),
    itemsOut: bookings.flatMap((each) => itemsGivenUp(each, effects.out)),
    deadlines: [...bookings.flatMap(movedDeadlines), ...movedTimers(process, copy.process)],
    children: copy.calls.flatMap((call) => childEffect(process, call, isOpen)),
    event,
    questions: begun.flatMap(questionOf),
    calls: begun.filter(({ kind }) => kind !== 'procedure').map(calledBy),
    ...(booking && { booking }),
  };
}

function titleOfEnd(snapshot: AnyMachineSnapshot): { readonly title?: string } {
  const final = activeNodes(snapshot).find(
    ({ type, parent }) => type === 'final' && parent === snapshot.machine.root,
  );
  const title = final ? stateTitle(final) : null;
  return title === null ? {} : { title };
}

/** A booking that the command has changed. */
interface ChangedBooking {
  readonly before: OwnBooking;
  readonly after: OwnBooking;
}

/** One whose state was left has another id then. */
function changedBookings(before: readonly OwnBooking[], { process }: ProcessCopy): ChangedBooking[] {
  const now = bookingsIn(process.chart.actors.view);
  return before.flatMap((booking) => {
    const after = now.find(({ state }) => state.known.start === booking.state.known.start);
    const isChanged = after && after.state !== booking.state && !booking.isEnded;
    return isChanged ? [{ before: booking, after }] : [];
  });
}

interface Snapshots {
  /** What says which one is meant, where a process may have several. */
  readonly id: { readonly booking?: string };
  readonly before: BookingSnapshot;
  readonly after: BookingSnapshot;
}

function snapshotsOf({ before, after }: ChangedBooking): Snapshots {
  const snapshots = new BookingSnapshots();
  const [was, is] = [snapshots.of(before.state), snapshots.of(after.state)];
  return { id: is.isWhole ? {} : { booking: before.id }, before: was, after: is };
}

interface Effects {
  readonly on: Map<string, ShipmentEffectKind>;
  /** The shipments whose items somebody has when they are undone. */
  readonly out: Set<string>;
}

// A chart that begins the same call again and again must not hold up whoever asks.
const MAX_ANSWERS = 100;

/**
 * Lets the calls answer whose answer is known before, and fails those that are asked to end early; what begins anew is not played.
 * What comes of an attempt to book is not known.
 */
function answered(copy: ProcessCopy, before: readonly OwnBooking[]): Effects {
  const effects: Effects = { on: new Map(), out: new Set() };
  const isChanged = (shipmentUid: string) =>
    changedBookings(before, copy).some(({ after }) => shipmentOf(after.state.known, shipmentUid));
  const isToAnswer = (call: CopiedCall) => {
    if (call.state !== 'running') return false;
    const uids = uidsOf(call);
    return uids ? call.isNew || uids.some(isChanged) : call.isCancelled && call.type !== BOOK;
  };
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const call = copy.calls.find(isToAnswer);
    if (!call) break;
    if (call.type === 'undo') undo(copy, call, effects);
    else if (call.type === 'changeReceiver') {
      const { shipmentUid, toUserUid } = call.input as ChangeReceiverInput;
      // One that is under way already is no consequence.
      if (call.isNew) effects.on.set(shipmentUid, toUserUid === null ? 'ReceiverRemoved' : 'ReceiverSet');
      copy.answer(call, undefined);
    } else copy.endEarly(call);
  }
  return effects;
}

/** The shipments that a call of a booking changes; undefined: it changes none. */
function uidsOf({ type, input }: CopiedCall): readonly string[] | undefined {
  if (type === 'changeReceiver') return [(input as ChangeReceiverInput).shipmentUid];
  return type === 'undo' ? (input as UndoInput).shipments.map(({ shipmentUid }) => shipmentUid) : undefined;
}

function undo(copy: ProcessCopy, call: CopiedCall, { on, out }: Effects): void {
  const { shipments } = call.input as UndoInput;
  for (const shipment of shipments) {
    on.set(shipment.shipmentUid, effectOfUndoing(shipment));
    if (shipment.isItemOut) out.add(shipment.shipmentUid);
  }
  copy.answer(call, { shipments: shipments.map(undoneAs) } satisfies Undone);
  const stateStart = new Date(copy.process.host.now()).toISOString();
  for (const { shipmentUid } of shipments.filter((each) => effectOfUndoing(each) === 'Cancelled'))
    copy.do((copied) => copied.signal('shipmentStatus', { shipmentUid, stateCode: 'Cancelled', stateStart }));
}

/** As the activity does it. */
function effectOfUndoing({ isIssuedFromStock, stateCode }: UndoInput['shipments'][number]) {
  if (!isIssuedFromStock || stateCode === 'ReadyForPickup') return 'Cancelled';
  return stateCode === null ? 'ReceiverRemovedOrCancelled' : 'ReceiverRemoved';
}

function undoneAs(shipment: UndoInput['shipments'][number]): Undone['shipments'][number] {
  const undone = effectOfUndoing(shipment) === 'Cancelled' ? 'Cancelled' : 'ReceiverRemoved';
  return { shipmentUid: shipment.shipmentUid, undone, stateCode: null, error: null };
}

function shipmentEffects({ id, before, after }: Snapshots, undone: Effects['on']): ShipmentEffect[] {
  const { place, known } = after.view;
  const isUndone = place === 'ended' || place === 'undoing' || place === 'stuck';
  const effectOn = ({ shipmentUid }: KnownShipment): ShipmentEffectKind | undefined => {
    const was = shipmentOf(before.view.known, shipmentUid);
    const now = shipmentOf(known, shipmentUid);
    const effect = undone.get(shipmentUid);
    // What is undone of one that it has passed on is another booking's.
    if (effect && !was?.isSuperseded) return effect;
    if (!was) return 'Adopted';
    if (!now) return 'Released';
    if (was.stateCode !== now.stateCode || was.contradiction !== now.contradiction) return 'StateSet';
    return isUndone && !isInactive(now) ? 'Stays' : undefined;
  };
  const all = [
    ...before.view.known.shipments,
    ...known.shipments.filter((each) => !shipmentOf(before.view.known, each.shipmentUid)),
  ];
  return all.flatMap((shipment) => {
    const effect = effectOn(shipment);
    const { shipmentUid, role, pupUid, lockerName } = shipmentOf(known, shipment.shipmentUid) ?? shipment;
    const stateCode = stateOf(shipment);
    return effect ? [{ ...id, shipmentUid, role, effect, stateCode, pupUid, lockerName }] : [];
  });
}

function newItemsLeft(before: readonly OwnBooking[], after: readonly OwnBooking[]): ItemLeft[] {
  const snapshots = new BookingSnapshots();
  const leftBy = (bookings: readonly OwnBooking[]) =>
    itemsStillLeft(bookings.map(({ state }) => snapshots.of(state))).flat();
  const had = leftBy(before);
  return leftBy(after).filter(({ shipmentUid }) => !had.some((item) => item.shipmentUid === shipmentUid));
}

/** A person is asked what became of them, as their shipments are undone. */
const itemsGivenUp = ({ id, before }: Snapshots, out: ReadonlySet<string>): ItemOutEffect[] =>
  before.view.known.shipments.flatMap(({ role, shipmentUid }) =>
    role !== null && out.has(shipmentUid) ? [{ ...id, role, shipmentUid }] : [],
  );

function movedDeadlines({ id, before, after }: Snapshots): DeadlineMove[] {
  const [was, is] = [before, after].map(({ flow, view }) => byName(deadlinesOf(flow, view))) as [
    Deadlines,
    Deadlines,
  ];
  return [...new Map([...was, ...is])].flatMap(([name, { role, stage }]) => {
    const from = was.get(name)?.until ?? null;
    const until = is.get(name)?.until ?? null;
    const ahead = is.get(name)?.ahead;
    return from === until ? [] : [{ ...id, role, stage, timer: null, from, until, ...(ahead && { ahead }) }];
  });
}

type Deadlines = ReadonlyMap<string, DeadlineProgress>;

const byName = (deadlines: readonly DeadlineProgress[]): Deadlines =>
  new Map(deadlines.map((deadline) => [`${deadline.role}.${deadline.stage}`, deadline]));

/** A process that has ended waits for nothing. */
function movedTimers(before: Process, after: Process): DeadlineMove[] {
  const was = untilByTimer(before);
  const is = after.isOpen ? untilByTimer(after) : new Map<string, string>();
  const names = new Map([...timerNamesOf(after), ...timerNamesOf(before)]);
  const afters = aftersOf(before.snapshot.machine);
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id) => {
    const [from, until] = [was.get(id) ?? null, is.get(id) ?? null];
    const state = afters.get(id)?.node.path.join('.');
    const timer = names.get(id) ?? id;
    return from === until
      ? []
      : [{ role: null, stage: null, timer, ...(state !== undefined && { state }), from, until }];
  });
}

const timerNamesOf = ({ timers, snapshot }: Process) => timerHandles(timers.open, snapshot.machine);

const untilByTimer = ({ timers }: Process): Map<string, string> =>
  new Map(
    timers.open.flatMap(({ id, of, dueAt }) =>
      of === undefined ? [[id, new Date(dueAt).toISOString()] as const] : [],
    ),
  );

/** Of several, the one that a person must know first. */
const bookingOutcomes = ['MayStayBooked', 'MayBookTwice', 'BooksAgain', 'UndoneOnceKnown'] as const;

/** What becomes of a booking that is under way or in doubt. */
function outcomeOf({ before, after }: Snapshots): Consequence['booking'] {
  const { place, known } = before.view;
  if (place !== 'booking' && place !== 'bookingUnknown') return undefined;
  if (after.view.place === 'ended') return 'MayStayBooked';
  if (place === 'bookingUnknown' && after.view.place === 'booking')
    return doubtOf(known).retryMayBookTwice === false ? 'BooksAgain' : 'MayBookTwice';
  return after.view.known.undoing ? 'UndoneOnceKnown' : undefined;
}

function childEffect({ calls }: Process, call: CopiedCall, isOpen: boolean): ChildEffect[] {
  const { id, kind, type: flow, isNew, isCancelled, state } = call;
  const isEnded = isCancelled || (!isOpen && state === 'running');
  if (kind !== 'childWorkflow' || isNew || !isEnded) return [];
  const key = calls.view.find((each) => each.id === id)?.workflowId ?? null;
  return [{ id, flow, key, effect: 'Cancelled' }];
}

function questionOf({ id, kind, input }: CopiedCall): { id: string; of: string }[] {
  const { of } = ((input as Invocation).input ?? {}) as { readonly of?: unknown };
  return kind === 'procedure' ? [{ id, of: String(of) }] : [];
}

/** The operation, the flow or the connector; of a booking, its activity. */
function calledBy({ type, input }: CopiedCall): string {
  const { src = type, input: given } = input as Partial<Invocation>;
  const { connector } = (given ?? {}) as { readonly connector?: unknown };
  return src === 'call' && typeof connector === 'string' ? connector : src;
}
