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

/** By time. Stock has been in lockers before its process began: that is of other cases. */
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
  return [...happened, ...own].sort((one, other) => timeOf(one) - timeOf(other));
}

const timeOf = (row: HappenedRow | undefined): number => Date.parse(row?.at ?? '') || 0;
