// What the desk is to do at lockers: the steps of a process that nobody else takes.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { t } from '../../shared/texts/text.ts';
import { awaitedOf } from './awaited.ts';
import { capitalized } from './format-names.ts';
import { shipmentsIn, waitsForReturnOfSwap } from './progress.ts';
import { type Step, stepOf } from './row-state.ts';

type Task = (locker: string) => string;
const tasks: Readonly<Partial<Record<Step, Task>>> = {
  deskPutsIn: (locker) => t`put the item into ${locker}`,
  deskTakesOut: (locker) => t`take the item out of ${locker}`,
};
const takeReturnOut: Task = (locker) => t`take the returned item out of ${locker}`;

const tasksAtDesk = (progress: ProcessProgress) =>
  awaitedOf(progress).flatMap((awaited) => {
    const step = stepOf(awaited);
    const isReturn = step === 'deskTakesOut' && waitsForReturnOfSwap(progress, awaited);
    const task = isReturn ? takeReturnOut : step && tasks[step];
    return task ? [{ shipmentUid: awaited.shipmentUid, task }] : [];
  });

/** As in "put the item into locker 13, Central". @param names of pick up points, by pupUid */
export function deskTasksOf(
  progress: ProcessProgress,
  names: ReadonlyMap<string, string> = new Map(),
): string[] {
  const shipments = new Map(shipmentsIn(progress).map(({ shipment }) => [shipment.shipmentUid, shipment]));
  const all = tasksAtDesk(progress).map(({ shipmentUid = '', task }) => {
    const { lockerName = null, pupUid = null } = shipments.get(shipmentUid) ?? {};
    const locker = lockerName === null ? t`its locker` : t`locker ${lockerName}`;
    const wall = names.get(pupUid ?? '');
    return task(wall === undefined ? locker : `${locker}, ${wall}`);
  });
  return [...new Set(all)];
}

/** Where the desk is to do something. */
export function wallsOfTasks(progress: ProcessProgress | null): string[] {
  if (progress === null) return [];
  const atDesk = shipmentsAtDesk(progress);
  return shipmentsIn(progress).flatMap(({ shipment: { shipmentUid, pupUid } }) =>
    pupUid !== null && atDesk.has(shipmentUid) ? [pupUid] : [],
  );
}

/** The shipments of these tasks. */
export const shipmentsAtDesk = (progress: ProcessProgress): ReadonlySet<string> =>
  new Set(tasksAtDesk(progress).flatMap(({ shipmentUid }) => shipmentUid || []));

/** What to do about a late case. @param task of the desk; undefined: somebody else is late */
export const formatLateRemedy = (task: string | undefined): string =>
  task === undefined
    ? t`Ask the person what keeps them; then extend the deadline, or cancel.`
    : t`${capitalized(task)}; or extend the deadline, or cancel.`;

/** What somebody is late with; null: it is no step at a locker. */
export function latestOf({ waitingFor }: Pick<ProcessProgress, 'waitingFor'>): Step | null {
  const late = waitingFor.find(({ isOverdue }) => isOverdue === true);
  return late ? stepOf(late) : null;
}
