// The list of the processes, live.
import type { ProcessPage, ProcessRow } from '../../processes/processes-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';

export function Processes({ search }: ViewProps) {
  const { data, refusal } = useLive<ProcessPage>(`processes:${search}`);
  return (
    <>
      <h1>Processes</h1>
      {refusal && !data && <RefusalNote refusal={refusal} />}
      {data && (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Flow</th>
                <th scope="col">Stands</th>
                <th scope="col">Pick up point</th>
                <th scope="col">Started</th>
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <Row key={row.runId} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Row({ row }: { readonly row: ProcessRow }) {
  return (
    <tr>
      <th scope="row">
        <a href={`/process/${encodeURIComponent(row.key)}`}>{row.key}</a>
      </th>
      <td>{row.flow}</td>
      <td>{row.standing}</td>
      <td>{row.pickUpPoint ?? '–'}</td>
      <td>
        <Ago at={row.startedAt} />
      </td>
    </tr>
  );
}
