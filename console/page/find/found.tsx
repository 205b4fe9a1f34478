// All that a search has found: people, items and lockers as links, cases as their list.

import { t } from '../../../shared/texts/text.ts';
import type { Found as FoundView } from '../../find/find-view.ts';
import { useJson } from '../api.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { ProcessTable } from '../processes/process-table.tsx';
import { useUnread } from '../readings.ts';
import { HitEnd } from '../shell/found-list.tsx';
import { type HitGroup, hitGroups } from '../shell/hits.ts';
import type { ViewProps } from '../shell/view.ts';

const MOST = '50';

export function Found({ search }: ViewProps) {
  const text = search.get('text')?.trim() ?? '';
  const wanted = text === '' ? undefined : `/v1/search?${new URLSearchParams({ text, most: MOST })}`;
  const { data, refusal } = useJson<FoundView>(wanted);
  useUnread(data?.unread ?? []);
  if (text === '') return <h1>{t`Find: type in the field above`}</h1>;
  const groups = data ? hitGroups({ ...data, cases: [] }, text) : [];
  const count = data ? groups.length + data.cases.length : 0;
  return (
    <>
      <h1>{t`Found for “${text}”`}</h1>
      {!data && <NotYet refusal={refusal} />}
      {data?.unread.map((each) => (
        <p class="note is-offline" role="status" key={each}>{t`Could not be searched: ${each}`}</p>
      ))}
      {data && count === 0 && (
        <p role="status">{t`Nothing is found. Check the spelling, or type less of it.`}</p>
      )}
      {groups.map((group) => (
        <Group key={group.title} group={group} />
      ))}
      {data && data.cases.length > 0 && (
        <section aria-label={t`Cases`}>
          <h2>{t`Cases`}</h2>
          <ProcessTable rows={data.cases} />
        </section>
      )}
      {data && !data.isComplete && <p>{t`There is more: type more of it.`}</p>}
    </>
  );
}

const Group = ({ group: { title, hits } }: { readonly group: HitGroup }) => (
  <section class="card" aria-label={title}>
    <h2>{title}</h2>
    <ul class="plain">
      {hits.map((hit) => (
        <li key={hit.id}>
          <a href={hit.href}>{hit.title}</a>{' '}
          <span class="soft">
            {hit.more}
            {hit.more && hit.end && ' · '}
          </span>{' '}
          <HitEnd hit={hit} />
        </li>
      ))}
    </ul>
  </section>
);
