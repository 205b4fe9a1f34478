// How much happened, as Home and Work say it of the same log: what was done, with who did how much, and what happened by itself.
import { t } from '../../../shared/texts/text.ts';
import type { LogEntry } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';

export const whoOf = ({ by, onBehalfOf }: Pick<LogEntry, 'by' | 'onBehalfOf'>): string =>
  onBehalfOf ? t`${onBehalfOf} by ${by ?? ''}` : `${by}`;

interface Counted {
  readonly entries: readonly LogEntry[];
  readonly atWalls: readonly unknown[];
}

/** "2 notes, 7 actions (noor 6, bram 1), 14 failures"; nothing where nothing happened. */
export function formatCounts({ entries, atWalls }: Counted): string {
  const of = (kind: LogEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  const counted = ({ length }: readonly unknown[], one: string, many = one) =>
    length === 0 ? [] : [`${inFigures(length)} ${length === 1 ? one : many}`];
  const people = Object.entries(Object.groupBy(of('command'), whoOf));
  const names = people.map(([who, theirs = []]) => `${who} ${inFigures(theirs.length)}`).join(', ');
  return [
    ...counted(of('note'), t`note`, t`notes`),
    ...counted(of('command'), t`action`, t`actions`).map((each) => `${each} (${names})`),
    ...counted(of('failure'), t`failure`, t`failures`),
    ...counted(of('late'), t`or more came to be late`),
    ...counted(atWalls, t`thing at the walls`, t`things at the walls`),
  ].join(', ');
}
