// An item: where it is now, who had it when, and what the locker service has of it beyond the cases.
import type { ItemView } from '../../find/person-view.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { useUnread } from '../readings.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { OpenCases } from './cases-of.tsx';
import { ItemNow } from './item-now.tsx';
import { Shipments } from './shipments.tsx';
import { WhoHadIt } from './who-had-it.tsx';

export function Item({ params }: ViewProps) {
  const { reference = '' } = params;
  const { data, refusal } = useLive<ItemView>(`/v1/items/${encodeURIComponent(reference)}`);
  useUnread(data?.unread ?? []);
  return (
    <>
      <h1>{data?.title ?? reference}</h1>
      {data && data.title !== reference && <p class="key">{reference}</p>}
      {data ? <ItemNow item={data} /> : <NotYet refusal={refusal} />}
      <OpenCases wanted={{ item: reference }} />
      {data && <WhoHadIt item={data} />}
      {data && <Shipments of={data} people={data.people} />}
    </>
  );
}
