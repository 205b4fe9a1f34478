// Which moves of an end can be taken back still: those of each deadline or wait, the newest first, each for ten minutes.
import { z } from 'zod';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { TimelineEntry } from './timeline.ts';
import { isPutBack } from './updates.ts';

export const OFFERED_FOR_MS = 10 * 60_000;

export const undo = z
  .object({
    offeredUntil: z.string(),
    fields: z
      .record(z.string(), z.string().nullable())
      .meta({ description: 'The body of the command undoExtension, which takes it back' }),
  })
  .meta({ title: 'Undo' });
export type Undo = Readonly<z.infer<typeof undo>>;

/** By the run and the id of the entry's event. Of each deadline or wait the newest move that still holds; taken back, the one before. */
export function undosOf(entries: readonly TimelineEntry[], now: number): ReadonlyMap<string, Undo> {
  const moves = new Map<string, Move[]>();
  for (const { at, data, runId, eventId } of entries) {
    if (data.type !== 'updated' || !data.moved) continue;
    const { from, until } = data.moved;
    const { role, stage, timer, booking } = data.fields;
    const which = Object.entries({ role, stage, timer, booking }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    );
    const key = JSON.stringify(which);
    const before = moves.get(key) ?? [];
    if (isPutBack(data.fields)) moves.set(key, before.slice(0, -1));
    else if (until === null) moves.delete(key);
    else {
      // What does not end where this one began has been moved by something else since.
      const held = before.at(-1)?.until === from ? before : [];
      const fields = { ...Object.fromEntries(which), from, until };
      moves.set(key, [...held, { id: `${runId} ${eventId}`, at, until, fields }]);
    }
  }
  return new Map(
    [...moves.values()].flatMap((each) => {
      const last = each.at(-1);
      const untilMs = Date.parse(last?.at ?? '') + OFFERED_FOR_MS;
      if (!last || !(untilMs > now)) return [];
      return [[last.id, { offeredUntil: new Date(untilMs).toISOString(), fields: last.fields }]];
    }),
  );
}

/** Whether the process still waits for that end, which may be put back then. */
export function isOpenEnd(
  { role, stage, timer, booking }: Undo['fields'],
  { bookings, waitingFor }: Pick<ProcessProgress, 'bookings' | 'waitingFor'>,
): boolean {
  if (timer !== undefined) return waitingFor.some(({ id }) => id === timer);
  return bookings.some(
    ({ id, deadlines }) =>
      (booking === undefined || booking === id) &&
      deadlines.some((each) => each.role === role && each.stage === stage),
  );
}

interface Move {
  readonly id: string;
  readonly at: string | null;
  readonly until: string;
  readonly fields: Undo['fields'];
}
