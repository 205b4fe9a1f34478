// Several processes of one cause, as an entry of Work or an offline wall has them: which they are, and the remedy for all of them.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { BatchView, OutcomesView, WorkEntry } from '../../processes/processes-view.ts';
import { useJson } from '../api.ts';
import { formatAbout } from '../parts/about.tsx';
import { Button } from '../parts/button.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { useReach } from '../shell/reach.ts';
import type { BulkActionDialogProps } from './bulk-action-dialog.tsx';
import { isUnsent } from './bulk-outcomes.tsx';
import { verbs } from './bulk-verbs.ts';
import './many.css';

const SHOWN = 20;

/** A remedy for all of them. */
export type Bulk = Pick<BulkActionDialogProps, 'verb' | 'keys' | 'abouts'>;

interface ManyProps {
  readonly many: NonNullable<WorkEntry['many']>;
  readonly canAct: boolean;
  readonly begin: (bulk: Bulk) => void;
  /** One of them, by the id of its own entry. */
  readonly choose?: (id: string) => void;
}

export function Many({
  many: { keys, remedy, abouts = {}, members = [] },
  canAct,
  begin,
  choose,
}: ManyProps) {
  const { message } = useReach();
  const isThere = remedy !== 'message' || message;
  const [isWhole, setWhole] = useState(false);
  const known = new Set(members.map(({ key }) => key));
  const others = keys.filter((key) => !known.has(key));
  const all: readonly Listed[] = [...members, ...others.map((key) => ({ key, about: abouts[key] }))];
  const shown = isWhole ? all : all.slice(0, SHOWN);
  const told = useTold(keys, remedy === 'message');
  return (
    <>
      {told && (
        <p class="note">
          {t`${told.count} of ${keys.length} were told:`} <Time at={told.at} />
          {told.by !== null && t`, by ${told.by}`} (
          <a href={`/batches/${encodeURIComponent(told.id)}`}>{t`what each was told`}</a>).
        </p>
      )}
      {remedy && isThere && (
        <Button
          press={() => begin({ verb: remedy, keys, abouts: new Map(Object.entries(abouts)) })}
          kind={told === null ? 'main' : undefined}
          disabled={!canAct}
        >
          {verbs[remedy].forAll(keys.length)}
        </Button>
      )}
      <ul class="plain many">
        {shown.map(({ id, key, title, about }) => (
          <li key={id ?? key}>
            <a
              href={
                id ? `?${new URLSearchParams({ entry: id })}` : `/process/${encodeURIComponent(`${key}`)}`
              }
              onClick={(event) => {
                if (!id || !choose || event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                choose(id);
              }}
            >
              {formatAbout({ about }) ?? key ?? title}
            </a>{' '}
            {about && key && <span class="soft key">{key}</span>}
          </li>
        ))}
      </ul>
      {shown.length < all.length && <Button press={() => setWhole(true)}>{t`Show all ${all.length}`}</Button>}
    </>
  );
}

/** A member of a group is its own entry. */
type Listed = Pick<WorkEntry, 'key' | 'about'> & Partial<Pick<WorkEntry, 'id' | 'title'>>;

interface Told {
  readonly id: string;
  readonly at: string;
  readonly by: string | null;
  /** How many of these were. */
  readonly count: number;
}

const DAY_MS = 86_400_000;
/** As many as one page of outcomes has. */
const MOST_TOLD = 200;

/** By the newest batch of messages of the last day: who comes after must not send the same again. Null: by none. */
function useTold(keys: readonly string[], isAsked: boolean): Told | null {
  const { data: list } = useLive<{ readonly batches: readonly BatchView[] }>(
    isAsked ? '/v1/batches' : undefined,
  );
  const newest = list?.batches.find(
    ({ command, startedAt }) => command === 'message' && Date.now() - Date.parse(startedAt) < DAY_MS,
  );
  const { data: page } = useJson<Pick<OutcomesView, 'outcomes'>>(
    newest && `/v1/batches/${encodeURIComponent(newest.id)}/outcomes?only=done&size=${MOST_TOLD}`,
    `${newest?.status?.done}`,
  );
  const done = new Set(page?.outcomes.filter((each) => !isUnsent(each)).map(({ key }) => key));
  const count = keys.filter((key) => done.has(key)).length;
  if (!newest || count === 0) return null;
  return { id: newest.id, at: newest.startedAt, by: newest.onBehalfOf ?? newest.by, count };
}
