// What is read of processes and of whom they are about, and kept for a while: all areas of the console share it.

import { ProcessFailures } from '../processes/views/failures.ts';
import { type LeftItems, leftItems } from '../processes/views/left-items.ts';
import { RowSubjects } from '../processes/views/row-subjects.ts';
import { SortedPages } from '../processes/views/sorted-page.ts';
import { ProcessSummaries } from '../processes/views/summaries.ts';
import { WantedAtStart } from '../processes/views/wanted-at-start.ts';
import { WholeOperations } from '../processes/views/whole-operations.ts';
import type { ConsoleParts } from './console-parts.ts';

/** A list of the page is read again after two seconds: what was not known in time stands there then. */
const ROWS_WITHIN_MS = 500;

/** Whoever fetches one reads it in the case at once. */
const LEFT_MS = 5_000;

export interface ConsoleReaders {
  readonly summaries: ProcessSummaries;
  readonly sorted: SortedPages;
  readonly failures: ProcessFailures;
  readonly subjects: RowSubjects;
  readonly wanted: WantedAtStart;
  readonly left: () => Promise<LeftItems>;
}

export function consoleReaders(parts: ConsoleParts): ConsoleReaders {
  const summaries = new ProcessSummaries(parts, ROWS_WITHIN_MS);
  const wanted = new WantedAtStart(parts);
  return {
    summaries,
    sorted: new SortedPages(parts, summaries),
    failures: new ProcessFailures(parts),
    subjects: new RowSubjects({ ...parts, operations: new WholeOperations(parts), wanted }),
    wanted,
    left: () => parts.shared.of('items left', LEFT_MS, () => leftItems(parts.service)),
  };
}
