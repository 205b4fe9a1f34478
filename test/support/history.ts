// What the history of a workflow holds, and signals sent so that none comes during another one's task.
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { vi } from 'vitest';

/** The types of the events, without their prefix. */
export async function eventsOf(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).map(({ eventType }) =>
    String(proto.temporal.api.enums.v1.EventType[eventType ?? 0]).replace('EVENT_TYPE_', ''),
  );
}

/** Without workflow tasks: a busy server makes more of them, and keeps one in which an update was refused. */
export const lastingEventsOf = async (handle: WorkflowHandle): Promise<string[]> =>
  (await eventsOf(handle)).filter((type) => !type.startsWith('WORKFLOW_TASK'));

/** One at a time: a signal that comes during the last task would make it fail, and cost events of its own. */
export async function spaced(
  handle: WorkflowHandle,
  signals: readonly (() => Promise<unknown>)[],
): Promise<void> {
  for (const send of signals) {
    const before = (await handle.describe()).historyLength;
    await send();
    // A signal and its task are four events.
    await vi.waitUntil(async () => (await handle.describe()).historyLength >= before + 4, {
      timeout: 60_000,
      interval: 20,
    });
  }
}

/** All that the history of a workflow says, payloads decoded: to be searched for what must not be in it. */
export async function textOfHistory(handle: WorkflowHandle): Promise<string> {
  const texts: string[] = [];
  const walk = (value: unknown): void => {
    if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString());
    else if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) {
        texts.push(key);
        walk(each);
      }
  };
  walk(await handle.fetchHistory());
  return texts.join('\n');
}
