// What the chart of a process asks for, carried out: timers and calls, answers to updates, and what leaves the process.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Emitted } from './definition.ts';
import type { ProcessState } from './process-state.ts';
import type { Effects } from './running-chart.ts';

export function effectsOn(of: ProcessState): Effects {
  const { world, timers, calls } = of;
  return {
    now: () => world.now(),
    arm: (id, event, delay) => timers.arm(of.chart, id, event, delay),
    disarm: (id) => timers.cancel(id),
    call: (part, id, logic, input) => calls.start(part, { id, logic, input }),
    stop: (part, id) => calls.stop(part, id),
    stopAllOf: (part) => calls.stopAllOf(part),
    send: (part, id, event) => calls.send(part, id, event),
    emitted: (event) => emitted(event as Emitted, of),
    log: (value, label = 'log') => world.log?.(label, { value }),
    failed: (error) => {
      of.unhandled = { error };
    },
  };
}

function emitted(event: Emitted, of: ProcessState): void {
  const { definition, start } = of;
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
      of.pushMessage(event.message);
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
export function notify(before: AnyMachineSnapshot | null, process: ProcessState): void {
  const { definition, start, snapshot, world } = process;
  const { version } = start;
  if (definition.parentEvents && world.isParentListening)
    for (const event of definition.parentEvents(before, snapshot, process.halt))
      world.send({ to: 'parent', event, version });
  for (const event of definition.notifications?.(before, snapshot) ?? [])
    world.send({ to: 'outside', event, version });
}

/** A message that belongs to another process. */
export function handOver(message: unknown, { definition, world }: ProcessState): void {
  if (!definition.handOver)
    throw new TypeError('the message belongs to another process, but the definition has no handOver');
  world.send({ to: 'others', message });
}
