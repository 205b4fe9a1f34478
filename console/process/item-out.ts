// Whether somebody still has what a process has given out, though it has ended: until a person says what became of it.
import { callTemporal } from '../../processes/temporal-context.ts';
import { itemsOutOf } from '../../processes/views/items-out.ts';
import { shipmentsIn } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { ConsoleParts } from '../console-parts.ts';

/** A page asks again every few seconds, and an ended process changes no more. */
const SHARED_MS = 5_000;

type ItemsOut = Awaited<ReturnType<typeof itemsOutOf>>;

/** Null: Temporal's search does not say it now. */
export async function itemsOutOfCase(
  parts: Pick<ConsoleParts, 'client' | 'shared'>,
  { key, status, progress }: Pick<ShownProcess, 'key' | 'status' | 'progress'>,
): Promise<ItemsOut | null> {
  const uids = shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment.shipmentUid);
  if (status === 'Running' || uids.length === 0) return { out: [], settled: [] };
  const read = () => callTemporal(parts, () => itemsOutOf(parts.client, uids));
  return await parts.shared.of(`items out of ${key}`, SHARED_MS, read).catch(() => null);
}
