// Implements the names in the chart of a shipment flow: guards, actions, delays, actors and functions. Each computes the next
// context from the current one and the event; only the chart decides when it runs.
import { type AnyEventObject, enqueueActions } from 'xstate';
import type { FlowInput, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { Emitted, MessageEvent, ProcessStart } from '../../engine/definition.ts';
import type { Booked, Undone } from '../../flows/booking/activities.ts';
import {
  bookInput,
  givenUp,
  isCancelled,
  isTimeOut,
  withBooking,
  withUnknownBooking,
} from '../../flows/booking/booking.ts';
import {
  delayUntil,
  type Extension,
  extension,
  stageOverdue,
  withExtension,
} from '../../flows/booking/deadlines.ts';
import {
  changeReceiverInput,
  type ResolveAction,
  receiverRefusal,
  resolved,
  resolveRefusal,
  withReceiverChange,
} from '../../flows/booking/decisions.ts';
import { failureOf } from '../../flows/booking/failure.ts';
import { type FlowContext, nothingKnown, postponedReports, shipmentOf } from '../../flows/booking/known.ts';
import { reportIn, supersededIn } from '../../flows/booking/messages.ts';
import { delayOfReminder, withReminder } from '../../flows/booking/reminders.ts';
import { observed, superseded } from '../../flows/booking/reports.ts';
import { ending, isSettled } from '../../flows/booking/settlement.ts';
import {
  isUndone,
  isUndoneAndReported,
  nextTryOfUndoing,
  undoInput,
  withUndone,
} from '../../flows/booking/undoing.ts';
import { type Declaration, rolesOf } from '../../flows/built-in/declaration.ts';
import type { Vocabulary } from '../chart-data.ts';
import { book, changeReceiver, undo } from './calls.ts';
import { regionEvents } from './leg.ts';

export function shipmentVocabulary(flow: Declaration): Vocabulary {
  return {
    guards: guards(flow),
    actions: actions(flow),
    delays: delays(flow),
    actors: { book, undo, changeReceiver },
    functions: functions(flow),
  };
}

interface Args<Event = AnyEventObject> {
  readonly context: FlowContext;
  readonly event: Event;
}
/** The events of an activity that has completed, or has failed. */
type Completed<Output> = AnyEventObject & { readonly output: Output };
type Failed = AnyEventObject & { readonly error: unknown };
type Message = AnyEventObject & MessageEvent;
interface StageParams {
  readonly role: Role;
  readonly stage: Stage;
}

/** How often the flow retries a booking that timed out before a person must decide. */
const BOOKING_ATTEMPTS = 3;

function guards(flow: Declaration) {
  return {
    isWorthAnotherTry: ({ context, event }: Args<Failed>) =>
      isTimeOut(event.error) && (context.unknownBooking?.attempts ?? 0) < BOOKING_ATTEMPTS,
    isOutcomeUnknown: ({ event }: Args<Failed>) =>
      isTimeOut(event.error) || failureOf(event.error).code === 'OutcomeUnknown',
    isCancelled: ({ context, event }: Args<Failed>) => isCancelled(event.error) || context.undoing !== null,
    isToBeUndone: ({ context }: Args) =>
      context.undoing !== null && !context.receiverChange && !isSettled(flow, context),
    isUndone: ({ context }: Args) => isUndone(flow, context),
    isUndoneAndReported: ({ context }: Args) => isUndoneAndReported(flow, context),
    hasFailures: ({ context }: Args) => Object.keys(context.notUndone).length > 0 && !isUndone(flow, context),
    canChangeReceiver: ({ context, event }: Args<Message>) => receiverRefusal(flow, context, event) === null,
    canExtend: ({ context, event }: Args<Message>) => extensionBy(flow, context, event) !== null,
    canResolve: ({ context, event }: Args<Message>, actions: readonly ResolveAction[]) =>
      resolveRefusal(flow, context, event.payload, actions) === null,
  };
}

function extensionBy(flow: Declaration, known: FlowContext, { payload }: Message): Extension | null {
  const wanted = extension(flow, known, payload, Date.now());
  return typeof wanted === 'string' ? null : wanted;
}

/** The result of an action: the next context, and messages to the outside. */
interface Effect {
  readonly known?: FlowContext;
  readonly emit?: readonly Emitted[];
}

/** Makes an action that also raises the events which move the chart's regions to the new context. */
type ActionFactory = <Event = AnyEventObject, Params = undefined>(
  effect: (args: Args<Event>, params: Params) => Effect,
) => unknown;

function actionFactory(flow: Declaration): ActionFactory {
  return (effect) =>
    enqueueActions(({ context, event, enqueue }, params) => {
      const before = context as unknown as FlowContext;
      const { known = before, emit = [] } = effect({ context: before, event } as never, params as never);
      enqueue.assign(known);
      for (const one of emit) enqueue.emit(one);
      for (const one of regionEvents(flow, before, known)) enqueue.raise(one);
    });
}

function actions(flow: Declaration) {
  const act = actionFactory(flow);
  /** An action that only changes the context. */
  const know = <Event = AnyEventObject, Params = undefined>(
    next: (args: Args<Event>, params: Params) => FlowContext,
  ) => act<Event, Params>((args, params) => ({ known: next(args, params) }));
  return {
    noteBooking: act<Completed<Booked>>(({ context, event }) =>
      withPostponedSent(withBooking(flow, context, event.output, Date.now())),
    ),
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
    noteUndone: know<Completed<Undone>>(({ context, event }) => withUndone(flow, context, event.output)),
    observe: act<Message>(({ context, event }) =>
      afterReport(flow, context, reportIn(event.payload, Date.now())),
    ),
    supersede: know<Message>(({ context, event }) => {
      const shipment = shipmentOf(context, supersededIn(event.payload)?.shipmentUid ?? '');
      return shipment ? superseded(context, shipment) : context;
    }),
    postpone: know<Message>(({ context, event }) => withPostponed(context, event)),
    handOverPostponed: act(({ context }) => ({
      known: { ...context, postponed: [] },
      emit: postponedReports(context).map(notOurs),
    })),
    extend: know<Message>(({ context, event }) => {
      const wanted = extensionBy(flow, context, event);
      return wanted ? withExtension(context, wanted) : context;
    }),
    resolve: act<Message>(({ context, event }) =>
      withPostponedSent(resolved(flow, context, event.payload, Date.now())),
    ),
    beginReceiverChange: know<Message>(({ context, event }) => withReceiverChange(flow, context, event)),
    endReceiverChange: know(({ context }) => ({ ...context, receiverChange: null })),
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
}

const notOurs = (payload: ShipmentReport): Emitted => ({ type: 'notOurs', payload });

/** Once the flow knows its shipments, postponed messages are sent to it again, each in a separate step. */
function withPostponedSent(known: FlowContext): Effect {
  if (!known.booking || known.postponed.length === 0) return { known };
  const emit = known.postponed.map((message): Emitted => ({ type: 'again', message }));
  return { known: { ...known, postponed: [] }, emit };
}

/** A report about a shipment of another flow is emitted as notOurs, for the flow that owns it. */
function afterReport(flow: Declaration, known: FlowContext, report: ShipmentReport | null): Effect {
  if (!report) return {};
  const shipment = shipmentOf(known, report.shipmentUid);
  return shipment
    ? { known: observed(flow, known, shipment, report, Date.now()) }
    : { emit: [notOurs(report)] };
}

function withPostponed(known: FlowContext, { type, payload }: Message): FlowContext {
  const report = type === 'shipmentStatus' ? reportIn(payload, Date.now()) : null;
  if (report)
    return { ...known, postponed: [...known.postponed, { type: 'shipmentStatus', payload: report }] };
  const message = type === 'superseded' ? supersededIn(payload) : null;
  return message
    ? { ...known, postponed: [...known.postponed, { type: 'superseded', payload: message }] }
    : known;
}

/** In milliseconds. */
const undoDelays = {
  // Callbacks after undoing show whether an item was in the locker. Later ones are acknowledged as for an ended flow.
  callbacksOfUndoing: 10_000,
  // The flow also retries without a person: the cause, such as wrong credentials, may have been fixed.
  nextTryOfUndoing: ({ context }: Args) => nextTryOfUndoing(context),
};

const stages: readonly Stage[] = ['dropOff', 'receiver', 'pickUp'];

function delays(flow: Declaration) {
  const deadlines = rolesOf(flow).flatMap((role) =>
    stages.flatMap((stage) => [
      [`${role}.${stage}`, ({ context }: Args) => delayUntil(context, role, stage, Date.now())],
      [`reminder.${role}.${stage}`, ({ context }: Args) => delayOfReminder(context, role, stage, Date.now())],
    ]),
  );
  return { ...undoDelays, ...Object.fromEntries(deadlines) };
}

function functions(flow: Declaration) {
  return {
    nothingKnown: ({ input }: { readonly input: ProcessStart<FlowInput> }) => nothingKnown(input, Date.now()),
    ending: ({ context }: Args) => ending(flow, context),
    bookInput: ({ context }: Args) => bookInput(flow, context),
    undoInput: ({ context }: Args) => undoInput(flow, context),
    changeReceiverInput: ({ context }: Args) => changeReceiverInput(context),
  };
}
