// The item that somebody is asked about, where it lies in a locker: they may have to see it.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { goalIn } from '../../contract/machines/access.ts';
import { t } from '../../shared/texts/text.ts';
import { shipmentsIn } from './progress.ts';

export interface ItemToSee {
  readonly pupUid: string | null;
  readonly lockerName: string;
}

/** Undefined: it lies in none, or there are several, and none is said to be meant. */
export function itemToSee(progress: Pick<ProcessProgress, 'bookings'>): ItemToSee | undefined {
  const [item, ...others] = shipmentsIn(progress).flatMap(
    ({ shipment: { stateCode, pupUid, lockerName } }) =>
      lockerName !== null && goalIn(stateCode) === 'PickUp' ? [{ pupUid, lockerName }] : [],
  );
  return others.length === 0 ? item : undefined;
}

export const formatItemToSee = (locker: string): string =>
  t`It lies in locker ${locker}: if it has to be seen, take “Open to look” there.`;
