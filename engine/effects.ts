// What leaves a process, and its answers to updates.
import type { AnyMachineSnapshot, EventObject } from 'xstate';
import type { Definition, ProcessStart } from './definition/definition.ts';
import type { Halt } from './definition/halt-rules.ts';
import type { MessageEvent } from './definition/message-rules.ts';
import type { Emitted } from './definition/outgoing-rules.ts';
import type { InlineActorView } from './definition/views.ts';
import type { Host } from './host.ts';
import type { Replies } from './inbox.ts';

/** The process, as far as it says something to others. */
export interface NotifyingProcess {
  readonly definition: Definition;
  readonly start: ProcessStart;
  readonly snapshot: AnyMachineSnapshot;
  readonly halt: Halt | undefined;
  readonly host: Host;
  readonly chart: { readonly actors: { readonly view: readonly InlineActorView[] } };
  /** Messages of its own for what had ended. */
  readonly late: unknown[];
  readonly replies: Replies;
}

/** What the chart emits. */
export function dispatch(event: Emitted, of: NotifyingProcess): void {
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
    case 'putAside':
      if (!of.host.isCopy) definition.messages.putAside?.(event.event);
      return;
    case 'toParent':
      if (of.host.isParentListening) of.host.send({ to: 'parent', event: event.event, version });
      return;
    default:
      if ((event as EventObject).type === definition.outgoing?.outbox?.type)
        of.host.send({ to: 'outside', event, version });
  }
}

/**
 * Sends parent and outside what has changed for them.
 * @param before where the process was when they were notified last; null: they were not
 */
export function notify(before: AnyMachineSnapshot | null, process: NotifyingProcess): void {
  const { definition, start, snapshot, host } = process;
  const { version } = start;
  const { outgoing = {} } = definition;
  if (outgoing.toParent && host.isParentListening)
    for (const event of outgoing.toParent(before, snapshot, process.halt))
      host.send({ to: 'parent', event, version });
}

/** A message that belongs to another process. */
export function handOver(message: unknown, { definition, host }: NotifyingProcess): void {
  if (!definition.outgoing?.handOver)
    throw new TypeError('the message belongs to another process, but the definition has no handOver');
  host.send({ to: 'others', message });
}

/** A message that no inline actor accepts: late for one that has ended, or another process's. */
export function handOverUnaccepted(message: MessageEvent, process: NotifyingProcess): void {
  const { definition, snapshot, chart, late, host } = process;
  const left = definition.messages.notAccepted?.(message, host.now());
  if (left === undefined) return;
  if (definition.messages.isOurs?.(snapshot, message, chart.actors.view)) late.push(left);
  else handOver(left, process);
}
