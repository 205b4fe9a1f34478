// Several processes of one cause, as an entry of Work or an offline wall has them: which they are, and the remedy for all of them.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry } from '../../processes/processes-view.ts';
import { TellAll } from '../outreach/tell-all.tsx';
import { useTold } from '../outreach/told-before.tsx';
import { formatAbout } from '../parts/about.tsx';
import { Button } from '../parts/button.tsx';
import { useReach } from '../shell/reach.ts';
import type { BulkActionDialogProps } from './bulk-action-dialog.tsx';
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
      <div class="row">
        {remedy && isThere && (
          <TellAll
            keys={keys}
            words={verbs[remedy].forAll(keys.length)}
            told={told}
            canAct={canAct}
            begin={(chosen) => begin({ verb: remedy, keys: chosen, abouts: new Map(Object.entries(abouts)) })}
          />
        )}
      </div>
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
            {about && key && <span class="soft key">{key}</span>}{' '}
            {key && told.has(key) && told.size < keys.length && '✓'}
          </li>
        ))}
      </ul>
      {shown.length < all.length && <Button press={() => setWhole(true)}>{t`Show all ${all.length}`}</Button>}
    </>
  );
}

/** A member of a group is its own entry. */
type Listed = Pick<WorkEntry, 'key' | 'about'> & Partial<Pick<WorkEntry, 'id' | 'title'>>;
