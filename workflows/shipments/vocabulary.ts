// The words that the chart of a shipment flow is written in: its guards, actions, delays and activities by name.
// Each takes what is known and gives what is known next; the chart alone says when.
import { assign, emit, enqueueActions, setup } from 'xstate';
import type { Booked, Undone } from '../../activities/flow-activities.ts';
import type { FlowInput, Role, Stage } from '../../contract/flows/flow-input.ts';
import type { Emitted, Ending, MessageEvent, ProcessStart } from '../../driver/definition.ts';
import type { Declaration } from '../../flows/declaration.ts';
import { failureOf, isCancelled, isTimeOut, withBooking, withUnknownBooking } from './booking.ts';
import { book, changeReceiver, undo } from './calls.ts';
import { delayUntil, stageDelays, stageOverdue } from './deadlines.ts';
import { extension, withExtension } from './extension.ts';
import { hear, hearHeld } from './hearing.ts';
import { type Failure, type Knowledge, type StageName, shipmentOf, withShipment } from './knowledge.ts';
import { type News, newsOf, type Position, positions } from './positions.ts';
import { reportIn, supersededIn } from './reading.ts';
import { receiverRefusal, withReceiverChange } from './receiver.ts';
import { type ResolveAction, resolved, resolveRefusal } from './resolution.ts';
import { isSettled } from './settlement.ts';
import { isUndone, isUndoneAndTold, nextTryOfUndoing, withUndone } from './undoing.ts';

/** A booking that times out is looked into so often by itself; then a person must. */
const BOOKING_ATTEMPTS = 3;

/** The event of an activity that failed. */
export interface Failed {
  readonly error: unknown;
}

type Message =
  | ({
      type: 'shipmentStatus' | 'superseded' | 'setReceiver' | 'removeReceiver' | 'extendDeadline' | 'resolve';
    } & MessageEvent)
  | { type: 'cancelRequested' };

export type Vocabulary = ReturnType<typeof vocabulary>;

export function vocabulary(flow: Declaration) {
  return withGuards(flow).extend({
    actions: {
      noteBooking: assign(({ context }, booked: Booked) => hearHeld(flow, withBooking(context, booked))),
      noteUnknownBooking: assign(({ context }, { error }: Failed) => withUnknownBooking(context, error)),
      noteRefusal: assign(({ context }, { error }: Failed) => ({ ...context, failure: failureOf(error) })),
      noteGivenUp: assign(({ context }) => ({ ...context, failure: givenUp(context) })),
      noteCancellation: assign(({ context }) => ({ undoing: context.undoing ?? ('request' as const) })),
      noteOverdue: assign(({ context }, { role, stage }: { role: Role; stage: Stage }) =>
        stageOverdue(flow, context, role, stage),
      ),
      noteUndone: assign(({ context }, undone: Undone) => withUndone(flow, context, undone)),
      hear: assign(({ context, event }) => {
        const report = reportIn((event as MessageEvent).payload);
        return report ? hear(flow, context, report) : context;
      }),
      supersede: assign(({ context, event }) => superseded(context, (event as MessageEvent).payload)),
      extend: assign(({ context, event }) => {
        const wanted = extension(flow, context, event as MessageEvent);
        return typeof wanted === 'string' ? context : withExtension(context, wanted);
      }),
      beginReceiverChange: assign(({ context, event }) =>
        withReceiverChange(flow, context, event as MessageEvent),
      ),
      endReceiverChange: assign({ receiverChange: null }),
      resolve: assign(({ context, event }) => hearHeld(flow, resolved(flow, context, event as MessageEvent))),
      answerReceiverChange: emit(({ context }) => ({
        type: 'answer' as const,
        updateId: context.receiverChange?.updateId ?? '',
        value: null,
      })),
      refuseReceiverChange: emit(({ context }, { error }: Failed) => {
        const { code, message } = failureOf(error);
        return { type: 'refusal' as const, updateId: context.receiverChange?.updateId ?? '', code, message };
      }),
      answer: emit(({ event }) => ({
        type: 'answer' as const,
        updateId: (event as MessageEvent).updateId ?? '',
        value: null,
      })),
      // The regions hear where their legs are; whoever is not this flow's is passed on.
      tell: enqueueActions(({ context, enqueue }) => {
        for (const report of context.foreign) enqueue.emit({ type: 'notOurs', payload: report });
        const told = positions(flow, context);
        for (const [role, position] of Object.entries(told) as [Role, Position][]) {
          const news = newsOf(role, context.told[role], position);
          if (news) enqueue.raise(news);
        }
        enqueue.assign({ told, foreign: [] });
      }),
      forgetTold: assign({ told: {} }),
      passHeldOn: assign(({ context }) => ({ held: [], foreign: [...context.foreign, ...context.held] })),
    },
  });
}

