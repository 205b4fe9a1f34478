// The flows that book for a process: itself, or those that a process of a flow file has started, and that these have started.
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';

interface BookingFlow {
  readonly key: string;
  readonly progress: Progress;
}

/** The open ones; none for a process that has begun no such flow. */
export async function bookingFlows(temporal: AtTemporal, key: string): Promise<BookingFlow[]> {
  const asked = () => temporal.flows.fileHandle(key).progress() as Promise<FlowFileProgress | Progress>;
  const progress = await answered(temporal, asked);
  if ('shipments' in progress) return [{ key, progress }];
  const { children = [] } = progress;
  const keys = children.flatMap((child) => child.key ?? []);
  return (await Promise.all(keys.map((child) => bookingFlows(temporal, child)))).flat();
}
