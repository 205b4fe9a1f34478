// One process on its chart: as it stands, live, or as it stood after one of its steps.
import { useMemo } from 'preact/hooks';
import type {
  ChartDrawing,
  ProcessDetails,
  ProcessStep,
  ProcessSteps,
  StepStatus,
  Timeline,
} from '../../process/process-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time, useNow } from '../parts/time.tsx';
import { type Refusal, useJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { Chart } from './chart.tsx';
import { Choices } from './choices.tsx';
import { leavesOf, marksOf } from './marks.ts';
import './process.css';
import { ProcessHead } from './process-head.tsx';
import { Sides } from './sides.tsx';
import { Happened, StepSlider } from './steps.tsx';

const SECOND_MS = 1_000;

export function Process({ params: { key = '' }, search, user }: ViewProps) {
  const { data: process, refusal } = useLive<ProcessDetails>(
    `/v1/processes/${encodeURIComponent(key)}/details`,
  );
  if (process) return <Looked key={key} process={process} refusal={refusal} search={search} user={user} />;
  return refusal ? <RefusalNote refusal={refusal} /> : <p class="soft">Asking the process …</p>;
}

interface LookedProps extends Pick<ViewProps, 'search' | 'user'> {
  readonly process: ProcessDetails;
  readonly refusal: Refusal | undefined;
}

function Looked({ process, refusal, search, user }: LookedProps) {
  const path = `/v1/processes/${encodeURIComponent(process.key)}`;
  const steps = useSteps(path, process);
  const history = useHistory(path, process);
  const asked = stepIn(search, steps?.steps?.length);
  const before = useJson<StepStatus>(asked === undefined ? undefined : `${path}/steps/${asked}`);
  const step = asked === undefined ? undefined : steps?.steps?.[asked];
  const chart = useChart(path, process.chartId, step);
  const moment = useMoment(process, step, before.data);
  const past = steps?.steps?.slice(0, (step?.number ?? steps.steps.length) + 1);
  // This one shows nothing of the way on an earlier chart, before a migration.
  const onChart = past?.filter(({ chartId }) => chartId === (step?.chartId ?? process.chartId));
  const marks = marksOf({ ...moment, steps: onChart, ended: step ? undefined : endOf(process) });
  return (
    <>
      <ProcessHead process={process} step={step} actions={steps?.actions} />
      {refusal && <RefusalNote refusal={refusal} />}
      {before.refusal && <RefusalNote refusal={before.refusal} />}
      {process.chartMissing && (
        <p class="note">
          {process.chartMissing}
          {process.asOf && (
            <>
              {' '}
              What is shown is as of <Time at={process.asOf} />.
            </>
          )}
        </p>
      )}
      {!step && user.roles.includes('decide') && (
        <Choices choices={process.choices} clockAheadMs={process.clockAheadMs} />
      )}
      <StepSlider steps={steps} step={step} search={search} />
      {chart && <Chart drawing={chart} marks={marks} label={chartWords(process.flow, moment.active, step)} />}
      <div class="sides">
        <Sides of={process.key} {...moment} isNow={step === undefined} />
        <Happened {...{ history, steps, step, search }} temporalUi={process.temporalUi} />
      </div>
    </>
  );
}

/** What the page shows: the process as it stands, or as it stood after a step. */
function useMoment(process: ProcessDetails, step: ProcessStep | undefined, before: StepStatus | undefined) {
  const now = useNow(SECOND_MS);
  const { active, nextLines, takes, timers, progress, trying, clockAheadMs } = process;
  if (!step) return { active, nextLines, takes, timers, progress, trying, nowMs: now + clockAheadMs };
  const then = before ?? { nextLines: [], takes: [], timers: [], progress: null };
  return { ...then, active: step.active, trying: [], nowMs: Date.parse(step.at) };
}

/** A result that is not the one that was wished for is no failure of the process: its outcome says so. */
const endOf = ({ status }: ProcessDetails): 'well' | 'badly' | undefined => {
  if (status === 'Running') return undefined;
  return status === 'Completed' ? 'well' : 'badly';
};

const chartWords = (flow: string, active: readonly string[], step: ProcessStep | undefined): string =>
  `The chart of ${flow}. The process ${step ? 'was' : 'is'} in ${leavesOf(active).join(', ') || 'its beginning'}.`;

function stepIn(search: URLSearchParams, count: number | undefined): number | undefined {
  const text = search.get('step');
  if (text === null || !/^\d+$/.test(text) || count === undefined || count === 0) return undefined;
  return Math.min(Number(text), count - 1);
}

/** Asked for once for each chart: before a migration the process had another one. */
function useChart(path: string, now: string | null, step: ProcessStep | undefined): ChartDrawing | undefined {
  const isOther = step !== undefined && step.chartId !== now;
  const { data } = useJson<ChartDrawing>(now === null ? undefined : `${path}/drawing`, now);
  const { data: former } = useJson<ChartDrawing>(
    isOther ? `${path}/steps/${step.number}/drawing` : undefined,
  );
  return isOther ? former : data;
}

function useSteps(path: string, process: ProcessDetails): ProcessSteps | undefined {
  const { data, refusal } = useGrowing<ProcessSteps>(`${path}/steps`, process);
  return data ?? (refusal && { steps: null, why: refusal.message, actions: 0, runs: 0 });
}

const useHistory = (path: string, process: ProcessDetails): Timeline | undefined =>
  useGrowing<Timeline>(`${path}/history`, process).data;

/** Asked for again when the history has grown; what it was before stays until then. */
function useGrowing<Data>(path: string, { runId, cost }: ProcessDetails) {
  const { data, refusal } = useJson<Data>(path, `${runId} ${cost.events}`);
  const kept = useMemo<{ path?: string; data?: Data }>(() => ({}), []);
  if (kept.path !== path) {
    kept.path = path;
    kept.data = undefined;
  }
  if (data) kept.data = data;
  return { data: kept.data, refusal };
}
