// The pick up points, each with how many of its lockers are free.
import type { PickUpPointRow } from '../../walls/walls-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useLive } from '../shell/live.ts';

export function Walls() {
  const { data, refusal } = useLive<readonly PickUpPointRow[]>('/api/walls');
  return (
    <>
      <h1>Walls</h1>
      {!data && (refusal ? <RefusalNote refusal={refusal} /> : <p>Loading…</p>)}
      {data?.length === 0 && <p class="card">The tenant has no pick up point.</p>}
      {data && data.length > 0 && (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Pick up point</th>
                <th scope="col">City</th>
                <th scope="col">Free</th>
                <th scope="col">Lockers</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ pupUid, name, city, free, lockers, stuck }) => (
                <tr key={pupUid}>
                  <th scope="row">
                    <a href={`/walls/${encodeURIComponent(pupUid)}`}>{name}</a>{' '}
                    <span class="soft">{pupUid}</span>{' '}
                    {stuck > 0 && (
                      <span class="pill bad">
                        {stuck === 1 ? 'a door stays shut' : `${stuck} doors stay shut`}
                      </span>
                    )}
                  </th>
                  <td>{city ?? '–'}</td>
                  <td>{free}</td>
                  <td>{lockers}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
