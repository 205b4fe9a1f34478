// The round at a wall: what is to be fetched there, and whatever else is wrong at a door, with a button for each.

import { useRef, useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { WallLocker, WallView } from '../../walls/walls-view.ts';
import { Button } from '../parts/button.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { hasItem } from '../parts/wall.tsx';
import { useUnread } from '../readings.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { LockerPanel } from './locker-panel.tsx';

export function Round({ params, user }: ViewProps) {
  const { pupUid = '' } = params;
  const { data, refusal } = useLive<WallView>(`/api/walls/${encodeURIComponent(pupUid)}`);
  useUnread(data?.unread ?? []);
  // The service forgets the item of a locker that is opened: whoever stands before it must not.
  const [opened, setOpened] = useState<ReadonlyMap<string, string>>(new Map());
  // That the desk takes it out the processes say, who may not answer for a while: then it still is so.
  const forDesk = useRef(new Set<string>());
  for (const [uid, { isForDesk }] of Object.entries(data?.abouts ?? {}))
    if (isForDesk) forDesk.current.add(uid);
  const reasonsAt = (locker: WallLocker) => {
    const own = opened.get(locker.lockerUid);
    return [...(own === undefined ? [] : [own]), ...reasonsOf(locker, forDesk.current)];
  };
  const stops = (data?.lockers ?? []).filter((locker) => reasonsAt(locker).length > 0);
  const isOut = (lockerUid: string) =>
    setOpened((before) => new Map([...before].filter(([uid]) => uid !== lockerUid)));
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
        {data &&
          stops.map((locker) => (
            <li key={locker.lockerUid} class="card">
              <p>
                <strong>{reasonsAt(locker).join('; ')}</strong>
              </p>
              {opened.has(locker.lockerUid) && (
                <p>
                  <Button kind="main" press={() => isOut(locker.lockerUid)}>{t`It is out`}</Button>
                </p>
              )}
              <LockerPanel
                pupUid={pupUid}
                locker={locker}
                abouts={data.abouts}
                clockAheadMs={data.clockAheadMs}
                canDecide={user.roles.includes('decide')}
                opened={(words) => setOpened((before) => new Map(before).set(locker.lockerUid, words))}
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

/** It is known to be broken, and nothing is in it. */
const isSeenTo = (locker: WallLocker): boolean => locker.outOfOrder && !hasItem(locker);

/**
 * What somebody goes there for.
 *
 * @param forDesk the shipments that the desk takes out
 */
function reasonsOf(locker: WallLocker, forDesk: ReadonlySet<string>): string[] {
  const { toBeEmptied, doorOpenSince, doorFailure, outOfOrder, shipments } = locker;
  const brought = hasItem(locker) && shipments.some(({ shipmentUid }) => forDesk.has(shipmentUid));
  return [
    ...(brought ? [t`Take out what was brought`] : []),
    ...(toBeEmptied ? [t`Fetch what was left in it`] : []),
    ...(doorOpenSince ? [t`Shut its door`] : []),
    ...(doorFailure?.at && !isSeenTo(locker) ? [t`Its door stayed shut: try it`] : []),
    ...(outOfOrder && shipments.length > 0 ? [t`It is out of order, with an item inside`] : []),
  ];
}
