// One flow: its numbers, the stages in which its processes are, its versions and schedules, and on request its chart.
import { useState } from 'preact/hooks';
import type { FlowRow, FlowStages } from '../../flows/flows-view.ts';
import type { ChartDrawing } from '../../process/process-view.ts';
import { Fact } from '../parts/frames.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { Chart } from '../process/chart.tsx';
import { useJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';
import { FlowVersions } from './flow-versions.tsx';
import { Figures, useFigures } from './flows.tsx';
import { Schedules } from './schedules.tsx';
import { Stages } from './stages.tsx';

export function Flow({ params: { flow = '' }, search, user }: ViewProps) {
  const { flows: words } = currentMessages();
  const path = `/v1/flows/${encodeURIComponent(flow)}`;
  const { data: shown, refusal } = useJson<FlowRow>(path);
  const { data: stages, refusal: uncounted } = useLive<FlowStages>(shown && `${path}/status`);
  const figures = useFigures().data?.items.find((each) => each.flow === flow);
  if (!shown) return <NotYet refusal={refusal} words={words.counting} />;
  const { title } = shown;
  return (
    <div class="flow-page">
      <h1>{title}</h1>
      <p class="flow-head">
        {shown.meaning}{' '}
        {shown.version !== null && <span class="pill">{words.version(String(shown.version))}</span>}
      </p>
      {user.roles.includes('decide') && (
        <p>
          <a href={`/desk/start/${encodeURIComponent(flow)}`}>{currentMessages().desk.start.title}</a>
        </p>
      )}
      {uncounted && <RefusalNote refusal={uncounted} />}
      {figures && <Figures figures={figures} />}
      <Stages stages={stages} />
      {stages && (
        <FlowVersions flow={flow} status={stages} newest={shown.version} search={search} user={user} />
      )}
      {shown.version !== null && <Schedules flow={flow} user={user} />}
      <Machine path={path} title={title} stages={stages} />
      <Technical shown={shown} />
    </div>
  );
}

interface MachineProps {
  readonly path: string;
  readonly title: string;
  readonly stages: FlowStages | undefined;
}

/** Drawn when somebody looks at it. */
function Machine({ path, title, stages }: MachineProps) {
  const { flows: words } = currentMessages();
  const [isOpen, setOpen] = useState(false);
  const { data: drawing, refusal } = useJson<ChartDrawing>(isOpen ? `${path}/drawing` : undefined);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{common().showMachine}</summary>
      {isOpen && !drawing && <NotYet refusal={refusal} words={words.drawing} />}
      {isOpen && drawing && <Chart drawing={drawing} marks={marksOf(stages)} label={words.chartOf(title)} />}
    </details>
  );
}

/** States in which a process is, with their numbers. */
function marksOf(stages: FlowStages | undefined) {
  const counts = Object.entries(stages?.states ?? {});
  return {
    active: new Set(counts.map(([path]) => path)),
    beside: new Map(counts.map(([path, count]) => [path, String(count)])),
  };
}

function Technical({ shown: { flow, operation, deadlines, pins, pinnedBy } }: { readonly shown: FlowRow }) {
  const { flows: words } = currentMessages();
  return (
    <details>
      <summary>{words.technical}</summary>
      <dl class="card facts">
        <Fact label={words.name}>
          <code>{flow}</code>
        </Fact>
        <Fact label={words.operation}>{operation && <code>{operation}</code>}</Fact>
        <Fact label={common().deadlines}>{deadlines.join(', ')}</Fact>
        <Fact label={words.starts}>{pins.join(', ')}</Fact>
        <Fact label={words.startedBy}>
          {pinnedBy.length > 0 &&
            pinnedBy.map((by) => (
              <div key={by.flow}>
                <a href={`/flows/${encodeURIComponent(by.flow)}`}>
                  {by.flow}@{by.version}
                </a>{' '}
                {words.startsVersion(String(by.pins))}
              </div>
            ))}
        </Fact>
      </dl>
    </details>
  );
}
