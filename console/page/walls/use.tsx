// The use of a pick up point over the last week: how full it was in each hour, and which bookings found no locker.
import { useMemo, useState } from 'preact/hooks';
import type { UseView } from '../../walls/walls-view.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { inWords } from '../parts/time.tsx';
import { useJson } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';
import { type UseHour, useHours } from './use-hours.ts';
import { percent, UseLegend, UseTable } from './use-table.tsx';

export function Use({ pupUid }: { readonly pupUid: string }) {
  const { data, refusal, again } = useJson<UseView>(`/api/walls/use?pupUid=${encodeURIComponent(pupUid)}`);
  const [size, setSize] = useState('');
  const { use: words } = currentMessages().walls;
  const hours = useMemo(() => (data ? useHours(data, size) : []), [data, size]);
  return (
    <section class="card use" aria-labelledby="use">
      <h2 id="use">{words.title}</h2>
      {refusal && <RefusalNote refusal={refusal} />}
      {data && (
        <>
          <div class="row">
            <SelectField label={words.ofSize} value={size} set={setSize}>
              <option value="">{words.allSizes}</option>
              {data.sizes.map((each) => (
                <option key={each.size} value={each.size}>
                  {each.size}
                </option>
              ))}
            </SelectField>
            <Button press={again}>{words.again}</Button>
          </div>
          <Summary data={data} hours={hours} size={size} />
          <UseLegend />
          <UseTable hours={hours} />
        </>
      )}
    </section>
  );
}

interface SummaryProps {
  readonly data: UseView;
  readonly hours: readonly UseHour[];
  readonly size: string;
}

function Summary({ data: { timeInLocker, refusals }, hours, size }: SummaryProps) {
  const fullest = Math.max(0, ...hours.map(({ part }) => part));
  const refused = refusals
    .filter((each) => size === '' || each.size === size)
    .reduce((sum, each) => sum + each.refused, 0);
  const { itemCount, p50Seconds, p95Seconds } = timeInLocker;
  const { use: words } = currentMessages().walls;
  return (
    <ul>
      <li>{words.fullest(percent(fullest))}</li>
      <li>{refused === 0 ? words.allFound : words.refused(refused)}</li>
      <li>
        {itemCount === 0
          ? words.nonePickedUp
          : `${words.pickedUp(itemCount)} ${words.stayed(lasted(p50Seconds), lasted(p95Seconds))}`}
      </li>
    </ul>
  );
}

const lasted = (seconds: number | null): string => inWords((seconds ?? 0) * 1_000);
