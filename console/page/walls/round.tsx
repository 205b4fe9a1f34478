// The round at a wall: what is to be fetched there, and whatever else is wrong at a door, in the order of the wall. Each has one button that
// opens, and one that says that its item is out.

import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { RoundStop, WallView } from '../../walls/walls-view.ts';
import { ActionButton } from '../forms/action-dialog.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { useUnread } from '../readings.ts';
import { wallAddress } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';

export function Round({ params, user }: ViewProps) {
  const { pupUid = '' } = params;
  const { data, refusal } = useLive<WallView>(`/api/walls/${encodeURIComponent(pupUid)}`);
  useUnread(data?.unread ?? []);
  const stops = data?.round ?? [];
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
              address={wallAddress(pupUid, stop.lockerUid)}
              canDecide={user.roles.includes('decide')}
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
  /** The page of the locker, with all that can be done there. */
  readonly address: string;
  readonly canDecide: boolean;
}

function Stop({ stop, address, canDecide }: StopProps) {
  const { lockerName, reasons, item, people, open, out } = stop;
  const [opened, setOpened] = useState<string>();
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
          {opened}
        </p>
      )}
      {canDecide && (
        <div class="row">
          {open && <ActionButton form={open} about={about} done={({ done }) => setOpened(done)} />}
          {out && <ActionButton form={out} about={about} />}
        </div>
      )}
    </>
  );
}
