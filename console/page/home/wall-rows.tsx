// The walls, a row each: whether they answer, what is free, and what somebody must see to there.

import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry, WorkView } from '../../processes/processes-view.ts';
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import type { QueryResult } from '../api.ts';
import { Badge } from '../parts/badge.tsx';
import { NotYet } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { OpenDoorSentence } from '../walls/open-door.tsx';

interface WallRowsProps {
  readonly walls: QueryResult<readonly PickUpPointRow[]>;
  readonly work: QueryResult<WorkView>;
}

export function WallRows({ walls: { data, refusal }, work }: WallRowsProps) {
  return (
    <section class="card flush" aria-labelledby="home-walls">
      <div class="card-head">
        <h2 id="home-walls">{t`Walls`}</h2>
        <a class="small" href="/walls">{t`All walls`}</a>
      </div>
      {refusal && <NotYet refusal={refusal} />}
      {!data && !refusal && <NotYet />}
      {data?.length === 0 && <p class="home-none">{t`The tenant has no pick up point.`}</p>}
      {data && data.length > 0 && (
        <table class="home-walls">
          <thead class="unseen">
            <tr>
              {[t`Wall`, t`Connection`, t`Free`, t`To see to`].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <Row key={row.pupUid} row={row} work={work} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface RowProps extends Pick<WallRowsProps, 'work'> {
  readonly row: PickUpPointRow;
}

function Row({ row, work }: RowProps) {
  const { pupUid, name, free, lockers, stuck, outOfOrder, isOffline, offlineSince, open } = row;
  const count = (kind: WorkEntry['kind']) =>
    (work.data?.entries ?? []).filter((entry) => entry.kind === kind && entry.pupUid === pupUid).length;
  const left = count('itemLeft');
  return (
    <tr data-wall={pupUid}>
      <th scope="row">
        <a href={`/walls/${encodeURIComponent(pupUid)}`}>{name}</a>
      </th>
      <td>
        {isOffline ? (
          <Badge state="offline">
            {t`Offline`}
            {offlineSince && (
              <>
                {' '}
                {t`since`} <Time at={offlineSince} />
              </>
            )}
          </Badge>
        ) : (
          // A service that does not tell which walls it reaches says nothing of them: so nobody says that it is online.
          stuck === 0 && open.length === 0 && <span class="soft">{t`No fault is known`}</span>
        )}
      </td>
      <td>{t`${free} of ${lockers} free`}</td>
      <td>
        <ul class="row plain">
          {stuck > 0 && (
            <li>
              <Badge state="fault">{t`${stuck} stuck`}</Badge>
            </li>
          )}
          {outOfOrder > 0 && (
            <li>
              <Badge state="over">{t`${outOfOrder} out of order`}</Badge>
            </li>
          )}
          {open.map((door) => (
            <li key={door.lockerUid}>
              <OpenDoorSentence pupUid={pupUid} door={door} />
            </li>
          ))}
          {left > 0 && (
            <li>
              <Badge state="inside">{t`${left} to empty`}</Badge>
            </li>
          )}
          {work.refusal && <li class="is-offline tone">{t`Lockers to empty: could not be read`}</li>}
        </ul>
      </td>
    </tr>
  );
}
