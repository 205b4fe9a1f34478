// One flow: its chart, with how many processes stand in each state, its deadlines and its versions.
import type { FlowPicture, FlowStanding } from '../../flows/flows-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Side } from '../parts/side.tsx';
import { Chart } from '../process/chart.tsx';
import { useJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { listOf } from './flows.tsx';

export function Flow({ params: { flow = '' } }: ViewProps) {
  const { data: picture, refusal } = useJson<FlowPicture>(`/api/flows/${encodeURIComponent(flow)}`);
  const { data: standing, refusal: uncounted } = useLive<FlowStanding>(picture && `flow:${flow}`);
  if (refusal) return <RefusalNote refusal={refusal} />;
  if (!picture) return <p class="soft">Drawing the chart …</p>;
  return (
    <>
      <h1>
        {flow}
        {picture.version === null ? '' : `@${picture.version}`}
      </h1>
      <p>{picture.meaning}</p>
      {uncounted && <RefusalNote refusal={uncounted} />}
      <p class="soft">{standing ? countWords(standing) : 'Counting the processes …'}</p>
      <Chart picture={picture.chart} marks={marksOf(standing)} label={`The chart of ${flow}.`} />
      <div class="sides">
        <Standing flow={flow} standing={standing} />
        {picture.deadlines.length > 0 && (
          <Side title="Deadlines">
            <ul>
              {picture.deadlines.map((deadline) => (
                <li key={deadline}>{deadline}</li>
              ))}
            </ul>
          </Side>
        )}
        {picture.operation && (
          <Side title="Operation">
            <p>
              It books by <code>{picture.operation}</code>.
            </p>
          </Side>
        )}
      </div>
    </>
  );
}

function countWords({ open, asked }: FlowStanding): string {
  if (open === 0) return 'No process of it is open.';
  const of = asked < open ? `The numbers on the states are of ${asked} of them.` : '';
  return `${open} ${open === 1 ? 'process is' : 'processes are'} open. ${of}`;
}

/** States in which a process is, with their numbers. */
function marksOf(standing: FlowStanding | undefined) {
  const counts = Object.entries(standing?.states ?? {});
  return {
    active: new Set(counts.map(([path]) => path)),
    beside: new Map(counts.map(([path, count]) => [path, String(count)])),
  };
}

function Standing({
  flow,
  standing,
}: {
  readonly flow: string;
  readonly standing: FlowStanding | undefined;
}) {
  if (!standing || standing.open === 0) return null;
  const phases = Object.entries(standing.phases).filter(([, count]) => count > 0);
  return (
    <>
      <Side title="Where they stand">
        <ul>
          {phases.map(([phase, count]) => (
            <li key={phase}>
              <a href={listOf(flow, phase)}>{phase}</a>: {count}
            </li>
          ))}
        </ul>
      </Side>
      <Side title="Their definitions">
        <ul>
          {Object.entries(standing.versions).map(([version, count]) => (
            <li key={version}>
              {version}: {count}
            </li>
          ))}
        </ul>
      </Side>
    </>
  );
}
