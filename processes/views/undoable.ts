// Which moves of an end can be taken back still: the last one of each deadline or wait, for ten minutes.
import { z } from 'zod';
import type { TimelineEntry } from './timeline.ts';
import { isPutBack } from './updates.ts';

const OFFERED_FOR_MS = 10 * 60_000;

export const undo = z
  .object({
    offeredUntil: z.string(),
    fields: z
      .record(z.string(), z.string().nullable())
      .meta({ description: 'The body of the command undoExtension, which takes it back' }),
  })
  .meta({ title: 'Undo' });
export type Undo = Readonly<z.infer<typeof undo>>;

/** By the run and the id of the entry's event. */
export function undosOf(entries: readonly TimelineEntry[], now: number): ReadonlyMap<string, Undo> {
  const last = new Map<string, readonly [string, Undo]>();
  for (const { at, data, runId, eventId } of entries) {
    if (data.type !== 'updated' || !data.moved?.until) continue;
    const { from, until } = data.moved;
    const { role, stage, timer, booking } = data.fields;
    const which = Object.entries({ role, stage, timer, booking }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    );
    const offeredUntil = new Date(Date.parse(at ?? '') + OFFERED_FOR_MS);
    const key = JSON.stringify(which);
    if (isPutBack(data.fields) || !(offeredUntil.getTime() > now)) last.delete(key);
    else {
      const fields = { ...Object.fromEntries(which), from, until };
      last.set(key, [`${runId} ${eventId}`, { offeredUntil: offeredUntil.toISOString(), fields }]);
    }
  }
  return new Map(last.values());
}
