// What a process is, how it stands, what it has cost, and the ways to Temporal's Web UI.
import type { ProcessDetails, ProcessStep } from '../../process/process-view.ts';
import { Ago, Time } from '../parts/time.tsx';

export interface ProcessHeadProps {
  readonly process: ProcessDetails;
  /** Not now, but after this step. */
  readonly step: ProcessStep | undefined;
  /** Temporal's billable actions; undefined: not counted. */
  readonly actions: number | undefined;
}

export function ProcessHead({ process, step, actions }: ProcessHeadProps) {
  const { key, flow, progress, startedAt, closedAt, cost, temporalUi, clockAheadMs } = process;
  const version = progress && 'version' in progress ? `@${progress.version}` : '';
  return (
    <header class="process-head">
      <h1>{key}</h1>
      <p>
        <a href={`/flows/${encodeURIComponent(flow)}`}>
          {flow}
          {version}
        </a>{' '}
        <StatusPill process={process} />{' '}
        {step && (
          <span class="pill warn">
            as it was after step {step.number}, <Time at={step.at} />
          </span>
        )}
      </p>
      <p class="soft">
        Started <Ago at={startedAt} />
        {closedAt && (
          <>
            , ended <Ago at={closedAt} />
          </>
        )}
        . Its history has {cost.events} events in {Math.ceil(cost.bytes / 1_000)} kB
        {actions ? `, ${actions} billed actions` : ''}. <a href={temporalUi}>History in Temporal’s Web UI</a>
        {clockAheadMs > 0 && '. Its clock is the sandbox’s, ahead of the real time'}
      </p>
    </header>
  );
}

function StatusPill({ process: { status, progress } }: { readonly process: ProcessDetails }) {
  const phase = progress && 'phase' in progress ? progress.phase : null;
  const outcome = progress && 'outcome' in progress ? progress.outcome : null;
  if (status !== 'Running') {
    const words = outcome ?? statuses[status] ?? status.toLowerCase();
    return (
      <span class={words === 'Done' || words === 'completed' ? 'pill good' : 'pill bad'}>ended: {words}</span>
    );
  }
  if (phase === 'NeedsPerson') return <span class="pill bad">needs a person</span>;
  if (phase === 'Overdue') return <span class="pill warn">overdue</span>;
  return <span class="pill good">open</span>;
}

const statuses: Readonly<Record<string, string>> = {
  Terminated: 'terminated, nothing was undone',
  TimedOut: 'timed out',
};
