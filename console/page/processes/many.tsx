// Several processes of one cause, as an entry of Work or an offline wall has them: which they are, and the remedy for all of them.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry } from '../../processes/processes-view.ts';
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
}

export function Many({ many: { keys, remedy, abouts = {} }, canAct, begin }: ManyProps) {
  const { message } = useReach();
  const isThere = remedy !== 'message' || message;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? keys : keys.slice(0, SHOWN);
  return (
    <>
      {remedy && isThere && (
        <Button
          press={() => begin({ verb: remedy, keys, abouts: new Map(Object.entries(abouts)) })}
          kind="main"
          disabled={!canAct}
        >
          {verbs[remedy].forAll(keys.length)}
        </Button>
      )}
      <ul class="plain many">
        {shown.map((key) => (
          <li key={key}>
            <a href={`/process/${encodeURIComponent(key)}`}>{formatAbout({ about: abouts[key] }) ?? key}</a>{' '}
            {abouts[key] && <span class="soft key">{key}</span>}
          </li>
        ))}
      </ul>
      {shown.length < keys.length && (
        <Button press={() => setWhole(true)}>{t`Show all ${keys.length}`}</Button>
      )}
    </>
  );
}
