// What happened before this shift, in one line above Work: who did how much. The log has all of it.

import { t } from '../../../shared/texts/text.ts';
import type { LogEntry } from '../../processes/processes-view.ts';
import { whoOf } from '../log/log-parts.tsx';
import { momentOf } from '../log/since.ts';
import { useLog } from '../log/use-log.ts';
import { inFigures } from '../parts/format.ts';
import { Time } from '../parts/time.tsx';
import { lastVisitOf } from '../shell/last-visit.ts';

/** Nothing where nothing happened; what could not be read, the log itself says. */
export function SinceLine({ name }: { readonly name: string }) {
  const visit = lastVisitOf(name);
  const choice = visit ? 'visit' : 'night';
  const since = momentOf(choice, visit)?.toISOString();
  const { entries, next } = useLog(since && new URLSearchParams({ since }).toString());
  if (entries.length === 0) return null;
  return (
    <p class="small">
      <a href={`/log?since=${choice}`}>
        {t`Since`} <Time at={since} />: {summaryOf(entries)}
        {next !== null && t`; there is more`}
      </a>
    </p>
  );
}

/** "noor 6, bram 1; 2 notes; 14 failed" */
function summaryOf(entries: readonly LogEntry[]): string {
  const count = (kind: LogEntry['kind']) => entries.filter((entry) => entry.kind === kind).length;
  const commands = entries.filter(({ kind }) => kind === 'command');
  const people = Object.entries(Object.groupBy(commands, whoOf)).map(
    ([who, theirs = []]) => `${who} ${inFigures(theirs.length)}`,
  );
  const [notes, failures] = [count('note'), count('failure')];
  return [
    people.join(', '),
    notes > 0 && (notes === 1 ? t`1 note` : t`${inFigures(notes)} notes`),
    failures > 0 && t`${inFigures(failures)} failed`,
  ]
    .filter(Boolean)
    .join('; ');
}
