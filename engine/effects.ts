// What the chart of a process asks for, carried out: timers and calls, answers to updates, and what leaves the process.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Calls, Timers } from './awaited.ts';
import type { Definition, Emitted, MessageEvent, PendingWork, ProcessStart } from './definition.ts';
import type { Replies } from './inbox.ts';
import type { Program } from './migration/migrations.ts';
import type { Effects } from './running-chart.ts';
import type { World } from './world.ts';

/** The process, as far as its chart changes it. */
interface Acting {
  readonly program: Program;
  readonly world: World;
  readonly timers: Timers;
  readonly calls: Calls;
  readonly replies: Replies;
  /** A message that is to be taken once more, after all that has come by now. */
  takeAgain(message: MessageEvent): void;
  /** The chart has ended by a failure that no state takes. */
  failed(error: unknown): void;
}

/** The process, as far as others are notified of it. */
interface Notifying {
  readonly definition: Definition;
  readonly start: ProcessStart;
  readonly snapshot: AnyMachineSnapshot;
  readonly awaited: PendingWork;
}

export function effectsOn(of: Acting): Effects {
  const { world, timers, calls } = of;
  return {
    now: () => world.now(),
    arm: (id, event, delay) => timers.arm(of.program.chart, id, event, delay),
    disarm: (id) => timers.cancel(id),
    call: (part, id, logic, input) => calls.start(part, { id, logic, input }),
    stop: (part, id) => calls.stop(part, id),
    stopAllOf: (part) => calls.stopAllOf(part),
    send: (part, id, event) => calls.send(part, id, event),
    emitted: (event) => emitted(event as Emitted, of),
    log: (value, label = 'log') => world.log?.(label, { value }),
    failed: (error) => of.failed(error),
  };
}

function emitted(event: Emitted, of: Acting): void {
  const { definition, start } = of.program;
  const { version } = start;
  switch (event.type) {
    case 'answer':
      of.replies.answer(event.updateId, event.value);
      return;
    case 'refusal':
      of.replies.refuse(event.updateId, event);
      return;
    case 'notOurs':
      handOver(event.payload, of);
      return;
    case 'toParent':
      if (of.world.isParentListening) of.world.send({ to: 'parent', event: event.event, version });
      return;
    case 'again':
      of.takeAgain(event.message);
      return;
    default:
      if ((event as EventObject).type === definition.outbox?.type)
        of.world.send({ to: 'outside', event, version });
  }
}

/**
 * Sends parent and outside what has changed for them.
 * @param before where the process was when they were notified last; null: they were not
 */
export function notify(before: AnyMachineSnapshot | null, process: Notifying, world: World): void {
  const { definition, start, snapshot, awaited } = process;
  const { version } = start;
  if (definition.parentEvents && world.isParentListening)
    for (const event of definition.parentEvents(before, snapshot, awaited))
      world.send({ to: 'parent', event, version });
  for (const event of definition.notifications?.(before, snapshot) ?? [])
    world.send({ to: 'outside', event, version });
}

/** A message that belongs to another process. */
export function handOver(message: unknown, { program, world }: Pick<Acting, 'program' | 'world'>): void {
  if (!program.definition.handOver)
    throw new TypeError('the message belongs to another process, but the definition has no handOver');
  world.send({ to: 'others', message });
}
