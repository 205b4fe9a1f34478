// Where the item of a case is that books nothing itself, as one that only asks about it: another open case may have it, and is found
// by the reference of the item.

import { itemsIn, subjectOfItem } from '../../flows/language/subjects.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { quoted } from '../../processes/views/flow-query.ts';
import { foundPage } from '../../processes/views/found-flows.ts';
import { whereOf } from '../../processes/views/item-locations.ts';
import type { ProcessReader, ProcessSnapshot, ShownProcess } from '../../processes/views/shown-process.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ItemLocation } from './overview/overview-view.ts';

/** Each search costs Temporal something, and a page asks again every few seconds. */
const SHARED_MS = 5_000;
/** Seldom does more than one have it: who has it is the newest. */
const MAX_CASES = 3;

export interface ItemElsewhere {
  readonly snapshot: ProcessSnapshot;
  readonly where: readonly ItemLocation[];
}

type Parts = Pick<ConsoleParts, 'client' | 'shared'>;
type Reader = Pick<ProcessReader, 'snapshot'>;

/** Undefined: nobody knows it, or its own case says where it is. */
export async function itemElsewhere(
  parts: Parts,
  reader: Reader,
  { process, described }: ProcessSnapshot,
): Promise<ItemElsewhere | undefined> {
  const [item] = booksNothing(process) ? itemsIn(subjectsOf(described)) : [];
  if (item === undefined) return undefined;
  const query = `LockerSubjects = ${quoted(subjectOfItem(item))} AND ExecutionStatus = 'Running'`;
  const read = () => callTemporal(parts, () => foundPage(parts.client, query, { size: MAX_CASES + 1 }));
  try {
    const { flows } = await parts.shared.of(`cases with the item ${item}`, SHARED_MS, read);
    for (const { workflowId } of flows.filter((each) => each.workflowId !== process.key)) {
      const snapshot = await reader.snapshot(workflowId);
      const where = placesIn(snapshot.process);
      if (where.length > 0) return { snapshot, where };
    }
  } catch (error) {
    // Not to know it is no fault of this case.
    if (!commandErrorOf(error)) throw error;
  }
  return undefined;
}

const booksNothing = ({ status, progress }: Pick<ShownProcess, 'status' | 'progress'>): boolean =>
  (status === 'Running' || status === 'Completed') &&
  progress?.bookings.length === 0 &&
  progress.children.length === 0;

const subjectsOf = ({ searchAttributes }: ProcessSnapshot['described']): string[] =>
  [searchAttributes.LockerSubjects ?? []].flat().map(String);

/** Whose it is only those are told who may know people. */
function placesIn({ status, progress }: ShownProcess): ItemLocation[] {
  if (status !== 'Running' || !progress) return [];
  return whereOf(progress, true, {
    left: (locker) => t`Left in ${locker}`,
    withUser: () => t`With its borrower`,
    notYet: (locker) => t`Not in ${locker ?? t`a locker`} yet`,
    inside: (locker) => t`In ${locker}`,
  }).map((place) => (place.isWithPerson ? { ...place, pupUid: null } : place));
}
