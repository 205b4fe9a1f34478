// The stages of a flow as bars, with the number of open processes in each. A number leads to these processes.
import type { FlowStages, FunnelLane, FunnelStage } from '../../flows/flows-view.ts';
import { listOf } from '../parts/format-flow.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { common, currentMessages, inFigures } from '../shell/locale.ts';

export function Stages({ stages }: { readonly stages: FlowStages | undefined }) {
  const { flows: words } = currentMessages();
  return (
    <section class="card" aria-labelledby="stages-title">
      <h2 id="stages-title">{words.stages}</h2>
      {!stages && <NotYet words={words.counting} />}
      {stages?.open === 0 && <p>{common().noneOpen}</p>}
      {stages && stages.open > 0 && <Lanes stages={stages} />}
    </section>
  );
}

function Lanes({ stages: { flow, lanes, open, asked, counted } }: { readonly stages: FlowStages }) {
  const { flows: words } = currentMessages();
  const most = Math.max(1, ...lanes.flatMap(({ stages }) => stages.map(({ count }) => count)));
  return (
    <>
      {lanes.map((lane) => (
        <Lane key={lane.title ?? ''} flow={flow} lane={lane} most={most} />
      ))}
      {counted < open && <p class="soft">{words.newestOnly(inFigures(counted))}</p>}
      {asked < counted && <p class="soft">{words.notSaid(counted - asked)}</p>}
    </>
  );
}

interface LaneProps {
  readonly flow: string;
  readonly lane: FunnelLane;
  /** The most in any stage: its bar is whole. */
  readonly most: number;
}

function Lane({ flow, lane: { title, stages }, most }: LaneProps) {
  return (
    <>
      {title !== null && <h3>{title}</h3>}
      <ol class="funnel plain">
        {stages.map((stage) => (
          <li key={stage.path} data-stage={stage.path}>
            <StageRow flow={flow} stage={stage} most={most} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface StageRowProps extends Pick<LaneProps, 'flow' | 'most'> {
  readonly stage: FunnelStage;
}

function StageRow({ flow, stage: { path, title, count }, most }: StageRowProps) {
  const row = (
    <>
      <span class="funnel-title">{title}</span>
      <span class="funnel-bar" aria-hidden="true">
        <span style={{ width: `${(count / most) * 100}%` }} />
      </span>{' '}
      <span class="funnel-count">{inFigures(count)}</span>
    </>
  );
  // Nothing leads to a list of none.
  return count === 0 ? (
    <span class="funnel-row soft">{row}</span>
  ) : (
    <a class="funnel-row" href={listOf(flow, { stage: path })}>
      {row}
    </a>
  );
}
