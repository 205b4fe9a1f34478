// What happened since the last visit: the beginning of the log. Who did what, what failed by itself, and notes; what came to be late, and
// what happened at the walls, it counts.

import { t } from '../../../shared/texts/text.ts';
import type { LogEntry } from '../../processes/processes-view.ts';
import { formatCounts } from '../log/format-counts.ts';
import { ByPerson, Failures, Rows, UnreadOf, WallsUnread } from '../log/log-parts.tsx';
import { momentOf } from '../log/since.ts';
import { useLog } from '../log/use-log.ts';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';

/** So many notes, steps of each person, and causes are shown. The log has all of it. */
const MOST = 4;

export function Since({ visit }: { readonly visit: Date | undefined }) {
  const choice = visit ? 'visit' : 'night';
  const since = momentOf(choice, visit)?.toISOString();
  const { entries, unread, atWalls, wallsUnread, next, isReading, refusal } = useLog(
    since && new URLSearchParams({ since }).toString(),
  );
  const of = (kind: LogEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  const [notes, commands, failures] = [of('note'), of('command'), of('failure')];
  const count = entries.length + atWalls.length;
  const isWhole = unread.length === 0 && wallsUnread.length === 0;
  return (
    <section class="card" aria-labelledby="home-since">
      <div class="card-head">
        <h2 id="home-since">
          {visit ? t`Since your last visit,` : t`Since`} <Time at={since} />
        </h2>
        <a class="small" href={`/log?since=${choice}`}>{t`The whole log`}</a>
      </div>
      {refusal && <RefusalNote refusal={refusal} />}
      <UnreadOf unread={unread} />
      <WallsUnread wallsUnread={wallsUnread} />
      {isReading && count === 0 && <NotYet words={t`Reading what happened …`} />}
      {!isReading && !refusal && count === 0 && isWhole && (
        <p class="soft">{t`Nobody did anything, and nothing failed.`}</p>
      )}
      {count > 0 && (
        <p class="soft small" role="status">
          {formatCounts({ entries, atWalls })}
          {next !== null && t`; there is more`}
        </p>
      )}
      {notes.length > 0 && (
        <section aria-label={t`Notes`}>
          <h3>{t`Notes`}</h3>
          <Rows entries={notes.slice(0, MOST)} />
        </section>
      )}
      <ByPerson
        entries={commands}
        most={MOST}
        onlyOf={(by) => `/log?${new URLSearchParams({ since: choice, by })}`}
      />
      {failures.length > 0 && (
        <section aria-label={t`What failed by itself`}>
          <h3>{t`What failed by itself`}</h3>
          <Failures entries={failures} most={MOST} />
        </section>
      )}
    </section>
  );
}
