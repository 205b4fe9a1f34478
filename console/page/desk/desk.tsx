// The desk: one registers a parcel and gets its slips; beside it one finds a parcel, and sees what was booked here today.
import { useRef, useState } from 'preact/hooks';
import type { DeskToday, ItemFound, ItemsFound } from '../../desk/desk-view.ts';
import type { ProcessPage } from '../../processes/processes-view.ts';
import { Combobox } from '../forms/combobox.tsx';
import type { Values } from '../forms/form-values.ts';
import { Item, stateWords } from '../forms/search-fields.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { getJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, midSentence } from '../shell/locale.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';
import type { ViewProps } from '../shell/view.ts';
import { addressOf, Parcel } from './parcel.tsx';
import { Register } from './register.tsx';
import './desk.css';

/** The pick up point of this desk, in this browser. */
const KEPT = 'lockerflow-desk';

export function Desk({ user, search }: ViewProps) {
  const { desk: words } = currentMessages();
  return user.roles.includes('decide') ? (
    <ForDeciders search={search} />
  ) : (
    <>
      <h1>{currentMessages().shell.navigation['/desk']}</h1>
      <p class="card">{words.needsRole}</p>
    </>
  );
}

function ForDeciders({ search }: Pick<ViewProps, 'search'>) {
  const { desk: words } = currentMessages();
  const [pupUid, setPupUid] = useState(search.get('pup') ?? localStorage.getItem(KEPT) ?? '');
  // Another form for each parcel; one that was refused comes back with what was typed.
  const [form, setForm] = useState<{ readonly number: number; readonly values: Values }>({
    number: 0,
    values: {},
  });
  const sent = useRef(new Map<string, Values>());
  const key = search.get('parcel');
  const today = useToday(pupUid);
  const show = (parcel: string | null) => goTo(addressWith(search, { parcel }), { replace: true });
  const renew = (values: Values) => setForm(({ number }) => ({ number: number + 1, values }));
  const typed = key === null ? undefined : sent.current.get(key);
  return (
    <>
      <h1>{currentMessages().shell.navigation['/desk']}</h1>
      <div class="columns desk">
        {key !== null && (
          <Parcel
            key={key}
            parcelKey={key}
            close={() => show(null)}
            edit={
              typed &&
              (() => {
                renew(typed);
                show(null);
              })
            }
          />
        )}
        <Register
          key={form.number}
          pupUid={pupUid}
          values={form.values}
          choosePoint={(chosen) => {
            localStorage.setItem(KEPT, chosen);
            setPupUid(chosen);
          }}
          registeredToday={(number) => today?.parcels.find(({ referenceNo }) => referenceNo === number)}
          registered={(parcel, values) => {
            sent.current.set(parcel, values);
            renew({});
            show(parcel);
          }}
        />
        <div class="desk-side not-printed">
          <Find />
          <TodayList pupUid={pupUid} today={today} />
          <p>
            <a href="/flows">{words.orStart}</a>
          </p>
        </div>
      </div>
    </>
  );
}

const MINUTE_MS = 60_000;

function useToday(pupUid: string): DeskToday | undefined {
  const now = new Date(useNow(MINUTE_MS));
  const since = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
  return useLive<DeskToday>(
    pupUid === '' ? undefined : `/api/desk/today?${new URLSearchParams({ pupUid, since })}`,
  ).data;
}

function Find() {
  const { find: words } = currentMessages().desk;
  return (
    <section class="card form" aria-labelledby="find">
      <h2 id="find">{words.title}</h2>
      <Combobox<ItemFound>
        label={words.field}
        hint={words.hint}
        wrong={undefined}
        listLabel={words.found}
        none={words.none}
        more={common().mayBeMore}
        ask={(text) =>
          getJson<ItemsFound>(`/api/desk/items?${new URLSearchParams({ kind: 'parcel', text })}`)
        }
        row={Item}
        take={({ shipmentUid }) => void open(shipmentUid)}
      />
    </section>
  );
}

/** The process that has the shipment; where none has it, the list says so. */
async function open(shipmentUid: string): Promise<void> {
  const search = `find=${encodeURIComponent(shipmentUid)}&state=all`;
  const { items } = await getJson<ProcessPage>(`/v1/processes?${search}&summaries=false`);
  goTo(items[0] ? addressOf(items[0].key) : `/processes?${search}`);
}

interface TodayListProps {
  readonly pupUid: string;
  readonly today: DeskToday | undefined;
}

function TodayList({ pupUid, today }: TodayListProps) {
  const { today: words } = currentMessages().desk;
  const names = usePickUpPointNames();
  if (pupUid === '')
    return (
      <section class="card" aria-labelledby="today">
        <h2 id="today">{currentMessages().work.groups.today}</h2>
        <p>{words.choose}</p>
      </section>
    );
  return (
    <section class="card" aria-labelledby="today">
      <h2 id="today">{words.at(names.get(pupUid) ?? pupUid)}</h2>
      {!today && <NotYet />}
      {today && (
        <p class="soft">{today.parcels.length === 0 ? words.none : words.count(today.parcels.length)}</p>
      )}
      <ul class="today plain">
        {today?.parcels.map(({ key, at, flowName, referenceNo, description, to, lockerName, stateCode }) => (
          <li key={key} data-key={key}>
            <a href={addressOf(key)}>{referenceNo ?? description ?? to ?? flowName}</a>{' '}
            <span class="pill">{stateWords(stateCode)}</span>
            <br />
            <span class="soft">
              {[(referenceNo ?? description) && to, lockerName && midSentence(common().locker(lockerName))]
                .filter(Boolean)
                .map((each) => `${each}, `)}
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
      {today?.isComplete === false && <p class="soft">{words.newest}</p>}
    </section>
  );
}
