// One process as it stands: the answers first, then what happened, and the chart for who asks for it.

import { formatFlowName } from '../../../processes/views/format-names.ts';
import type { ProcessSubject } from '../../process/glance/glance-view.ts';
import type { CaseHistory, DoorHistory, ProcessDetails } from '../../process/process-view.ts';
import { type Refusal, useJson } from '../api.ts';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useUnread } from '../readings.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { Data, Family } from './about.tsx';
import { Actions } from './actions.tsx';
import { Happened } from './happened.tsx';
import { Lockers } from './lockers.tsx';
import { Machine } from './machine.tsx';
import './process.css';
import { Glance, ProcessHead } from './process-head.tsx';
import { StartAgain } from './start-again.tsx';
import { StageTrack } from './track.tsx';

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
  // It has what happened in its children, too.
  const grown = process.children.map(({ key, events }) => `${key} ${events}`).join(' ');
  const history = useJson<CaseHistory>(`${path}/history`, `${process.runId} ${process.cost.events} ${grown}`);
  const doors = useLive<DoorHistory>(`${path}/doors`);
  // About people: only for who may act.
  const { data: subject, refusal: hidden } = useGrowing<ProcessSubject>(
    mayAct ? `${path}/subject` : undefined,
    process,
  );
  // The answer has only what the reader may do of questions: a right to an inbox is enough for these.
  const offered = process.actionForms.filter(({ task }) => mayAct || task !== undefined);
  const { headline, clockAheadMs, temporalUi } = process;
  const unreadHistories = (history.data?.unread ?? []).map(({ what }) => `what happened in ${what}`);
  useUnread([
    ...headline.unread,
    ...unreadHistories,
    ...(history.refusal ? ['what happened'] : []),
    ...(doors.data?.unread ? ['what happened at the doors'] : []),
  ]);
  return (
    <>
      <ProcessHead process={process} subject={subject}>
        {offered.length > 0 && (
          <Actions actionForms={offered} primary={headline.primary} clockAheadMs={clockAheadMs} />
        )}
        {mayAct && headline.parent === null && (process.status !== 'Running' || isOneBooking(process)) && (
          <StartAgain key={`${process.runId} ${process.status}`} process={process} />
        )}
      </ProcessHead>
      {refusal && <RefusalNote refusal={refusal} />}
      {hidden && !subject && <p class="note">Could not be read: whom it is for, and its data</p>}
      <Silent process={process} />
      <Glance process={process} />
      <StageTrack
        track={process.track}
        isCounting={process.status === 'Running'}
        clockAheadMs={clockAheadMs}
      />
      <div class="columns process-columns">
        <Happened
          path={path}
          mayAct={mayAct}
          takesNotes={takesNotes(process)}
          history={history}
          doors={doors}
        />
        <div class="sides">
          <Lockers lockers={process.lockers} mayAct={mayAct} />
          <Family parent={headline.parent} started={process.children} />
          {subject && <Data {...subject} />}
          <p class="soft">
            <a href={`/flows/${encodeURIComponent(process.flow)}`}>{formatFlowName(process.flow)}</a>,{' '}
            <a href={temporalUi}>In Temporal’s Web UI</a>
          </p>
        </div>
      </div>
      <Machine path={path} process={process} search={search} />
    </>
  );
}

/** What may be moved; of it the dialog says why it cannot be now. */
const isOneBooking = ({ progress }: ProcessDetails): boolean =>
  progress?.bookings.some(({ isWhole }) => isWhole) ?? false;

/** Not before it has its flow file. A process that does not answer now may do so before the note is written. */
const takesNotes = ({ status, actions }: ProcessDetails): boolean =>
  status === 'Running' && (actions?.actions.some(({ command }) => command === 'note') ?? true);

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

/** Asked for again when the history has grown; what it was before stays until then. */
const useGrowing = <Data,>(path: string | undefined, { runId, cost }: ProcessDetails) =>
  useJson<Data>(path, `${runId} ${cost.events}`);
