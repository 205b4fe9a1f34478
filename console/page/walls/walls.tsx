// The pick up points, each with how many of its lockers are free.
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { Badge } from '../parts/badge.tsx';
import { Fact } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { OpenDoorSentence } from './open-door.tsx';
import './walls.css';
import { t } from '../../../shared/texts/text.ts';

export function Walls() {
  const { data, refusal } = useLive<readonly PickUpPointRow[]>('/api/walls');
  return (
    <>
      <h1>{t`Walls`}</h1>
      {!data && <NotYet refusal={refusal} />}
      {data?.length === 0 && <p class="card">{t`The tenant has no pick up point.`}</p>}
      <ul class="cards plain walls">
        {data?.map((row) => (
          <Card key={row.pupUid} row={row} />
        ))}
      </ul>
    </>
  );
}

function Card({ row }: { readonly row: PickUpPointRow }) {
  const { pupUid, name, city, free, lockers, sizes, stuck, outOfOrder, isOffline, offlineSince, open } = row;
  return (
    <li class="card wall-card" data-wall={pupUid}>
      <h2>
        <a href={`/walls/${encodeURIComponent(pupUid)}`}>{name}</a>
      </h2>
      <p class="soft">{city ?? '–'}</p>
      {(isOffline || stuck > 0) && (
        <p>
          {isOffline && (
            <Badge state="offline">
              {t`offline`}
              {offlineSince && (
                <>
                  {' '}
                  {t`since`} <Time at={offlineSince} />
                </>
              )}
            </Badge>
          )}{' '}
          {stuck > 0 && (
            <Badge state="fault">{stuck === 1 ? t`a door stays shut` : t`${stuck} doors stay shut`}</Badge>
          )}
        </p>
      )}
      {open.map((door) => (
        <p key={door.lockerUid}>
          <OpenDoorSentence pupUid={pupUid} door={door} />
        </p>
      ))}
      <p>
        {t`${free} of ${lockers} lockers free`}
        {outOfOrder > 0 && t`, ${outOfOrder} out of order`}
      </p>
      <dl class="facts">
        {sizes.map((each) => (
          <Fact key={each.size} label={each.size}>{t`${each.free} of ${each.lockers}`}</Fact>
        ))}
      </dl>
    </li>
  );
}
