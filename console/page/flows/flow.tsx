// One flow: its chart, with how many processes stand in each state, its deadlines and its versions.
import type { FlowRow, FlowStatus } from '../../flows/flows-view.ts';
import type { ChartDrawing } from '../../process/process-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Side } from '../parts/side.tsx';
import { Chart } from '../process/chart.tsx';
import { useJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { FlowVersions } from './flow-versions.tsx';
import { listOf } from './flows.tsx';
import { Schedules } from './schedules.tsx';

export function Flow({ params: { flow = '' }, search, user }: ViewProps) {
  const path = `/v1/flows/${encodeURIComponent(flow)}`;
  const { data: shown, refusal } = useJson<FlowRow>(path);
  const { data: drawing, refusal: undrawn } = useJson<ChartDrawing>(`${path}/drawing`);
  const { data: status, refusal: uncounted } = useLive<FlowStatus>(shown && `${path}/status`);
  const wrong = refusal ?? undrawn;
  if (wrong) return <RefusalNote refusal={wrong} />;
  if (!shown || !drawing) return <p class="soft">Drawing the chart …</p>;
  return (
    <>
      <h1>
        {flow}
        {shown.version === null ? '' : `@${shown.version}`}
      </h1>
      <p>{shown.meaning}</p>
      {uncounted && <RefusalNote refusal={uncounted} />}
      <p class="soft">{status ? countWords(status) : 'Counting the processes …'}</p>
      <Chart drawing={drawing} marks={marksOf(status)} label={`The chart of ${flow}.`} />
      {status && (
        <FlowVersions flow={flow} status={status} newest={shown.version} search={search} user={user} />
      )}
      {shown.version !== null && <Schedules flow={flow} user={user} />}
      <div class="sides">
        {(shown.pins.length > 0 || shown.pinnedBy.length > 0) && (
          <Side title="Pinned versions">
            <ul>
              {shown.pins.map((pin) => (
                <li key={pin}>it starts {pin}</li>
              ))}
              {shown.pinnedBy.map((by) => (
                <li key={by.flow}>
                  <a href={`/flows/${encodeURIComponent(by.flow)}`}>
                    {by.flow}@{by.version}
                  </a>{' '}
                  starts version {by.pins}
                </li>
              ))}
            </ul>
          </Side>
        )}
        <StatusSide flow={flow} status={status} />
        {shown.deadlines.length > 0 && (
          <Side title="Deadlines">
            <ul>
              {shown.deadlines.map((deadline) => (
                <li key={deadline}>{deadline}</li>
              ))}
            </ul>
          </Side>
        )}
        {shown.operation && (
          <Side title="Operation">
            <p>
              It books by <code>{shown.operation}</code>.
            </p>
          </Side>
        )}
      </div>
    </>
  );
}

function countWords({ open, asked }: FlowStatus): string {
  if (open === 0) return 'No process of it is open.';
  const of = asked < open ? `The numbers on the states are of ${asked} of them so far.` : '';
  return `${open} ${open === 1 ? 'process is' : 'processes are'} open. ${of}`;
}

/** States in which a process is, with their numbers. */
function marksOf(status: FlowStatus | undefined) {
  const counts = Object.entries(status?.states ?? {});
  return {
    active: new Set(counts.map(([path]) => path)),
    beside: new Map(counts.map(([path, count]) => [path, String(count)])),
  };
}

function StatusSide({ flow, status }: { readonly flow: string; readonly status: FlowStatus | undefined }) {
  if (!status || status.open === 0) return null;
  const phases = Object.entries(status.phases).filter(([, count]) => count > 0);
  return (
    <Side title="Where they stand">
      <ul>
        {phases.map(([phase, count]) => (
          <li key={phase}>
            <a href={listOf(flow, phase)}>{phase}</a>: {count}
          </li>
        ))}
      </ul>
    </Side>
  );
}
