// What a process answers when it is asked for its progress: a built-in flow, or a process of a flow file; and the flows that book
// for it, itself or those that it has started.
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';

export type AnyProgress = Progress | FlowFileProgress;

/** The states in which it is, as paths: a nested state as `lent.waiting`, several at once with commas. */
export const formatStatePaths = (state: unknown): string => pathsOf(state).join(', ');

/** In xstate's form it is a text, or a map by the states around. */
function pathsOf(state: unknown): string[] {
  if (typeof state !== 'object' || state === null) return [String(state)];
  return Object.entries(state).flatMap(([around, within]) => {
    const inner = pathsOf(within);
    return inner.length === 0 ? [around] : inner.map((path) => `${around}.${path}`);
  });
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Two units: an operator does not need the third. */
export function span(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= DAY_MS) return `${Math.floor(left / DAY_MS)} d ${Math.floor((left % DAY_MS) / HOUR_MS)} h`;
  if (left >= HOUR_MS)
    return `${Math.floor(left / HOUR_MS)} h ${Math.floor((left % HOUR_MS) / MINUTE_MS)} min`;
  if (left >= MINUTE_MS)
    return `${Math.floor(left / MINUTE_MS)} min ${Math.floor((left % MINUTE_MS) / SECOND_MS)} s`;
  return `${Math.floor(left / SECOND_MS)} s`;
}

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
