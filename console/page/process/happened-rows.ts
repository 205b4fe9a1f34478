// What happened in a case and at its doors as one list, and which of it is shown.

import { t } from '../../../shared/texts/text.ts';
import type { DoorHistory, HappenedRow } from '../../process/process-view.ts';

/** A row of a door has no run of the process. */
const isDoor = ({ runId }: HappenedRow): boolean => runId === '';

/** Programs read codes all day: that stands with the doors alone. */
export const filters = {
  all: { words: t`All`, isShown: (row: HappenedRow) => !isDoor(row) || row.isByPeople },
  people: { words: t`People`, isShown: (row: HappenedRow) => row.isByPeople || row.why !== null },
  doors: { words: t`Doors`, isShown: isDoor },
} as const;

/** The clocks of the service and of Temporal may differ by so much. */
const TOLERANCE_MS = 60_000;

/** So close together the clocks do not say what came first. */
const SAME_MOMENT_MS = 1_000;

/**
 * By time, and what is of one moment by cause: what was asked for, its door, what became of the item there, what the process did then,
 * messages. Only the door is not in the history of the process, which has the rest in this order.
 *
 * Stock has been in lockers before its process began: that is of other cases.
 */
export function merged(
  happened: readonly HappenedRow[],
  doors: DoorHistory | undefined,
): readonly HappenedRow[] {
  const rows = (doors?.items ?? []).map(
    ({ id, isByProgram, ...row }): HappenedRow => ({
      ...row,
      did: [],
      by: null,
      isByPeople: !isByProgram,
      undo: null,
      runId: '',
      eventId: id,
    }),
  );
  const since = timeOf(happened[0]) - TOLERANCE_MS;
  const own = rows.filter((row) => timeOf(row) >= since);
  const all: HappenedRow[] = [];
  for (const row of happened) {
    for (let [door] = own; door && isBefore(door, row, all.at(-1)); [door] = own) {
      all.push(door);
      own.shift();
    }
    all.push(row);
  }
  return [...all, ...own];
}

/** @param last the row before them: of a door that opened, it is the cause already */
function isBefore(door: HappenedRow, row: HappenedRow, last: HappenedRow | undefined): boolean {
  const sinceMs = timeOf(door) - timeOf(row);
  const hasCause = last !== undefined && isDoor(last) && !last.isBad;
  return sinceMs < 0 || (row.isAtLocker === true && !hasCause && sinceMs < SAME_MOMENT_MS);
}

const timeOf = (row: HappenedRow | undefined): number => Date.parse(row?.at ?? '') || 0;
