// What only developers and administrators look for: its version and cost, and the way to Temporal's Web UI.
import type { ProcessDetails } from '../../process/process-view.ts';
import { Fact } from '../parts/frames.tsx';
import { Time } from '../parts/time.tsx';
import { currentMessages } from '../shell/locale.ts';

interface CostsProps {
  readonly process: ProcessDetails;
  /** Temporal's billable actions; undefined: not counted. */
  readonly actions: number | undefined;
}

/** Folded: nobody at a desk needs it. */
export function Costs({ process, actions }: CostsProps) {
  const { key, flow, progress, startedAt, closedAt, cost, temporalUi, clockAheadMs } = process;
  const version = progress && 'version' in progress ? `@${progress.version}` : '';
  return (
    <details class="card technical-facts">
      <summary>
        <h2>{currentMessages().flows.technical}</h2>
      </summary>
      <dl class="facts">
        <Fact label="Key">
          <span class="key">{key}</span>
        </Fact>
        <Fact label="Flow">
          <a href={`/flows/${encodeURIComponent(flow)}`}>
            {flow}
            {version}
          </a>
        </Fact>
        <Fact label="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact label="Ended">{closedAt && <Time at={closedAt} />}</Fact>
        <Fact label="History">
          {cost.events} events in {Math.ceil(cost.bytes / 1_000)} kB
          {actions ? `, ${actions} billed actions` : ''}. <a href={temporalUi}>In Temporal’s Web UI</a>
        </Fact>
      </dl>
      {clockAheadMs > 0 && <p class="soft">Its clock is the sandbox’s, ahead of the real time.</p>}
    </details>
  );
}
