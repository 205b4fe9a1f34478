// A worker is killed once at every event of a history.
import type { WorkflowHandle } from '@temporalio/client';
import pLimit from 'p-limit';

/** Or when the process has ended. */
export async function hasEvent(handle: WorkflowHandle, event: number): Promise<boolean> {
  const { historyLength, status } = await handle.describe();
  return historyLength >= event || status.name !== 'RUNNING';
}

/** @param play kills at this event, and gives how many events the history had in the end */
export async function atEachEvent(atATime: number, play: (event: number) => Promise<number>): Promise<void> {
  const last = await play(Number.POSITIVE_INFINITY);
  const events = Array.from({ length: last }, (_, index) => index + 1);
  await pLimit(atATime).map(events, play);
}
