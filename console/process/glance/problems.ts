// What is wrong with a process: why it has failed or halted, what is overdue, what was left, and which calls fail.
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import type { Stage as LegStage } from '../../../contract/flows/flow-input.ts';
import type { PendingActivity } from '../../../processes/views/execution.ts';
import { formatName } from '../../../processes/views/format-names.ts';
import { namesIn } from '../../../processes/views/happened.ts';
import { formatTried } from '../../../processes/views/no-locker.ts';
import { nameOfLeg } from '../../../processes/views/progress.ts';
import { formatFailure, type Names, readable, sentence } from '../../../processes/views/readable.ts';
import type { ShownProcess } from '../../../processes/views/shown-process.ts';

export interface ProblemParts {
  readonly process: Pick<ShownProcess, 'status' | 'failure' | 'trying'>;
  readonly progress: ProcessProgress | null;
  /** Of pick up points, by pupUid; absent: none is known. */
  readonly pickUpPoints?: ReadonlyMap<string, string>;
}

export function wrongOf({ process, progress, pickUpPoints = new Map() }: ProblemParts): string[] {
  const names = new Map([...namesIn(progress), ...pickUpPoints]);
  const { failure, status, trying } = process;
  const all = [
    ...(failure && status !== 'Cancelled' ? [formatFailure(failure, names)] : []),
    ...(progress?.halted ? [`A step could not be taken: ${formatHalt(progress.halted, names)}`] : []),
    ...(progress ? wrongWithBookings(progress, names) : []),
    ...(waitsForLocker(progress) ? [] : trying.flatMap((each) => formatRetriedActivity(each, names))),
  ];
  return [...new Set(all.map(sentence))];
}

/** More of why it has failed. */
export const triedOf = ({ process, pickUpPoints }: ProblemParts): string[] =>
  process.failure?.lockersTried ? [formatTried(process.failure.lockersTried, pickUpPoints)] : [];

const formatHalt = (
  { message, details: fault }: NonNullable<ProcessProgress['halted']>,
  names: Names,
): string => formatFailure({ message, fault }, names);

/** It was asked to wait until one is free: that is no failure. */
const waitsForLocker = (progress: ProcessProgress | null): boolean =>
  (progress?.waitingFor ?? []).some(({ code }) => code === 'FreeLocker');

function wrongWithBookings(progress: ProcessProgress, names: Names): string[] {
  const { waitingFor, bookings } = progress;
  const decisions = waitingFor.filter(({ kind, code }) => kind === 'decision' && code !== 'Halted');
  const overdue = waitingFor.flatMap(({ isOverdue, stage, role, until, booking = '' }) =>
    isOverdue && stage && role
      ? [
          `${nameOfLeg(progress, { id: booking }, role)}: ${stageNames[stage]} is overdue${until ? ` since ${until}` : ''}`,
        ]
      : [],
  );
  const left = bookings
    .flatMap(({ itemsLeft }) => itemsLeft)
    .map(
      ({ lockerName }) =>
        `An item was left in ${lockerName === null ? 'its locker' : `locker ${lockerName}`}`,
    );
  return [...decisions.map(({ why, words }) => readable(why ?? words, names)), ...overdue, ...left];
}

const stageNames: Readonly<Record<LegStage, string>> = {
  dropOff: 'the drop off',
  receiver: 'the choice of a receiver',
  pickUp: 'the pick up',
};

const formatRetriedActivity = (
  { activity, attempt, lastFailure }: PendingActivity,
  names: Names,
): string[] =>
  lastFailure === null
    ? []
    : [
        `${formatName(activity)} failed${formatTimes(attempt - 1)} and is tried again: ${readable(lastFailure, names)}`,
      ];

const formatTimes = (count: number): string => ['', ' once'][count] ?? ` ${count} times`;
