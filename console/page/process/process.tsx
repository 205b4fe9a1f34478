// One process, as it stands, live, or as it stood after one of its steps: the answers first, then what happened, and the chart for
// who asks for it.
import type { ProcessSubject } from '../../process/glance/glance-view.ts';
import type {
  HappenedTimeline,
  ProcessDetails,
  ProcessStep,
  ProcessSteps,
  StepStatus,
} from '../../process/process-view.ts';
import { formatFlow } from '../parts/format.ts';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { InWords, Time, useNow } from '../parts/time.tsx';
import { addressWith } from '../shell/address.ts';
import { type Refusal, useJson } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { Data, Family } from './about.tsx';
import { Choices } from './choices.tsx';
import { Lockers } from './lockers.tsx';
import { Machine } from './machine.tsx';
import { marksOf } from './marks.ts';
import './process.css';
import { Glance, ProcessHead } from './process-head.tsx';
import { Happened } from './steps.tsx';
import { StageTrack } from './track.tsx';

const SECOND_MS = 1_000;

export function Process({ params: { key = '' }, search, user }: ViewProps) {
  const { data: process, refusal } = useLive<ProcessDetails>(
    `/v1/processes/${encodeURIComponent(key)}/details`,
  );
  if (process) return <Looked key={key} process={process} refusal={refusal} search={search} user={user} />;
  return <NotYet refusal={refusal} words="Asking the process …" />;
}

interface LookedProps extends Pick<ViewProps, 'search' | 'user'> {
  readonly process: ProcessDetails;
  readonly refusal: Refusal | undefined;
}

function Looked({ process, refusal, search, user }: LookedProps) {
  const path = `/v1/processes/${encodeURIComponent(process.key)}`;
  const mayAct = user.roles.includes('decide');
  const steps = useSteps(path, process);
  const history = useGrowing<HappenedTimeline>(`${path}/history`, process).data;
  const subject = useSubject(path, process, mayAct);
  const asked = stepIn(search, steps?.steps?.length);
  const before = useJson<StepStatus>(asked === undefined ? undefined : `${path}/steps/${asked}`);
  const step = asked === undefined ? undefined : steps?.steps?.[asked];
  const moment = useMoment(process, step, before.data);
  const past = steps?.steps?.slice(0, (step?.number ?? steps.steps.length) + 1);
  // This one shows nothing of the way on an earlier chart, before a migration.
  const onChart = past?.filter(({ chartId }) => chartId === (step?.chartId ?? process.chartId));
  const marks = marksOf({ ...moment, steps: onChart, ended: step ? undefined : endOf(process) });
  const happened = steps?.happened.length ? steps.happened : (history?.happened ?? []);
  const { headline, clockAheadMs, temporalUi } = process;
  return (
    <>
      <ProcessHead process={process} subject={subject}>
        {!step && mayAct && (
          <Choices choices={process.choices} primary={headline.primary} clockAheadMs={clockAheadMs} />
        )}
      </ProcessHead>
      {refusal && <RefusalNote refusal={refusal} />}
      {before.refusal && <RefusalNote refusal={before.refusal} />}
      <Silent process={process} />
      {step ? <AtStep step={step} happened={happened} search={search} /> : <Glance process={process} />}
      <StageTrack
        track={moment.track}
        isCounting={!step && process.status === 'Running'}
        clockAheadMs={clockAheadMs}
      />
      <div class="columns process-columns">
        <Happened happened={happened} steps={steps} step={step} search={search} temporalUi={temporalUi} />
        <Beside process={process} subject={subject} lockers={moment.lockers} isNow={!step} mayAct={mayAct} />
      </div>
      <Machine
        path={path}
        process={process}
        step={step}
        marks={marks}
        search={search}
        active={moment.active}
      />
    </>
  );
}

interface BesideProps {
  readonly process: ProcessDetails;
  readonly subject: ProcessSubject | undefined;
  readonly lockers: StepStatus['lockers'];
  readonly isNow: boolean;
  readonly mayAct: boolean;
}

function Beside({ process, subject, lockers, isNow, mayAct }: BesideProps) {
  const { headline, children } = process;
  return (
    <div class="sides">
      <Lockers lockers={lockers} isNow={isNow} mayAct={mayAct} />
      <Family parent={headline.parent} started={isNow ? children : []} />
      {subject && <Data {...subject} />}
      <p class="soft">
        <a href={`/flows/${encodeURIComponent(process.flow)}`}>{formatFlow(process.flow)}</a>,{' '}
        <a href={process.temporalUi}>In Temporal’s Web UI</a>
      </p>
    </div>
  );
}

/** It does not answer now. */
function Silent({ process: { chartMissing, asOf } }: Pick<LookedProps, 'process'>) {
  if (chartMissing === null) return null;
  return (
    <p class="note">
      {chartMissing}
      {asOf && (
        <>
          {' '}
          What is shown is as of <Time at={asOf} />.
        </>
      )}
    </p>
  );
}

interface AtStepProps extends Pick<LookedProps, 'search'> {
  readonly step: ProcessStep;
  readonly happened: HappenedTimeline['happened'];
}

/** What stands above the fold of the past. */
function AtStep({ step, happened, search }: AtStepProps) {
  const row = happened.find(({ steps }) => steps.includes(step.number));
  return (
    <p class="note at-step" role="status">
      As it was <Time at={step.at} />, after step {step.number + 1}
      {row && (
        <>
          : <InWords text={row.words} />
        </>
      )}{' '}
      <a href={addressWith(search, { step: null })}>Back to now</a>
    </p>
  );
}

/** What the page shows: the process as it stands, or as it stood after a step. */
function useMoment(process: ProcessDetails, step: ProcessStep | undefined, before: StepStatus | undefined) {
  const now = useNow(SECOND_MS);
  const { active, nextLines, timers, clockAheadMs, track, lockers } = process;
  if (!step) return { active, nextLines, timers, track, lockers, nowMs: now + clockAheadMs };
  const then = before ?? { nextLines: [], timers: [], track: [], lockers: [] };
  return { ...then, active: step.active, nowMs: Date.parse(step.at) };
}

/** A result that is not the one that was wished for is no failure of the process: its outcome says so. */
const endOf = ({ status }: ProcessDetails): 'well' | 'badly' | undefined => {
  if (status === 'Running') return undefined;
  return status === 'Completed' ? 'well' : 'badly';
};

function stepIn(search: URLSearchParams, count: number | undefined): number | undefined {
  const text = search.get('step');
  if (text === null || !/^\d+$/.test(text) || count === undefined || count === 0) return undefined;
  return Math.min(Number(text), count - 1);
}

function useSteps(path: string, process: ProcessDetails): ProcessSteps | undefined {
  const { data, refusal } = useGrowing<ProcessSteps>(`${path}/steps`, process);
  return data ?? (refusal && { steps: null, why: refusal.message, actions: 0, runs: 0, happened: [] });
}

/** About people: only for who may act. */
const useSubject = (path: string, process: ProcessDetails, mayAct: boolean): ProcessSubject | undefined =>
  useGrowing<ProcessSubject>(mayAct ? `${path}/subject` : undefined, process).data;

/** Asked for again when the history has grown; what it was before stays until then. */
const useGrowing = <Data,>(path: string | undefined, { runId, cost }: ProcessDetails) =>
  useJson<Data>(path, `${runId} ${cost.events}`);
