// What stands above the fold of a process: where its item is, what happens next and when, what is wrong, what to do. Made of what
// the process says of itself; none of it needs a look at the chart.
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { onboardResultSchema } from '../../../contract/flows/onboard-answers.ts';
import { legsBookedBy } from '../../../flows/built-in/flows.ts';
import type { ActionForm } from '../../../processes/action-forms/question-forms.ts';
import { countOf, type DoubtAnswer, isNoneFound } from '../../../processes/booking-doubt.ts';
import { formatRemedyOfHalted, formatRunningDeadlines } from '../../../processes/views/awaited.ts';
import type { BeingPutInAt } from '../../../processes/views/being-put-in.ts';
import { deskTasksOf, formatLateRemedy, latestOf } from '../../../processes/views/desk-tasks.ts';
import { formatFlowName, formatName } from '../../../processes/views/format-names.ts';
import { whereOf } from '../../../processes/views/item-locations.ts';
import { shipmentsIn, wholeBooking } from '../../../processes/views/progress.ts';
import { sentence } from '../../../processes/views/readable.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { t } from '../../../shared/texts/text.ts';
import type { ProcessOverview, Remedy, Tone } from './overview-view.ts';
import { phaseWords, questionWords } from './phase-words.ts';
import { problemsOf, triedOf } from './problems.ts';
import { type EventParts, nextOf } from './upcoming-events.ts';

interface OverviewParts extends EventParts {
  readonly process: Pick<ShownProcess, 'flow' | 'status' | 'failure' | 'trying'> &
    Partial<Pick<ShownProcess, 'result'>>;
  readonly progress: ProcessProgress | null;
  readonly actionForms: readonly ActionForm[];
  readonly parent: string | null;
  /** Of pick up points, by pupUid; absent: none is known. */
  readonly pickUpPoints?: ReadonlyMap<string, string>;
  readonly isBeingPutIn?: BeingPutInAt;
}

export function overviewOf(parts: OverviewParts): ProcessOverview {
  const { process, progress, parent, doubts = [] } = parts;
  const title = parts.chart?.states[0]?.title ?? formatFlowName(process.flow);
  const primary = primaryOf(parts);
  const { faults, late, technical } = problemsOf(parts);
  const isOpen = process.status === 'Running';
  const todoCode = lateCodeOf(parts);
  return {
    title,
    parent,
    status: statusOf(process, progress),
    where: whereNow(parts),
    itemNow: null,
    movedTo: null,
    next: isOpen && progress ? nextOf(parts, progress) : [],
    wrong: [...faults, ...late],
    hasFault: faults.length > 0,
    technical: [...technical],
    tried: triedOf(parts),
    doubts: [...doubts],
    unread: unreadOf(parts),
    todo: todoCode === null ? todoOf(parts, primary) : formatLateRemedy(undefined),
    todoCode,
    desk: isOpen && progress ? deskTasksOf(progress, parts.pickUpPoints) : [],
    primary: primary?.id ?? null,
    remedies: remediesOf(parts, primary),
  };
}

function whereNow({ process, progress, doubts = [], isBeingPutIn }: OverviewParts): ProcessOverview['where'] {
  if (!progress) return [];
  const known = whereOf(progress, process.status === 'Running', undefined, isBeingPutIn);
  if (known.length > 0) return known;
  const isNothingBooked =
    process.status !== 'Running' && progress.bookings.length > 0 && shipmentsIn(progress).length === 0;
  const isSureOfNone = doubts.length > 0 && doubts.every(isNoneFound);
  if ((isNothingBooked || isSureOfNone) && isToBeBrought(progress))
    return [{ words: t`Still with whoever brings it: no locker is booked`, pupUid: null }];
  if (isNothingBooked) return [{ words: t`In no locker: nothing was booked`, pupUid: null }];
  const account = formatAccount(process.result);
  if (account !== null) return [{ words: account, pupUid: null }];
  if (doubts.length === 0) return [];
  return [{ words: t`In no locker: ${wordsOfDoubts(doubts)}`, pupUid: null }];
}

/** What OnboardAccount has come to; null: it is another flow. One that was there already looks like a new one else. */
function formatAccount(result: unknown): string | null {
  const { data } = onboardResultSchema.safeParse(result);
  if (!data) return null;
  if (!data.isExisting) return t`The account is there`;
  const differing = data.differingDetails.map((each) => formatName(each).toLowerCase()).join(', ');
  return differing === ''
    ? t`The account was there already`
    : t`The account was there already, and was left as it is: it differs in ${differing}`;
}

