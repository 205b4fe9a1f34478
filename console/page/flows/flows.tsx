// All flows, built in and published, with how many processes of each are open.
import type { FlowList, FlowRow } from '../../flows/flows-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useLive } from '../shell/live.ts';

export function Flows() {
  const { data, refusal } = useLive<FlowList>('/v1/flows?counts=true');
  return (
    <>
      <h1>Flows</h1>
      {refusal && <RefusalNote refusal={refusal} />}
      {!data && !refusal && <p class="soft">Counting the processes …</p>}
      {data && (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Flow</th>
                <th scope="col">For</th>
                <th scope="col">Open</th>
                <th scope="col">Needs a person</th>
                <th scope="col">Overdue</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((row) => (
                <Row key={row.flow} row={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Row({
  row: { flow, version, meaning, open = 0, needsPerson = 0, overdue = 0 },
}: {
  readonly row: FlowRow;
}) {
  return (
    <tr>
      <th scope="row">
        <a href={`/flows/${encodeURIComponent(flow)}`}>
          {flow}
          {version === null ? '' : `@${version}`}
        </a>
      </th>
      <td>{meaning}</td>
      <td>{open === 0 ? '–' : <a href={listOf(flow)}>{open}</a>}</td>
      <td>{needsPerson === 0 ? '–' : <a href={listOf(flow, 'NeedsPerson')}>{needsPerson}</a>}</td>
      <td>{overdue === 0 ? '–' : <a href={listOf(flow, 'Overdue')}>{overdue}</a>}</td>
    </tr>
  );
}

export const listOf = (flow: string, phase?: string): string =>
  `/processes?${new URLSearchParams({ flow, ...(phase && { phase }) })}`;
