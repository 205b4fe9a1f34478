// What the desk is to do at lockers: the steps of a process that nobody else takes.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { t } from '../../shared/texts/text.ts';
import { awaitedOf } from './awaited.ts';
import { shipmentsIn } from './progress.ts';
import { type Step, stepOf } from './row-state.ts';

const tasks: Readonly<Partial<Record<Step, (locker: string) => string>>> = {
  deskPutsIn: (locker) => t`put the item into ${locker}`,
  deskTakesOut: (locker) => t`take the item out of ${locker}`,
};

/** As in "put the item into locker 13". */
export function deskTasksOf(progress: ProcessProgress): string[] {
  const lockers = new Map(
    shipmentsIn(progress).map(({ shipment }) => [shipment.shipmentUid, shipment.lockerName]),
  );
  const all = awaitedOf(progress).flatMap((awaited) => {
    const step = stepOf(awaited);
    const name = lockers.get(awaited.shipmentUid ?? '');
    const task = step && tasks[step];
    return task ? [task(name == null ? t`its locker` : t`locker ${name}`)] : [];
  });
  return [...new Set(all)];
}

/** The shipments of these tasks. */
export function shipmentsAtDesk(progress: ProcessProgress): ReadonlySet<string> {
  const own = awaitedOf(progress).flatMap((awaited) => {
    const step = stepOf(awaited);
    return step && tasks[step] && awaited.shipmentUid ? [awaited.shipmentUid] : [];
  });
  return new Set(own);
}

/** What somebody is late with; null: it is no step at a locker. */
export function latestOf({ waitingFor }: Pick<ProcessProgress, 'waitingFor'>): Step | null {
  const late = waitingFor.find(({ isOverdue }) => isOverdue === true);
  return late ? stepOf(late) : null;
}
