// Registers the handlers of a process. They push to the inbox and decide nothing, so that all messages have one order.
import {
  ApplicationFailure,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { type ChartView, chartView, type Position } from './chart/chart-view.ts';
import type { AnsweredUpdate, Definition, Held, MessageEvent } from './definition.ts';
import type { Decision, Inbox } from './inbox.ts';
import { NOT_POSSIBLE_NOW, type Updates } from './updates.ts';

/** Type of the failure of an update whose payload is not an event. */
export const INVALID_EVENT = 'InvalidEvent';

/** Update of a process whose clock can be moved: how far ahead of the real time it is to be, in `aheadMs`. */
export const MOVE_CLOCK = 'moveClock';
/** Its query. */
export const CLOCK = 'clock';

/** The answer to both. */
export interface ClockStanding {
  readonly aheadMs: number;
  /** ISO 8601. */
  readonly now: string;
  readonly next: { readonly timer: string; readonly at: string; readonly inMs: number } | null;
  /** Whether its machine still takes steps. */
  readonly isOpen: boolean;
  /** Entries that it has taken, so that a caller sees whether something has happened. */
  readonly taken: number;
  /** Nothing more happens now: it waits for a time, for people, or for other processes. */
  readonly isAtRest: boolean;
  /** Activities that have not answered yet, by their types. */
  readonly calls: readonly string[];
  /** The workflow ids of child workflows that have not ended. */
  readonly children: readonly string[];
}

interface Ears {
  readonly definition: Definition;
  readonly inbox: Inbox;
  readonly updates: Updates;
  snapshot(): AnyMachineSnapshot;
  position(): Position;
  held(): Held | undefined;
  progress(asked: unknown): unknown;
  /** Of a clock that can be moved. */
  clock?(): ClockStanding;
}

export function listen(ears: Ears): void {
  const { definition, position, progress } = ears;
  setHandler(defineQuery<unknown, [unknown]>('progress'), progress, {
    description: 'Where the process is and what it awaits',
  });
  setHandler(defineQuery<ChartView, []>('chart'), () => chartView(definition.machine), {
    description: 'The chart that the process runs: its states and transitions',
  });
  setHandler(defineQuery<Position, []>('position'), position, {
    description: 'The states of the chart that are active, their timers, and what may happen next',
  });
  for (const [name, description] of Object.entries(definition.signals))
    setHandler(defineSignal<[unknown]>(name), (payload) => hear(ears, name, payload), { description });
  if (definition.takesAnySignal) setDefaultSignalHandler((name, payload) => hear(ears, name, payload));
  for (const [name, update] of Object.entries(definition.updates)) listenForUpdate(ears, name, update);
  if (definition.held)
    for (const [name, description] of Object.entries(decisions))
      listenForDecision(ears, name as Decision, description);
  if (ears.clock) listenForMoves(ears, ears.clock);
}

function listenForMoves({ inbox, updates }: Ears, clock: () => ClockStanding): void {
  setHandler(defineQuery<ClockStanding>(CLOCK), clock, {
    description: 'The time of the process, and what is due next',
  });
  setHandler(
    defineUpdate<unknown, [{ readonly aheadMs: number }]>(MOVE_CLOCK),
    ({ aheadMs }) => {
      const updateId = updateIdNow();
      inbox.push({ kind: 'clock', aheadMs, updateId });
      return updates.wait(updateId);
    },
    {
      description: 'Moves the clock: aheadMs, how far ahead of the real time. It never goes back',
      validator: (given) => {
        const { aheadMs } = (given ?? {}) as { readonly aheadMs?: unknown };
        if (!Number.isSafeInteger(aheadMs) || (aheadMs as number) < 0)
          throw ApplicationFailure.nonRetryable(
            `aheadMs is ${JSON.stringify(aheadMs)}, expected whole milliseconds that are not negative`,
            INVALID_EVENT,
          );
      },
    },
  );
}

function hear({ definition, inbox }: Ears, name: string, payload: unknown): void {
  const message: MessageEvent = { type: name, payload };
  const event = definition.event ? definition.event(message) : message;
  if (event) inbox.push({ kind: 'message', message, event });
  else log.warn(`the signal ${name} is not an event of this process: it was dropped`);
}

function listenForUpdate(ears: Ears, name: string, update: string | AnsweredUpdate): void {
  const { definition, inbox, updates, snapshot } = ears;
  const isAnswered = typeof update !== 'string';
  const eventOf = (message: MessageEvent): EventObject =>
    isAnswered ? checkedEvent(update, message.payload) : (definition.event?.(message) ?? message);
  setHandler(
    defineUpdate<unknown, [unknown]>(name),
    (payload) => {
      const message: MessageEvent = { type: name, payload, updateId: updateIdNow() };
      const answered = isAnswered ? { update } : {};
      inbox.push({ kind: 'message', message, event: eventOf(message), ...answered });
      return updates.wait(message.updateId ?? '');
    },
    {
      description: isAnswered ? update.description : update,
      // An update that is rejected here is not in the history.
      validator: (payload) => refuseIfImpossible(definition, snapshot(), eventOf({ type: name, payload })),
    },
  );
}

const decisions: Readonly<Record<Decision, string>> = {
  dropEvent: 'Of a process that stands still: drops the event whose step cannot be taken, and goes on',
  giveUp: 'Of a process that stands still: cancels what it has begun, and fails',
};

function listenForDecision({ inbox, updates, held }: Ears, decision: Decision, description: string): void {
  setHandler(
    defineUpdate<unknown, [unknown]>(decision),
    (_decided) => {
      const updateId = updateIdNow();
      inbox.push({ kind: 'decision', decision, updateId });
      return updates.wait(updateId);
    },
    {
      description,
      validator: (_decided) => {
        if (!held())
          throw ApplicationFailure.nonRetryable(
            'the process does not stand still: no step has failed',
            NOT_POSSIBLE_NOW,
          );
      },
    },
  );
}

function checkedEvent(update: AnsweredUpdate, payload: unknown): EventObject {
  try {
    return update.event(payload);
  } catch (error) {
    throw ApplicationFailure.nonRetryable((error as Error).message, INVALID_EVENT);
  }
}

function refuseIfImpossible(definition: Definition, snapshot: AnyMachineSnapshot, event: EventObject): void {
  if (!snapshot.can(event))
    throw ApplicationFailure.nonRetryable(
      definition.refusal(snapshot, event as MessageEvent),
      NOT_POSSIBLE_NOW,
    );
}

function updateIdNow(): string {
  const info = currentUpdateInfo();
  if (!info) throw new TypeError('an update handler runs outside an update');
  return info.id;
}
