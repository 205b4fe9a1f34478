// The pick up points, each with how many of its lockers are free.
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { Filled } from '../parts/filled.tsx';
import { Fact } from '../parts/frames.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { currentMessages } from '../shell/locale.ts';
import './walls.css';

export function Walls() {
  const { data, refusal } = useLive<readonly PickUpPointRow[]>('/api/walls');
  const words = currentMessages();
  return (
    <>
      <h1>{currentMessages().shell.navigation['/walls']}</h1>
      {!data && <NotYet refusal={refusal} />}
      {data?.length === 0 && <p class="card">{words.walls.noPoint}</p>}
      <ul class="cards plain walls">
        {data?.map((row) => (
          <Card key={row.pupUid} row={row} />
        ))}
      </ul>
    </>
  );
}

function Card({ row }: { readonly row: PickUpPointRow }) {
  const { pupUid, name, city, free, lockers, sizes, stuck, isOffline, offlineSince } = row;
  const words = currentMessages().walls;
  return (
    <li class="card wall-card" data-wall={pupUid}>
      <h2>
        <a href={`/walls/${encodeURIComponent(pupUid)}`}>{name}</a>
      </h2>
      <p class="soft">{[city, name === pupUid ? null : pupUid].filter(Boolean).join(' · ') || '–'}</p>
      {(isOffline || stuck > 0) && (
        <p>
          {isOffline && (
            <span class="pill bad">
              <Filled text={offlineSince ? words.offlineSince : words.offline}>
                <Time at={offlineSince} />
              </Filled>
            </span>
          )}{' '}
          {stuck > 0 && <span class="pill bad">{words.stuck(stuck)}</span>}
        </p>
      )}
      <p>{words.free(String(free), String(lockers))}</p>
      <dl class="facts">
        {sizes.map((each) => (
          <Fact key={each.size} label={each.size}>
            {words.ofAll(String(each.free), String(each.lockers))}
          </Fact>
        ))}
      </dl>
    </li>
  );
}