/** Its item is in no locker before the booking; another flow's may lie in stock. */
const isToBeBrought = ({ bookings }: Pick<ProcessProgress, 'bookings'>): boolean =>
  bookings.length > 0 &&
  bookings.every(({ operation }) => {
    const [first] = Object.values(legsBookedBy(operation));
    return first?.begins === 'ReadyForDropoff' && !first.isPrior;
  });

/** What the service was asked for this page. */
function wordsOfDoubts(doubts: readonly DoubtAnswer[]): string {
  if (doubts.every(isNoneFound)) return t`nothing is booked`;
  const found = doubts.flatMap((each) => each.found);
  return found.length > 0
    ? t`the locker service has ${countOf({ found })}, and nobody has chosen it yet`
    : t`whether one is booked is not known`;
}

/** It does not answer, so nothing of it is known. */
const unreadOf = ({ progress }: OverviewParts): string[] =>
  progress === null ? [t`what the case says of itself`] : [];

const ends = (): Readonly<Record<string, { words: string; tone: Tone }>> => ({
  Done: { words: t`Done`, tone: 'over' },
  Overdue: { words: t`Ended overdue`, tone: 'late' },
  Cancelled: { words: t`Cancelled`, tone: 'over' },
  Completed: { words: t`Ended`, tone: 'over' },
  Failed: { words: t`Failed`, tone: 'fault' },
  Terminated: { words: t`Terminated, nothing was undone`, tone: 'fault' },
  TimedOut: { words: t`Timed out`, tone: 'fault' },
});

function statusOf(
  { status }: OverviewParts['process'],
  progress: ProcessProgress | null,
): ProcessOverview['status'] {
  if (status !== 'Running') {
    const outcome = progress && wholeBooking(progress)?.outcome;
    const end = ends()[status === 'Completed' && outcome ? outcome : status];
    return end ?? { words: status, tone: 'plain' };
  }
  if (!progress) return { words: t`Does not answer now`, tone: 'offline' };
  const { phase } = progress;
  if (phase === 'NeedsPerson' || phase === 'Overdue') return phaseWords()[phase];
  if (progress.questions.length > 0) return questionWords();
  return phaseWords().Open;
}

/** Of processes of one case the greatest is the badge of the case. Null: it has ended. */
export function urgencyOf(
  { status }: Pick<ShownProcess, 'status'>,
  progress: ProcessProgress | null,
): number | null {
  if (status !== 'Running') return null;
  if (!progress) return 0;
  const { phase, questions } = progress;
  if (phase === 'NeedsPerson') return 4;
  if (phase === 'Overdue') return 3;
  return questions.length > 0 ? 2 : 1;
}

/** What the sentences beside name is a button. */
function remediesOf(
  { process, progress, parent, actionForms, doubts = [] }: OverviewParts,
  primary: ActionForm | undefined,
): Remedy[] {
  const act = ({ id }: ActionForm): Remedy => ({ kind: 'act', id });
  const first = primary ? [act(primary)] : [];
  const also = (command: string) =>
    actionForms.filter((each) => each.command === command && each !== primary).map(act);
  if (process.status !== 'Running')
    return parent === null && isBroken(process.status) ? [{ kind: 'startAgain', id: null }] : [];
  if (progress?.halted) return [...first, { kind: 'flow', id: null }];
  if (doubts.some(({ found }) => found.length > 0)) return [...first, ...also('adopt')];
  if (progress?.phase === 'Overdue') return [...first, ...also('cancel')];
  return first;
}

/** Nobody has asked for that end. */
const isBroken = (status: OverviewParts['process']['status']): boolean =>
  status === 'Failed' || status === 'TimedOut' || status === 'Terminated';

