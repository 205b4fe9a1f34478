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
