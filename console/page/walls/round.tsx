// The round at a wall: what is to be fetched there, and whatever else is wrong at a door, in the order of the wall. Each has one button that
// opens, and one that says that its item is out.

import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { RoundStop, WallView } from '../../walls/walls-view.ts';
import { ActionButton } from '../forms/action-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { useUnread } from '../readings.ts';
import { wallAddress } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';

/** One that somebody has had opened here, with what the service said. */
type Opened = RoundStop & { readonly words?: string | undefined };

export function Round({ params, user }: ViewProps) {
  const { pupUid = '' } = params;
  const { data, refusal } = useLive<WallView>(`/api/walls/${encodeURIComponent(pupUid)}`);
  useUnread(data?.unread ?? []);
  // The service forgets the item of a locker that is opened: whoever stands before it must not.
  const [opened, setOpened] = useState<ReadonlyMap<string, Opened>>(new Map());
  const keep = (lockerUid: string, stop?: Opened) =>
    setOpened((before) => {
      const after = new Map(before);
      if (stop) after.set(lockerUid, stop);
      else after.delete(lockerUid);
      return after;
    });
  const now = new Map(data?.round.map((stop) => [stop.lockerUid, stop]));
  const stops = (data?.lockers ?? []).flatMap(
    ({ lockerUid }) => now.get(lockerUid) ?? opened.get(lockerUid) ?? [],
  );
  return (
    <>
      <h1>
        {t`Round at`} {data?.name ?? pupUid}
      </h1>
      {!data && <NotYet refusal={refusal} />}
      {data?.offline && (
        <p class="refusal" role="status">
          <TextWithTimes text={data.offline.words} />
        </p>
      )}
      {data && (
        <p role="status">
          {stops.length === 0
            ? t`Nothing is to be fetched here, and no door stands open.`
            : t`${stops.length} ${stops.length === 1 ? t`locker` : t`lockers`} to go to, in the order of their numbers.`}
        </p>
      )}
      <ol class="cards plain">
        {stops.map((stop) => (
          <li key={stop.lockerUid} class="card">
            <Stop
              stop={stop}
              opened={opened.get(stop.lockerUid)}
              address={wallAddress(pupUid, stop.lockerUid)}
              canDecide={user.roles.includes('decide')}
              keep={(kept) => keep(stop.lockerUid, kept)}
            />
          </li>
        ))}
      </ol>
      <p>
        <a href={`/walls/${encodeURIComponent(pupUid)}`}>{t`The whole wall`}</a>
      </p>
    </>
  );
}

interface StopProps {
  readonly stop: RoundStop;
  readonly opened: Opened | undefined;
  /** Of the locker, with all that can be done there. */
  readonly address: string;
  readonly canDecide: boolean;
  readonly keep: (opened?: Opened) => void;
}

function Stop({ stop, opened, address, canDecide, keep }: StopProps) {
  const { lockerName, reasons, open, out } = stop;
  // What lay in it is known from before it was opened.
  const { item, people } = opened ?? stop;
  const about = t`Locker ${lockerName}`;
  return (
    <>
      <h2 class="big">
        <a href={address}>{about}</a>
      </h2>
      <p>
        <strong>{reasons.join('; ')}</strong>
      </p>
      {(item || people.length > 0) && <p>{[item, ...people].filter(Boolean).join(', ')}</p>}
      {opened && (
        <p class="note" role="status">
          {opened.words}
        </p>
      )}
      {canDecide && (
        <div class="row">
          {open && (
            <ActionButton
              form={open}
              about={about}
              done={({ done }) => keep({ ...stop, out: null, words: done })}
            />
          )}
          {out && <ActionButton form={out} about={about} done={() => keep()} />}
          {opened && !out && <Button kind="main" press={() => keep()}>{t`It was taken out`}</Button>}
        </div>
      )}
    </>
  );
}
