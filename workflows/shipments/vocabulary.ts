// What the names in the chart of a shipment flow mean: its guards, actions, delays, activities and functions. Each
// takes the known facts and the event, and gives the next known facts; the chart alone says when.
import { type AnyEventObject, assign, enqueueActions } from 'xstate';
import type { Booked, Undone } from '../../activities/flow-activities.ts';
import type { FlowInput, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { Emitted, MessageEvent, ProcessStart } from '../../driver/definition.ts';
import { type Declaration, rolesOf } from '../../flows/declaration.ts';
import { isStateCode } from '../../machines/chart.ts';
import type { Judgement } from '../../machines/observed.ts';
import type { Vocabulary } from '../chart-data.ts';
import { failureOf } from '../failure.ts';
import { bookInput, givenUp, isCancelled, isTimeOut, withBooking, withUnknownBooking } from './booking.ts';
import { book, changeReceiver, undo } from './calls.ts';
import {
  deadlineOf,
  delayUntil,
  type Extension,
  extension,
  stageOverdue,
  withExtension,
} from './deadlines.ts';
import {
  changeReceiverInput,
  type ResolveAction,
  receiverRefusal,
  resolved,
  resolveRefusal,
  withReceiverChange,
} from './decisions.ts';
import { isOfKeptBooked, observed, superseded } from './hearing.ts';
import {
  heldReports,
  type Known,
  type KnownShipment,
  nothingKnown,
  shipmentOf,
  shipmentWithRole,
} from './known.ts';
import { changedLegs, found, foundAndLost, type Raised } from './leg-news.ts';
import { reportIn, supersededIn } from './messages.ts';
import { delayOfReminder, withReminder } from './reminders.ts';
import { areOthersOver, ending, isSettled } from './settlement.ts';
import { isUndone, isUndoneAndTold, nextTryOfUndoing, undoInput, withUndone } from './undoing.ts';

export function shipmentVocabulary(flow: Declaration): Vocabulary {
  return {
    guards: guards(flow),
    actions: { ...actionsOnKnown(flow), ...actionsOnLegs(flow), ...answers },
    delays: delays(flow),
    actors: { book, undo, changeReceiver },
    functions: functions(flow),
  };
}

interface Happening<Event = AnyEventObject> {
  readonly context: Known;
  readonly event: Event;
}
/** An activity that has answered, or has failed. */
type Answered<Output> = AnyEventObject & { readonly output: Output };
type Failed = AnyEventObject & { readonly error: unknown };
type Message = AnyEventObject & MessageEvent;
/** A report that was given to the leg of its shipment. */
type LegReport = AnyEventObject & { readonly report: ShipmentReport };
interface StageParams {
  readonly role: Role;
  readonly stage: Stage;
}

/** How often the flow itself checks a booking that timed out; then a person must. */
const BOOKING_ATTEMPTS = 3;

function guards(flow: Declaration) {
  return {
    isWorthAnotherLook: ({ context, event }: Happening<Failed>) =>
      isTimeOut(event.error) && (context.unknownBooking?.attempts ?? 0) < BOOKING_ATTEMPTS,
    isOutcomeUnknown: ({ event }: Happening<Failed>) =>
      isTimeOut(event.error) || failureOf(event.error).code === 'OutcomeUnknown',
    isCancelled: ({ context, event }: Happening<Failed>) =>
      isCancelled(event.error) || context.undoing !== null,
    isToBeUndone: ({ context }: Happening) =>
      context.undoing !== null && !context.receiverChange && !isSettled(flow, context),
    isOverUnassigned: ({ context }: Happening, { role }: { readonly role: Role }) =>
      !shipmentWithRole(context, role) && isSettled(flow, context),
    areOthersOver: ({ context }: Happening) => areOthersOver(flow, context),
    isUndone: ({ context }: Happening) => isUndone(flow, context),
    isUndoneAndTold: ({ context }: Happening) => isUndoneAndTold(flow, context),
    hasFailures: ({ context }: Happening) =>
      Object.keys(context.notUndone).length > 0 && !isUndone(flow, context),
    canChangeReceiver: ({ context, event }: Happening<Message>) =>
      receiverRefusal(flow, context, event) === null,
    canExtend: ({ context, event }: Happening<Message>) => extensionBy(flow, context, event) !== null,
    canExtendStage: ({ context, event }: Happening<Message>, { role, stage }: StageParams) => {
      const wanted = extensionBy(flow, context, event);
      return wanted?.role === role && wanted.stage === stage;
    },
    movesDeadline: ({ context, event }: Happening<LegReport>, { role, stage }: StageParams) =>
      movesDeadline(flow, context, event.report, role, stage),
    canResolve: ({ context, event }: Happening<Message>, actions: readonly ResolveAction[]) =>
      resolveRefusal(flow, context, event.payload, actions) === null,
  };
}

function extensionBy(flow: Declaration, known: Known, { payload }: Message): Extension | null {
  const wanted = extension(flow, known, payload);
  return typeof wanted === 'string' ? null : wanted;
}

/** Only the first report of the state after the booking gives a new time. */
function movesDeadline(flow: Declaration, known: Known, report: ShipmentReport, role: Role, stage: Stage) {
  const shipment = shipmentOf(known, report.shipmentUid);
  if (!shipment || shipment.stateStart !== null) return false;
  const next = observed(flow, known, shipment, report, 'repeated');
  return deadlineOf(next, role, stage) !== deadlineOf(known, role, stage);
}

/** An action that only changes the known facts. */
function know<Event, Params = undefined>(next: (happening: Happening<Event>, params: Params) => Known) {
  return assign((happening, params) => next(happening as never, params as Params));
}

/** The result of an action: the known facts, events for the legs, messages to the outside. */
interface Effect {
  readonly known?: Known;
  readonly raise?: readonly (Raised | { readonly type: 'others.found' })[];
  readonly emit?: readonly Emitted[];
}

function act<Event, Params = undefined>(effect: (happening: Happening<Event>, params: Params) => Effect) {
  return enqueueActions(({ context, event, enqueue }, params) => {
    const { known, raise = [], emit = [] } = effect({ context, event } as never, params as Params);
    if (known) enqueue.assign(known);
    for (const one of emit) enqueue.emit(one);
    for (const one of raise) enqueue.raise(one);
  });
}

function actionsOnKnown(flow: Declaration) {
  return {
    noteUnknownBooking: know<Failed>(({ context, event }) => withUnknownBooking(context, event.error)),
    noteRefusal: know<Failed>(({ context, event }) => ({ ...context, failure: failureOf(event.error) })),
    noteGivenUp: know(({ context }) => ({ ...context, failure: givenUp(context) })),
    noteCancellation: know(({ context }) => ({ ...context, undoing: context.undoing ?? 'request' })),
    noteOverdue: know<AnyEventObject, StageParams>(({ context }, { role, stage }) =>
      stageOverdue(context, role, stage),
    ),
    noteReminder: know<AnyEventObject, StageParams>(({ context }, { role, stage }) =>
      withReminder(context, role, stage),
    ),
    noteUndone: know<Answered<Undone>>(({ context, event }) => withUndone(flow, context, event.output)),
    extend: know<Message>(({ context, event }) => {
      const wanted = extensionBy(flow, context, event);
      return wanted ? withExtension(context, wanted) : context;
    }),
    beginReceiverChange: know<Message>(({ context, event }) => withReceiverChange(flow, context, event)),
    hold: know<Message>(({ context, event }) => holding(context, event)),
    endReceiverChange: know(({ context }) => ({ ...context, receiverChange: null })),
  };
}

function actionsOnLegs(flow: Declaration) {
  return {
    noteBooking: act<Answered<Booked>>(({ context, event }) =>
      released(withBooking(flow, context, event.output)),
    ),
    hear: act<Message>(({ context, event }) => {
      const report = reportIn(event.payload);
      return report ? hearing(flow, context, report) : {};
    }),
    hearInLeg: act<Message>(({ context, event }) => hearInLeg(flow, context, event)),
    findLegs: act(({ context }) => ({ raise: rolesOf(flow).flatMap((role) => found(flow, context, role)) })),
    advance: act<LegReport, { readonly verdict: Judgement }>(({ context, event }, { verdict }) =>
      observing(flow, context, event.report, verdict),
    ),
    observe: act<LegReport>(({ context, event }) => observing(flow, context, event.report)),
    supersede: act<Message>(({ context, event }) => {
      const shipment = shipmentOf(context, supersededIn(event.payload)?.shipmentUid ?? '');
      if (!shipment) return {};
      const raise = shipment.role ? ([{ type: `${shipment.role}.superseded` }] as const) : [];
      return { known: superseded(context, shipment), raise };
    }),
    resolve: act<Message>(({ context, event }) => {
      const known = resolved(flow, context, event.payload);
      const raise = [...changedLegs(flow, context, known), { type: 'others.found' } as const];
      return { ...released(known), raise };
    }),
    passHeldOn: act(({ context }) => ({
      known: { ...context, held: [] },
      emit: heldReports(context).map(notOurs),
    })),
  };
}

const answers = {
  answer: act<Message>(({ event }) => ({
    emit: [{ type: 'answer', updateId: event.updateId ?? '', value: null }],
  })),
  answerReceiverChange: act(({ context }) => ({
    emit: [{ type: 'answer', updateId: context.receiverChange?.updateId ?? '', value: null }],
  })),
  refuseReceiverChange: act<Failed>(({ context, event }) => {
    const { code, message } = failureOf(event.error);
    return { emit: [{ type: 'refusal', updateId: context.receiverChange?.updateId ?? '', code, message }] };
  }),
};

const notOurs = (payload: ShipmentReport): Emitted => ({ type: 'notOurs', payload });

/** When the flow knows its shipments, the held messages come again, each in a separate step. */
function released(known: Known): Effect {
  if (!known.booking || known.held.length === 0) return { known };
  const emit = known.held.map((message): Emitted => ({ type: 'again', message }));
  return { known: { ...known, held: [] }, emit };
}

/** A report is one event of the shipment's leg. Until the leg is known, the report is evidence for it. */
function hearInLeg(flow: Declaration, known: Known, { payload }: Message): Effect {
  const report = reportIn(payload);
  if (!report) return {};
  const shipment = shipmentOf(known, report.shipmentUid);
  const role = shipment?.role;
  if (role && isPickUpInPlace(flow, known, shipment, report))
    return { raise: [{ type: `${role}.pickedUp`, report }] };
  if (role && isStateCode(report.stateCode))
    return { raise: [{ type: `${role}.${report.stateCode}`, report }] };
  return hearing(flow, known, report);
}

/** A pick-up that a change of state has followed is told by the new state. */
function isPickUpInPlace(
  flow: Declaration,
  known: Known,
  shipment: KnownShipment,
  { stateCode, pickedUpAt }: ShipmentReport,
): boolean {
  return pickedUpAt !== undefined && stateCode === 'ReadyForPickup' && isOfKeptBooked(flow, known, shipment);
}

/** A report of a shipment that is not this flow's is passed on. */
function hearing(flow: Declaration, known: Known, report: ShipmentReport): Effect {
  return shipmentOf(known, report.shipmentUid) ? observing(flow, known, report) : { emit: [notOurs(report)] };
}

function observing(flow: Declaration, known: Known, report: ShipmentReport, verdict?: Judgement): Effect {
  const shipment = shipmentOf(known, report.shipmentUid);
  if (!shipment) return {};
  const next = observed(flow, known, shipment, report, verdict);
  return { known: next, raise: verdict ? foundAndLost(flow, known, next) : changedLegs(flow, known, next) };
}

function holding(known: Known, { type, payload }: Message): Known {
  const report = type === 'shipmentStatus' ? reportIn(payload) : null;
  if (report) return { ...known, held: [...known.held, { type: 'shipmentStatus', payload: report }] };
  const message = type === 'superseded' ? supersededIn(payload) : null;
  return message ? { ...known, held: [...known.held, { type: 'superseded', payload: message }] } : known;
}

/** Milliseconds. */
const waits = {
  // They show whether an item was in the locker; later ones are acknowledged as for a flow that has ended.
  callbacksOfUndoing: 10_000,
  // The flow retries by itself, beside a person's retry: the cause, like wrong credentials, may have been repaired.
  nextTryOfUndoing: ({ context }: Happening) => nextTryOfUndoing(context),
};

const stages: readonly Stage[] = ['dropOff', 'receiver', 'pickUp'];

/** A deadline is named by its leg and stage. */
function delays(flow: Declaration) {
  const deadlines = rolesOf(flow).flatMap((role) =>
    stages.flatMap((stage) => [
      [`${role}.${stage}`, ({ context }: Happening) => delayUntil(context, role, stage)],
      [`reminder.${role}.${stage}`, ({ context }: Happening) => delayOfReminder(context, role, stage)],
    ]),
  );
  return { ...waits, ...Object.fromEntries(deadlines) };
}

function functions(flow: Declaration) {
  return {
    nothingKnown: ({ input }: { readonly input: ProcessStart<FlowInput> }) => nothingKnown(input),
    ending: ({ context }: Happening) => ending(flow, context),
    bookInput: ({ context }: Happening) => bookInput(flow, context),
    undoInput: ({ context }: Happening) => undoInput(flow, context),
    changeReceiverInput: ({ context }: Happening) => changeReceiverInput(context),
  };
}
