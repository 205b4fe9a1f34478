// The texts of a decision in the inbox, made of the codes of what the process waits for.
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { DecisionReason } from '../../contract/flows/wait-codes.ts';
import { t } from '../../shared/texts/text.ts';
import { countOf, type DoubtAnswer, formatFound, isNoneFound } from '../booking-doubt.ts';
import { formatRemedyOfHalted, formatRunningDeadlines } from '../views/awaited.ts';
import { formatFlowName, formatName } from '../views/format-names.ts';
import { sentence } from '../views/readable.ts';
import { formatDecision } from '../views/wait-texts.ts';
import type { InboxEntry } from './inbox-entry.ts';

/** The decisions that it waits for, the most urgent first. */
export const awaitedIn = ({ waitingFor }: ProcessProgress): WaitingFor[] =>
  waitingFor.filter(({ kind }) => kind === 'decision');

export function textsOf(progress: ProcessProgress): Pick<InboxEntry, 'title' | 'why' | 'ifNothing' | 'toDo'> {
  const awaited = awaitedIn(progress);
  const [first] = awaited;
  const { title, ifNothing, toDo } = textsBy(progress, first?.code);
  const of = [
    formatFlowName(progress.flow),
    ...(first?.booking !== undefined && progress.bookings.length > 1 ? [formatName(first.booking)] : []),
  ].join(', ');
  const why = awaited.map((each) => textsBy(progress, each.code).why(each));
  return { title: `${of}${title}`, why: [...new Set(why)].join(' '), ifNothing, toDo };
}

/** What the locker service has of the bookings in doubt, and what that lets a person do. */
export function textsInDoubt(
  { why }: Pick<InboxEntry, 'why'>,
  doubts: readonly DoubtAnswer[],
  names: ReadonlyMap<string, string>,
): Pick<InboxEntry, 'why' | 'toDo'> {
  const isKnown = doubts.every((doubt) => doubt.found.length > 0 || isNoneFound(doubt));
  const said = doubts.map((doubt) => {
    const { found, unread } = doubt;
    if (found.length > 0)
      return t`The locker service has ${countOf(doubt)} with the number of this case: ${found.map((each) => formatFound(each, names)).join('; ')}.`;
    return unread === null
      ? t`The locker service has no booking with the number of this case.`
      : t`The locker service could not say it: ${unread}.`;
  });
  // Why it could not be asked before is of no more use.
  return {
    why: [isKnown ? t`The answer to the booking was lost.` : why, ...said].join(' '),
    toDo: toDoInDoubt(doubts),
  };
}

function toDoInDoubt(doubts: readonly DoubtAnswer[]): string {
  if (doubts.some(({ found }) => found.length > 0))
    return t`Choose what was booked: then nothing is booked again.`;
  return doubts.every(isNoneFound)
    ? t`Nothing was booked: book again.`
    : t`Look at the locker service, or ask its operator: if it was booked, say which shipment it is.`;
}

interface DecisionTexts {
  /** After the flow. */
  readonly title: string;
  /** Sentences. */
  readonly why: (awaited: WaitingFor) => string;
  readonly ifNothing: string;
  readonly toDo: string;
}

const whatIsTrue = (progress: ProcessProgress): DecisionTexts => ({
  title: t`: what is true?`,
  why: (awaited) => sentence(formatDecision(awaited, progress)),
  ifNothing: t`The case goes on with what it believed before, and may wait for something that has happened.`,
  toDo: t`Find out what is true, at the locker or from the receiver, and say so.`,
});

const byReason = (progress: ProcessProgress): Readonly<Record<DecisionReason, DecisionTexts>> => ({
  Halted: {
    title: t` has stopped`,
    why: (awaited) => sentence(formatDecision(awaited, progress)),
    ifNothing: t`The case stands still, for as long as nobody decides; what it would do after a time waits, too.${formatRunningDeadlines(progress)}`,
    toDo: t`${formatRemedyOfHalted(progress.halted)} Only if nobody can correct it, decide what becomes of it.`,
  },
  BookingUnknown: {
    title: t`: was it booked?`,
    why(awaited) {
      const booking = progress.bookings.find(({ id, isWhole }) => isWhole || id === awaited.booking);
      const { why = '', candidates = [] } = booking?.doubt ?? {};
      const seen = candidates.length > 0 ? t` It may be: ${candidates.join(', ')}.` : '';
      return t`The answer to the booking was lost, so nobody knows whether it was made: ${why}.${seen}`;
    },
    ifNothing: t`The case waits. If the booking was made, its locker stays taken, and nobody is told of it.`,
    toDo: t`Look at the locker service, or ask its operator: if it was booked, adopt it; if it was not, book again.`,
  },
  NotUndone: {
    title: t`: not all could be undone`,
    why: (awaited) => t`The case was cancelled, and ${formatDecision(awaited, progress)}.`,
    ifNothing: t`The case goes on trying. What it cannot undo stays booked.`,
    toDo: t`Mend the cause, like wrong credentials, and try again; or say what state the shipment is in.`,
  },
  Contradiction: whatIsTrue(progress),
  LegsUnmatched: whatIsTrue(progress),
  LegsIndistinct: whatIsTrue(progress),
});

/** A worker of another release may have a code that is not known here. */
function textsBy(progress: ProcessProgress, code = ''): DecisionTexts {
  const texts = byReason(progress);
  return Object.hasOwn(texts, code) ? texts[code as DecisionReason] : whatIsTrue(progress);
}
