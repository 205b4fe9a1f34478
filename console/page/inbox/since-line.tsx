// What happened before this shift, in one line above Work, as Home counts it. The log has all of it.

import { t } from '../../../shared/texts/text.ts';
import { formatCounts } from '../log/format-counts.ts';
import { momentOf } from '../log/since.ts';
import { useLog } from '../log/use-log.ts';
import { Time } from '../parts/time.tsx';
import { lastVisitOf } from '../shell/last-visit.ts';

/** Nothing where nothing happened; what could not be read, the log itself says. */
export function SinceLine({ name }: { readonly name: string }) {
  const visit = lastVisitOf(name);
  const choice = visit ? 'visit' : 'night';
  const since = momentOf(choice, visit)?.toISOString();
  const { entries, atWalls, next } = useLog(since && new URLSearchParams({ since }).toString());
  const counts = formatCounts({ entries, atWalls });
  if (counts === '') return null;
  return (
    <p class="small">
      <a href={`/log?since=${choice}`}>
        {t`Since`} <Time at={since} />: {counts}
        {next !== null && t`; there is more`}
      </a>
    </p>
  );
}
