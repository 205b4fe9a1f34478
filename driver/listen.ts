// Registers the handlers of a process. They push to the inbox and decide nothing, so that all messages have one order.
import {
  ApplicationFailure,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import type { AnyMachineSnapshot } from 'xstate';
import type { Definition, MessageEvent } from './definition.ts';
import type { Inbox } from './inbox.ts';
import { NOT_POSSIBLE_NOW, type Updates } from './updates.ts';

interface Ears {
  readonly definition: Definition;
  readonly inbox: Inbox;
  readonly updates: Updates;
  snapshot(): AnyMachineSnapshot;
  progress(): unknown;
}

export function listen({ definition, inbox, updates, snapshot, progress }: Ears): void {
  setHandler(defineQuery('progress'), progress, { description: 'Where the process is and what it awaits' });
  for (const [name, description] of Object.entries(definition.signals))
    setHandler(
      defineSignal<[unknown]>(name),
      (payload) => inbox.push({ kind: 'message', event: { type: name, payload } }),
      { description },
    );
  for (const [name, description] of Object.entries(definition.updates))
    setHandler(
      defineUpdate<unknown, [unknown]>(name),
      (payload) => {
        const updateId = updateIdNow();
        inbox.push({ kind: 'message', event: { type: name, payload, updateId } });
        return updates.wait(updateId);
      },
      {
        description,
        // An update that is rejected here leaves nothing in the history.
        validator: (payload) => refuseIfImpossible(definition, snapshot(), { type: name, payload }),
      },
    );
}

export function refuseIfImpossible(
  definition: Definition,
  snapshot: AnyMachineSnapshot,
  event: MessageEvent,
): void {
  if (!snapshot.can(event))
    throw ApplicationFailure.nonRetryable(definition.refusal(snapshot, event), NOT_POSSIBLE_NOW);
}

function updateIdNow(): string {
  const info = currentUpdateInfo();
  if (!info) throw new TypeError('an update handler runs outside an update');
  return info.id;
}
