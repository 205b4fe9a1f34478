// Below the dry run of many starts: how many lockers are free where they would begin, so that nobody starts twelve where nine can be.

import { t } from '../../../shared/texts/text.ts';
import type { DeskLockers } from '../../desk/desk-view.ts';
import type { BulkOutcome } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useLive } from '../shell/live.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import { type WantedLocker, type WantedSize, wantedAt, wantedIn } from './lockers-wanted.ts';

export function FreeLockers({ outcomes }: { readonly outcomes: readonly BulkOutcome[] }) {
  const names = usePickUpPointNames();
  const places = Map.groupBy(wantedIn(outcomes), ({ pupUid }) => pupUid);
  return (
    <>
      {[...places].map(([pupUid, wanted]) => (
        <AtPlace key={pupUid} pupUid={pupUid} name={names.get(pupUid) ?? pupUid} wanted={wanted} />
      ))}
    </>
  );
}

interface AtPlaceProps {
  readonly pupUid: string;
  readonly name: string;
  readonly wanted: readonly WantedLocker[];
}

function AtPlace({ pupUid, name, wanted }: AtPlaceProps) {
  const { data, refusal } = useLive<DeskLockers>(`/api/desk/lockers/${encodeURIComponent(pupUid)}`);
  if (!data) return refusal ? <RefusalNote refusal={refusal} /> : null;
  const { sizes, tooLarge } = wantedAt(data, wanted);
  const isShort = tooLarge > 0 || sizes.some(({ short }) => short > 0);
  return (
    <div class={isShort ? 'note is-late' : 'note'}>
      {sizes.map((each) => (
        <p key={each.size}>{`${name}: ${formatSize(each)}`}</p>
      ))}
      {tooLarge > 0 && <p>{t`${name}: ${inFigures(tooLarge)} fit in no locker there`}</p>}
    </div>
  );
}

/** Like "9 M free, 12 wanted: 3 would find no locker now". */
function formatSize({ size, wanted, free, larger, short }: WantedSize): string {
  const which = size === null ? inFigures(free) : `${inFigures(free)} ${size}`;
  const all =
    larger > 0
      ? t`${which} and ${inFigures(larger)} larger free, ${inFigures(wanted)} wanted`
      : t`${which} free, ${inFigures(wanted)} wanted`;
  return short > 0 ? `${all}: ${t`${inFigures(short)} would find no locker now`}` : all;
}
