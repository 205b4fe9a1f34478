// What is wrong with a process: why it has failed or halted, what is overdue, what was left, and which calls fail.
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import type { Stage as LegStage } from '../../../contract/flows/flow-input.ts';
import type { FileFault } from '../../../flows/language/expressions/failure.ts';
import { type DoubtAnswer, isNoneFound } from '../../../processes/booking-doubt.ts';
import { formatNotOffered } from '../../../processes/not-offered.ts';
import type { PendingActivity } from '../../../processes/views/execution.ts';
import { formatName } from '../../../processes/views/format-names.ts';
import { formatTried } from '../../../processes/views/no-locker.ts';
import { NO_BOOKINGS, nameOfLeg, namesIn } from '../../../processes/views/progress.ts';
import {
  formatFailure as formatAnyFailure,
  type Names,
  readable,
  sentence,
} from '../../../processes/views/readable.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';
import { formatDecision, formatWaitingFor } from '../../../processes/views/wait-texts.ts';
import { t } from '../../../shared/texts/text.ts';

export interface ProblemParts {
  readonly process: Pick<ShownProcess, 'status' | 'failure' | 'trying'>;
  readonly progress: ProcessProgress | null;
  /** Of pick up points, by pupUid; absent: none is known. */
  readonly pickUpPoints?: ReadonlyMap<string, string>;
  /** Absent: no booking is in doubt. */
  readonly doubts?: readonly DoubtAnswer[];
}

export interface Problems {
  readonly faults: readonly string[];
  /** Somebody is late: that is no fault. */
  readonly late: readonly string[];
  /** For who maintains the flow. */
  readonly technical: readonly string[];
}

export function problemsOf({
  process,
  progress,
  pickUpPoints = new Map(),
  doubts = [],
}: ProblemParts): Problems {
  const names = new Map([...namesIn(progress ?? NO_BOOKINGS), ...pickUpPoints]);
  const { failure, status, trying } = process;
  const failed = failure && status !== 'Cancelled' ? failure : null;
  const halted = progress?.halted ?? null;
  const faults = [
    ...(failed ? [formatFailure(failed, names)] : []),
    ...(halted ? [t`It has stopped: ${formatHalt(halted, names)}`] : []),
    ...(progress ? faultsOfBookings(progress, names, doubts) : []),
    ...(waitsForLocker(progress) ? [] : trying.flatMap((each) => formatRetriedActivity(each, names))),
  ];
  const refused = [
    ...(failed?.notOffered === undefined ? [] : [failed.message]),
    ...trying.flatMap(({ lastFailure, notOffered }) =>
      notOffered === undefined || lastFailure === null ? [] : [lastFailure],
    ),
  ];
  const rules = [failed?.fault, halted?.details].flatMap((fault) => (fault ? [formatFault(fault)] : []));
  return {
    faults: sentences(faults),
    late: sentences(progress ? lateOf(progress) : []),
    technical: [...rules, ...refused],
  };
}

const sentences = (all: readonly string[]): string[] => [...new Set(all.map(sentence))];

const formatFault = ({ path, expression, reason }: FileFault): string =>
  `${path}${expression === null ? '' : `: ${expression}`}: ${reason}`;

/** More of why it has failed. */
export const triedOf = ({ process, pickUpPoints }: ProblemParts): string[] =>
  process.failure?.lockersTried ? [formatTried(process.failure.lockersTried, pickUpPoints)] : [];

const formatHalt = (
  { message, details: fault }: NonNullable<ProcessProgress['halted']>,
  names: Names,
): string => formatFailure({ message, fault }, names);

/** In plain words: where and with which expression is for who maintains the flow. */
const formatFailure = (failure: Parameters<typeof formatAnyFailure>[0], names: Names): string =>
  failure.fault ? t`a rule of its flow has a mistake` : formatAnyFailure(failure, names);

/** It was asked to wait until one is free: that is no failure. */
const waitsForLocker = (progress: ProcessProgress | null): boolean =>
  (progress?.waitingFor ?? []).some(({ code }) => code === 'FreeLocker');

const lateOf = (progress: ProcessProgress): string[] =>
  progress.waitingFor.flatMap((awaited) => {
    const { code, isOverdue, stage, role, until, booking = '' } = awaited;
    if (code === 'Overdue') return formatWaitingFor(awaited, progress);
    return isOverdue && stage && role
      ? [
          t`${nameOfLeg(progress, { id: booking }, role)}: ${stageNames()[stage]} is overdue${until ? t` since ${until}` : ''}`,
        ]
      : [];
  });

function faultsOfBookings(progress: ProcessProgress, names: Names, doubts: readonly DoubtAnswer[]): string[] {
  const { waitingFor, bookings } = progress;
  const decisions = waitingFor.filter(({ kind, code }) => kind === 'decision' && code !== 'Halted');
  const left = bookings
    .flatMap(({ itemsLeft }) => itemsLeft)
    .map(
      ({ lockerName }) =>
        t`An item was left in ${lockerName === null ? t`its locker` : t`locker ${lockerName}`}`,
    );
  const wrong = decisions.map(
    (each) =>
      (each.code === 'BookingUnknown' ? sinceAsked(doubts) : null) ??
      readable(formatDecision(each, progress), names),
  );
  return [...wrong, ...left];
}

/** Once the service has said what it has; null: it is still in doubt. */
function sinceAsked(doubts: readonly DoubtAnswer[]): string | null {
  if (doubts.length === 0) return null;
  if (doubts.every(isNoneFound)) return t`The booking was not made`;
  return doubts.some(({ found }) => found.length > 0)
    ? t`The answer to the booking was lost: nobody has chosen yet what was booked`
    : null;
}

const stageNames = (): Readonly<Record<LegStage, string>> => ({
  dropOff: t`the drop off`,
  receiver: t`the choice of a receiver`,
  pickUp: t`the pick up`,
});

const formatRetriedActivity = (
  { activity, attempt, lastFailure, notOffered }: PendingActivity,
  names: Names,
): string[] => {
  if (lastFailure === null) return [];
  const why = notOffered === undefined ? readable(lastFailure, names) : formatNotOffered(notOffered);
  return [
    attempt === 0
      ? t`What may be booked already is looked for again: ${why}`
      : t`${formatName(activity)} failed${formatTimes(attempt - 1)} and is tried again: ${why}`,
  ];
};

/** One that has not come to its end yet has failed within itself. */
const formatTimes = (count: number): string => ['', t` once`][count] ?? t` ${count} times`;
