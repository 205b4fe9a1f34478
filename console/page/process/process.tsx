// One process as it stands: the answers first, then what happened, and the chart for who asks for it.

import type { ProcessSubject, UpcomingEvent } from '../../process/overview/overview-view.ts';
import type { CaseHistory, DoorHistory, HappenedRow, ProcessDetails } from '../../process/process-view.ts';
import { type RequestError, useJson } from '../api.ts';
import { CaseOutreach } from '../outreach/case-outreach.tsx';
import { useCaseHistory } from '../outreach/use-case-history.ts';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useMatches } from '../parts/use-matches.ts';
import { useUnread } from '../readings.ts';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { Data, Family } from './about.tsx';
import { useActions } from './actions.tsx';
import { Answers } from './answers.tsx';
import { Happened } from './happened.tsx';
import { Lockers } from './lockers.tsx';
import { Machine } from './machine.tsx';
import './process.css';
import { t } from '../../../shared/texts/text.ts';
import { fineWords } from './fine-words.ts';
import { nameOfPart, Parts } from './parts.tsx';
import { ProcessHead } from './process-head.tsx';
import { StageBar } from './progress-bar.tsx';
import { idsIn, Remedies, remediesShown } from './remedies.tsx';
import { StartAgain } from './start-again.tsx';
import { hasTrouble, Trouble } from './trouble.tsx';

export function Process({ params: { key = '' }, search, user }: ViewProps) {
  const { data: process, refusal } = useLive<ProcessDetails>(
    `/v1/processes/${encodeURIComponent(key)}/details`,
  );
  if (process) return <Looked key={key} process={process} refusal={refusal} search={search} user={user} />;
  return <NotYet refusal={refusal} words={t`Asking the case …`} />;
}

/** As `.columns` of shared/styles/parts.css. */
const ONE_COLUMN = '(max-width: 960px)';

interface LookedProps extends Pick<ViewProps, 'search' | 'user'> {
  readonly process: ProcessDetails;
  readonly refusal: RequestError | undefined;
}

function Looked({ process: told, refusal, search, user }: LookedProps) {
  const path = `/v1/processes/${encodeURIComponent(told.key)}`;
  const mayAct = user.roles.includes('decide');
  // It has what happened in its children, too.
  const grown = told.children.map(({ key, events }) => `${key} ${events}`).join(' ');
  const history = useCaseHistory(`${path}/history`, `${told.runId} ${told.cost.events} ${grown}`);
  const doors = useLive<DoorHistory>(`${path}/doors`);
  // About people: only for who may act.
  const { data: subject, refusal: hidden } = useGrowing<ProcessSubject>(
    mayAct ? `${path}/subject` : undefined,
    told,
  );
  const process = withPerson(withNames(told, subject?.names ?? []), subject);
  // The answer has only what the reader may do of questions: a right to an inbox is enough for these.
  const offered = process.actionForms.filter(({ task }) => mayAct || task !== undefined);
  const nameOf = (of: string) => nameOfPart(subject?.parts, of);
  const { overview, clockAheadMs, temporalUi } = process;
  const unreadHistories = (history.data?.unread ?? []).map(({ what }) => t`what happened in ${what}`);
  useUnread([
    ...overview.unread,
    ...unreadHistories,
    ...(history.refusal ? [t`what happened`] : []),
    ...(doors.data?.unread ? [t`what happened at the doors`] : []),
  ]);
  const isTrouble = hasTrouble(process);
  const remedies = remediesShown({ process, offered, mayAct });
  const { press, say, others, outcome } = useActions({
    actionForms: named(offered, nameOf),
    apart: isTrouble ? idsIn(overview) : new Set(),
    clockAheadMs,
  });
  const isRunning = process.status === 'Running';
  const isInBanner = isTrouble && remedies.some(({ kind }) => kind === 'move' || kind === 'startAgain');
  const again = mayAct && mayBeginAgain(process) && !isInBanner && (
    <StartAgain key={`${process.runId} ${process.status}`} process={process} />
  );
  // One below the other, a locker comes before what happened.
  const isNarrow = useMatches(ONE_COLUMN);
  const lockers = <Lockers lockers={process.lockers} mayAct={mayAct} nameOf={nameOf} />;
  return (
    <>
      <ProcessHead process={process} subject={subject} notes={notesIn(history.data)} />
      {refusal && <RefusalNote refusal={refusal} />}
      {hidden && !subject && (
        <p class="note is-offline">{t`Could not be read: whom it is for, and its data`}</p>
      )}
      <Silent process={process} />
      <Trouble process={process}>
        <Remedies process={process} offered={offered} mayAct={mayAct} press={press} />
        <CaseOutreach process={process} mayAct={mayAct} />
      </Trouble>
      <section class="card" aria-label={t`At a glance`}>
        <Answers process={process} holder={subject?.holder ?? null}>
          {again}
          {others}
          <CaseOutreach process={process} mayAct={mayAct} isElsewhere={isTrouble} />
        </Answers>
        {outcome}
        <StageBar progressBar={process.progressBar} isCounting={isRunning} clockAheadMs={clockAheadMs} />
        <Fine process={process} />
      </section>
      <Parts
        processKey={process.key}
        parts={process.parts}
        subjects={subject?.parts}
        clockAheadMs={clockAheadMs}
        mayAct={mayAct}
      />
      <div class="columns process-columns">
        {isNarrow && lockers}
        <Happened
          path={path}
          mayAct={mayAct}
          takesNotes={takesNotes(process)}
          history={history}
          doors={doors}
          nameOf={nameOf}
          undone={() => say(t`The end is put back.`)}
        />
        <div class="sides">
          {!isNarrow && lockers}
          <Family parent={overview.parent} started={apart(process)} />
          {subject && <Data {...subject} />}
          <p class="soft small">
            <a href={`/flows/${encodeURIComponent(process.flow)}`}>{overview.title}</a>,{' '}
            <a href={temporalUi}>{t`In Temporal’s Web UI`}</a>
          </p>
        </div>
      </div>
      <Machine path={path} process={process} search={search} />
    </>
  );
}