function withGuards(flow: Declaration) {
  return withTypes(flow).extend({
    guards: {
      isWorthAnotherLook: ({ context }, { error }: Failed) =>
        isTimeOut(error) && (context.unknownBooking?.attempts ?? 0) < BOOKING_ATTEMPTS,
      isOutcomeUnknown: (_, { error }: Failed) =>
        isTimeOut(error) || failureOf(error).code === 'OutcomeUnknown',
      isCancelled: ({ context }, { error }: Failed) => isCancelled(error) || context.undoing !== null,
      isToBeUndone: ({ context }) => context.undoing !== null && !context.receiverChange,
      isSettled: ({ context }) => isSettled(flow, context) && !context.receiverChange,
      isUndone: ({ context }) => isUndone(flow, context),
      isUndoneAndTold: ({ context }) => isUndoneAndTold(flow, context),
      hasFailures: ({ context }) => Object.keys(context.notUndone).length > 0 && !isUndone(flow, context),
      canChangeReceiver: ({ context, event }) =>
        receiverRefusal(flow, context, event as MessageEvent) === null,
      canExtend: ({ context, event }) => typeof extension(flow, context, event as MessageEvent) !== 'string',
      canResolve: ({ context, event }, actions: readonly ResolveAction[]) =>
        resolveRefusal(flow, context, event as MessageEvent, actions) === null,
    },
  });
}

function withTypes(flow: Declaration) {
  return setup({
    types: {
      context: {} as Knowledge,
      input: {} as ProcessStart<FlowInput>,
      events: {} as Message | News,
      emitted: {} as Emitted,
      output: {} as Ending,
    },
    actors: { book, undo, changeReceiver },
    delays: { ...waits, ...deadlineDelays(flow) },
  });
}

/** Milliseconds. */
const waits = {
  // They tell whether an item was in the locker; later ones are acknowledged as of a flow that has ended.
  callbacksOfUndoing: 10_000,
  // By itself, beside a person's retry: what refused it, wrong credentials say, may have been repaired.
  nextTryOfUndoing: ({ context }: { context: Knowledge }) => nextTryOfUndoing(context),
};

type DeadlineDelays = Record<StageName, (args: { context: Knowledge }) => number>;

function deadlineDelays(flow: Declaration): DeadlineDelays {
  const delays = stageDelays.map(({ role, stage, delay }) => [
    delay,
    ({ context }: { context: Knowledge }) => delayUntil(flow, context, role, stage),
  ]);
  return Object.fromEntries(delays) as DeadlineDelays;
}

/** Whoever takes a shipment over follows it from then on. */
function superseded(known: Knowledge, payload: unknown): Knowledge {
  const message = supersededIn(payload);
  const shipment = message && shipmentOf(known, message.shipmentUid);
  return shipment ? withShipment(known, { ...shipment, isSuperseded: true }) : known;
}

function givenUp({ resolutions, unknownBooking }: Knowledge): Failure {
  const last = resolutions.at(-1);
  return {
    code: 'OutcomeUnknown',
    message: `given up by ${last?.by}: ${last?.why}`,
    details: [unknownBooking?.told ?? null],
  };
}
