// Which rows of a list are one case: a process and those that it has started. They stand behind each other, the case first.
import type { ProcessRow } from '../../processes/processes-view.ts';

export interface CaseRows {
  readonly row: ProcessRow;
  /** What it has started, as far as the list has it. */
  readonly parts: readonly ProcessRow[];
}

/** In the order of the list; a case stands where the first row of it stood. */
export function caseRows(rows: readonly ProcessRow[]): CaseRows[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const cases = new Map<string, ProcessRow[]>();
  for (const row of rows) {
    const key = rootOf(row, byKey).key;
    cases.set(key, [...(cases.get(key) ?? []), row]);
  }
  return [...cases].flatMap(([key, all]) => {
    const row = byKey.get(key);
    if (!row) return [];
    const parts = all.filter((each) => each !== row);
    return [{ row: asCase(row, parts), parts }];
  });
}

/** One that waits for the end of another alone stands where that one stands. */
function asCase(row: ProcessRow, parts: readonly ProcessRow[]): ProcessRow {
  const open = parts.filter(({ phase }) => phase !== null);
  const [{ summary: its, pickUpPoint } = { summary: null, pickUpPoint: null }, ...others] = open;
  const { summary: own } = row;
  if (!own || !its || others.length > 0 || own.where !== null || own.next?.isForUs) return row;
  return {
    ...row,
    pickUpPoint: row.pickUpPoint ?? pickUpPoint,
    summary: { ...own, where: its.where, next: its.next ?? own.next },
  };
}

/** The furthest that is in the list. */
function rootOf(row: ProcessRow, byKey: ReadonlyMap<string, ProcessRow>): ProcessRow {
  const parent = row.parent === null ? undefined : byKey.get(row.parent);
  return parent && parent !== row ? rootOf(parent, byKey) : row;
}