/** The newest first. */
const notesIn = (history: CaseHistory | undefined): HappenedRow[] =>
  (history?.happened ?? []).filter(({ isNote }) => isNote).toReversed();

/** One quiet line: that no fault is known, and what the desk is to do. */
function Fine({ process }: Pick<LookedProps, 'process'>) {
  const { status, overview } = process;
  // In the banner, where that says nothing else.
  const desk = overview.todo === null ? [] : overview.desk;
  const words = fineWords({ ...overview, desk }, hasTrouble(process));
  if (status !== 'Running' || words === '') return null;
  return <p class="fine">{words}</p>;
}

/** A flow may write the uid of a shipment into its questions: people know the item. */
function withNames(process: ProcessDetails, names: ProcessSubject['names']): ProcessDetails {
  if (names.length === 0) return process;
  const named = <Text extends string | null>(text: Text) =>
    names.reduce<string | null>((all, { uid, name }) => all?.replaceAll(uid, name) ?? null, text) as Text;
  const { overview, actionForms } = process;
  return {
    ...process,
    overview: {
      ...overview,
      todo: named(overview.todo),
      next: overview.next.map((each) => ({ ...each, words: named(each.words) })),
    },
    actionForms: actionForms.map((form) => ({ ...form, consequence: named(form.consequence) })),
  };
}

/** Who acts, by name, where the case is for one person and books for them alone. */
function withPerson(process: ProcessDetails, subject: ProcessSubject | undefined): ProcessDetails {
  const [person, ...others] = subject?.people ?? [];
  const { progress, children, overview } = process;
  const isOne =
    others.length === 0 && children.length === 0 && progress?.bookings.every(({ isWhole }) => isWhole);
  if (!person || !isOne) return process;
  const isSender = person.role === t`From`;
  const named = (event: UpcomingEvent): UpcomingEvent => {
    const { actor, words } = event;
    const isThem = actor && (isSender ? actor.who !== 'receiver' : actor.who !== 'sender');
    return isThem ? { ...event, words: words.replace(actor.words, () => person.name) } : event;
  };
  return { ...process, overview: { ...overview, next: overview.next.map(named) } };
}

/** The same action of several flows is told apart by whom it is for. */
const named = (forms: ProcessDetails['actionForms'], nameOf: (key: string) => string | null) =>
  forms.map((form) => {
    const name = form.of ? nameOf(form.of.key) : null;
    return name === null ? form : { ...form, label: `${form.label}, ${name}` };
  });

/** What is a part of the case stands in its table. */
const apart = ({ children, parts }: ProcessDetails) =>
  children.filter((child) => !parts.some(({ key }) => key === child.key));

/** What has ended; and what can have another locker. */
const mayBeginAgain = ({ status, overview, isMovable }: ProcessDetails): boolean =>
  status === 'Running' ? isMovable : overview.parent === null && overview.movedTo === null;

/** Not before it has its flow file. A process that does not answer now may do so before the note is written; one that has ended need not. */
const takesNotes = ({ actions }: ProcessDetails): boolean =>
  actions?.actions.some(({ command }) => command === 'note') ?? true;

/** It does not answer now. */
function Silent({ process: { chartMissing, asOf } }: Pick<LookedProps, 'process'>) {
  if (chartMissing === null) return null;
  return (
    <p class="note is-offline">
      {chartMissing}
      {asOf && (
        <>
          {' '}
          {t`What is shown is as of`} <Time at={asOf} />.
        </>
      )}
    </p>
  );
}

/** Asked for again when the history has grown; what it was before stays until then. */
const useGrowing = <Data,>(path: string | undefined, { runId, cost }: ProcessDetails) =>
  useJson<Data>(path, `${runId} ${cost.events}`);
