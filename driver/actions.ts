// Carries out what a step of the chart asks for. An action that is not here is a defect of the definition.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import { callOf } from './activity-call.ts';
import type { Definition, Emitted } from './definition.ts';
import { delayNames } from './delay-names.ts';
import type { HandOver } from './hand-over.ts';
import type { Invokes } from './invokes.ts';
import type { Action } from './step.ts';
import type { Timers } from './timers.ts';
import type { Updates } from './updates.ts';

interface Spawn {
  readonly id: string;
  readonly src: unknown;
  readonly input: unknown;
}
interface Raise {
  readonly id?: string;
  readonly event: EventObject;
  readonly delay?: number;
}

export interface Means {
  readonly definition: Definition;
  readonly timers: Timers;
  readonly invokes: Invokes;
  readonly updates: Updates;
  readonly handOver: HandOver;
}

/** What xstate calls its own actions, and how the driver carries each out. */
const carriers: Readonly<
  Record<string, (means: Means, params: never, snapshot: AnyMachineSnapshot) => void>
> = {
  'xstate.spawnChild': ({ definition, invokes }, { id, src, input }: Spawn) =>
    invokes.start(id, callOf(definition.machine.implementations.actors, src), input),
  'xstate.stopChild': ({ invokes }, actor: { readonly id: string } | undefined) => {
    if (actor) invokes.stop(actor.id);
  },
  'xstate.raise': ({ definition, timers }, raise: Raise, snapshot) => {
    // Without a delay xstate has taken the event within the step already.
    if (raise.delay !== undefined) arm(definition, timers, raise, raise.delay, snapshot);
  },
  // The cancels that come with the end would cost an event each, for timers that end with the process anyway.
  'xstate.cancel': ({ timers }, { sendId }: { readonly sendId: string }, { status }) => {
    if (status === 'active') timers.cancel(sendId);
  },
  'xstate.emit': ({ updates, handOver }, { event }: { readonly event: Emitted }) => {
    if (event.type === 'answer') updates.answer(event.updateId, event.value);
    else if (event.type === 'refusal') updates.refuse(event.updateId, event.code, event.message);
    else handOver.add(event.payload);
  },
};

export const supportedActions: readonly string[] = Object.keys(carriers);

export function carryOut(means: Means, actions: readonly Action[], snapshot: AnyMachineSnapshot): void {
  for (const { type, params } of actions) {
    const carrier = carriers[type];
    if (!carrier)
      throw new TypeError(`the chart asks for ${type}, expected one of ${supportedActions.join(', ')}`);
    carrier(means, params as never, snapshot);
  }
}

/** Infinity is "no delay at all": nothing is armed, and it costs no event. */
function arm(
  definition: Definition,
  timers: Timers,
  { id, event }: Raise,
  delay: number,
  snapshot: AnyMachineSnapshot,
): void {
  if (Number.isNaN(delay)) throw new TypeError(`the delay of ${event.type} is not a number of milliseconds`);
  if (delay === Number.POSITIVE_INFINITY) return;
  const name = delayNames(definition.machine).get(event.type) ?? event.type;
  const summary = definition.timerSummary(name, snapshot);
  timers.arm({ id: id ?? event.type, event, dueAt: Date.now() + delay, summary });
}
