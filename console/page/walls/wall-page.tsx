// One pick up point as it stands, with what can be done to the locker that is chosen. The choice is in the address.

import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { Stray, WallView } from '../../walls/walls-view.ts';
import { Mechanic } from '../outreach/mechanic-button.tsx';
import { MessageAboutShipment } from '../outreach/message-button.tsx';
import { Contact } from '../parts/contact.tsx';
import { Icon } from '../parts/icon.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { Legend, Wall } from '../parts/wall.tsx';
import { BulkActionDialog } from '../processes/bulk-action-dialog.tsx';
import { type Bulk, Many } from '../processes/many.tsx';
import { useUnread } from '../readings.ts';
import { addressWith, goTo } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { LockerPanel } from './locker-panel.tsx';
import { OpenDoorSentence, openDoorsOf } from './open-door.tsx';

export function WallPage({ params, search, user }: ViewProps) {
  const { pupUid = '' } = params;
  const { data, refusal } = useLive<WallView>(`/api/walls/${encodeURIComponent(pupUid)}`);
  useUnread(data?.unread ?? []);
  // Here, and not beside its button, which goes when the wall is online again.
  const [bulk, setBulk] = useState<Bulk>();
  const canDecide = user.roles.includes('decide');
  const chosen = search.get('locker');
  const locker = data?.lockers.find(({ lockerUid }) => lockerUid === chosen);
  const choose = (lockerUid: string) => goTo(addressWith(search, { locker: lockerUid }), { replace: true });
  return (
    <>
      <div class="row between">
        <h1>{data?.name ?? pupUid}</h1>
        <a href={`/walls/${encodeURIComponent(pupUid)}/round`}>{t`Start a round`}</a>
      </div>
      {!data && <NotYet refusal={refusal} />}
      {data?.unread.map((each) => (
        <p class="note is-offline" role="status" key={each}>{t`Could not be read: ${each}`}</p>
      ))}
      {data?.offline && (
        <p class="note is-offline" role="status">
          <Icon name="offline" />{' '}
          <strong>
            <TextWithTimes text={data.offline.words} />
          </strong>{' '}
          {data.offline.toDo}
        </p>
      )}
      {data?.offline && (
        <div class="row">
          <Mechanic pupUid={pupUid} lockerName={null} mayAct={canDecide} />
        </div>
      )}
      {data?.offline && (data.offline.many || data.offline.strays.length > 0) && (
        <section class="card" aria-labelledby="wall-affected">
          <h2 id="wall-affected">{t`Who is affected`}</h2>
          {data.offline.many && <Many many={data.offline.many} canAct={canDecide} begin={setBulk} />}
          {data.offline.strays.length > 0 && <Strays strays={data.offline.strays} />}
        </section>
      )}
      {data &&
        openDoorsOf(data).map((door) => (
          <p class="note is-fault" role="status" key={door.lockerUid}>
            <OpenDoorSentence pupUid={pupUid} door={door} />
          </p>
        ))}
      {data && (
        <div class="columns wall-page">
          <section aria-label={t`Lockers`}>
            <Legend lockers={data.lockers} />
            <Wall wall={data} chosen={chosen} choose={choose} />
            {data.lockers.length === 0 && <p class="card">{t`No locker is installed here.`}</p>}
          </section>
          <section class="card" aria-label={t`The chosen locker`} aria-live="polite">
            {locker ? (
              <LockerPanel
                key={locker.lockerUid}
                pupUid={pupUid}
                locker={locker}
                abouts={data.abouts}
                clockAheadMs={data.clockAheadMs}
                canDecide={canDecide}
                out={data.round.find(({ lockerUid }) => lockerUid === chosen)?.out}
              />
            ) : (
              <p>{t`Choose a locker to see what is with it.`}</p>
            )}
          </section>
        </div>
      )}
      {bulk && <BulkActionDialog {...bulk} close={() => setBulk(undefined)} done={() => undefined} />}
    </>
  );
}

/** People are shown to those alone who may write to them. */
const Strays = ({ strays }: { readonly strays: readonly Stray[] }) => (
  <>
    <p>{t`No case follows these: write to whom they are for, or call.`}</p>
    <ul class="plain many">
      {strays.map(({ lockerUid, lockerName, item, shipmentUid, sent, person }) => (
        <li key={lockerUid} class="row">
          {t`Locker ${lockerName}`}: {item ?? t`an item`}
          {person && <a href={`/people/${encodeURIComponent(person.userUid)}`}>{person.name}</a>}
          {person && <Contact person={person} />}
          {person && shipmentUid && <MessageAboutShipment shipmentUid={shipmentUid} sent={sent} />}
        </li>
      ))}
    </ul>
  </>
);