/** In a decision, the one that does no harm. */
function primaryOf({ actionForms, progress, doubts = [] }: OverviewParts): ActionForm | undefined {
  const mild = actionForms.filter(({ isDestructive }) => !isDestructive);
  const by = (...commands: readonly string[]) => {
    for (const command of commands) {
      const found = mild.find((each) => each.command === command);
      if (found) return found;
    }
    return undefined;
  };
  const answer = mild.find(({ command }) => command === 'answer');
  if (answer) return answer;
  // A halted step is fixed by correcting the flow file: every action offered here would lose something.
  if (progress?.halted) return undefined;
  if (progress?.phase === 'NeedsPerson') {
    // Nothing is booked again before the service has said that nothing was booked.
    const order = doubts.length > 0 && doubts.every(isNoneFound) ? ['retry', 'adopt'] : ['adopt', 'setState'];
    const found = by(...order) ?? by('retry');
    return found ?? (doubts.length > 0 ? undefined : actionForms.find(isDecision));
  }
  if (progress?.phase === 'Overdue') return by('extend');
  const waitsForReceiver = progress?.waitingFor.some(({ stage }) => stage === 'receiver');
  return waitsForReceiver ? by('setReceiver') : undefined;
}

const isDecision = ({ command }: ActionForm): boolean => command === 'dropEvent' || command === 'giveUp';

function todoOf(parts: OverviewParts, primary: ActionForm | undefined): string | null {
  const { process, progress } = parts;
  const isLeft = progress?.bookings.some(({ itemsLeft }) => itemsLeft.length > 0) ?? false;
  if (process.status === 'Running') return progress && todoOfOpen({ ...parts, progress }, primary, isLeft);
  if (isLeft)
    return t`Fetch the item that was left; then say that the locker is empty: until then nobody else gets it.`;
  return process.status === 'Failed' ? todoOfFailed(progress) : null;
}

function todoOfOpen(
  { progress, doubts = [], pickUpPoints }: OverviewParts & { readonly progress: ProcessProgress },
  primary: ActionForm | undefined,
  isLeft: boolean,
): string | null {
  const [question] = progress.questions;
  if (question) return sentence(t`Answer the question to ${question.of}: “${question.question}”`);
  if (isLeft)
    return t`The case goes on and may count on the item that was left: it can book the locker for the next person. Fetch it only if the case does not need it there; then say that the locker is empty.`;
  if (progress.halted)
    return t`${formatRemedyOfHalted(progress.halted)} If that takes too long: under More it can be given up, or go on without what it was told.${formatRunningDeadlines(progress)}`;
  if (doubts.length > 0) return todoInDoubt(doubts);
  if (progress.phase === 'NeedsPerson')
    return primary
      ? t`Decide how it goes on: ${primary.label.toLowerCase()}, or another way under More.`
      : t`Decide how it goes on.`;
  if (progress.phase === 'Overdue')
    return formatLateRemedy(deskTasksOf(progress, pickUpPoints)[0] ?? t`do what is late`);
  if (primary?.command === 'setReceiver') return t`Say who receives the item.`;
  return null;
}

/** Somebody is late who is not the desk, and nothing else is to be done first. */
function lateCodeOf({ process, progress, doubts = [] }: OverviewParts): ProcessOverview['todoCode'] {
  if (process.status !== 'Running' || progress?.phase !== 'Overdue') return null;
  const { questions, halted, bookings } = progress;
  const isOther = halted || doubts.length > 0 || questions.length > 0;
  if (isOther || bookings.some(({ itemsLeft }) => itemsLeft.length > 0)) return null;
  // In a state of a flow file, only the file knows whose turn it is.
  if (!progress.waitingFor.some(({ isOverdue, role }) => isOverdue && role)) return null;
  const step = latestOf(progress);
  if (step === 'deskPutsIn' || step === 'deskTakesOut') return null;
  return step === 'bringBack' || step === 'putIn' ? 'DropOffIsLate' : 'PickUpIsLate';
}

function todoInDoubt(doubts: readonly DoubtAnswer[]): string {
  const found = doubts.reduce((sum, each) => sum + each.found.length, 0);
  if (found === 1) return t`If it is this one, choose it: nothing is booked again.`;
  if (found > 1) return t`Choose the one that is of this case: nothing is booked again.`;
  return doubts.every(isNoneFound)
    ? t`Nothing was booked: book again.`
    : t`It is asked again by itself. Until then look at the wall, or ask whoever runs the locker service: if it was booked, say which shipment it is.`;
}

function todoOfFailed(progress: ProcessProgress | null): string | null {
  if (!progress || progress.bookings.length === 0) return null;
  return shipmentsIn(progress).length > 0
    ? null
    : t`Nothing is booked, and nothing happens by itself: start it again, with another size, place or person, or later.`;
}
