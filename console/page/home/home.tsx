// Home: the morning on one screen. What waits for us, how the walls are, what is urgent, and what happened since the last visit.
// Each part is a page of its own, too; here stands its beginning, with the way there.
import type { ExpectedSteps, ProcessCounts, WorkView } from '../../processes/processes-view.ts';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { Time, useEndOfDay } from '../parts/time.tsx';
import { useUnread } from '../readings.ts';
import { lastVisitOf } from '../shell/last-visit.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { Expected } from './expected.tsx';
import { Figures } from './figures.tsx';
import { Since } from './since.tsx';
import { Today } from './today.tsx';
import { Urgent } from './urgent.tsx';
import { WallRows } from './wall-rows.tsx';
import './home.css';
import { t } from '../../../shared/texts/text.ts';

export function Home({ user }: ViewProps) {
  const dueBefore = useEndOfDay();
  const counts = useLive<ProcessCounts>('/v1/counts');
  const work = useLive<WorkView>(`/v1/inbox/entries?${new URLSearchParams({ dueBefore })}`);
  const expected = useLive<ExpectedSteps>(`/v1/expected?${new URLSearchParams({ dueBefore })}`);
  const walls = useLive<readonly PickUpPointRow[]>('/api/walls');
  useUnread((work.data?.unread ?? []).map(({ what }) => what));
  const visit = lastVisitOf(user.name);
  return (
    <>
      <div class="row between">
        <h1>
          {greetingOf(new Date())}, {user.name}
        </h1>
        {visit && (
          <p class="soft">
            {t`Your last visit ended`} <Time at={visit.toISOString()} />
          </p>
        )}
      </div>
      <Figures user={user} counts={counts} work={work} />
      <div class="columns home">
        <div class="stack">
          <WallRows walls={walls} work={work} />
          <Urgent work={work} />
          <Today work={work} />
          <Expected expected={expected} />
        </div>
        <Since visit={visit} />
      </div>
    </>
  );
}

const NOON = 12;
const EVENING = 18;

function greetingOf(now: Date): string {
  const hour = now.getHours();
  if (hour < NOON) return t`Good morning`;
  return hour < EVENING ? t`Good afternoon` : t`Good evening`;
}
