// What is to happen with an item at its locker.
import { t } from '../../../shared/texts/text.ts';
import type { HeldBy } from '../../walls/walls-view.ts';

const itemStates: Readonly<Record<string, string>> = {
  Registered: t`booked ahead`,
  ReadyForDropoff: t`to be filled`,
  WaitForReceiver: t`in stock`,
  ReadyForPickup: t`to be picked up`,
};

/** For a shipment that is there. What is for nobody lies in stock: nobody comes for it. */
export function formatItemState({ stateCode, toUserUid }: Pick<HeldBy, 'stateCode' | 'toUserUid'>): string {
  const isStock = stateCode === 'ReadyForPickup' && toUserUid === null;
  return itemStates[isStock ? 'WaitForReceiver' : stateCode] ?? t`booked`;
}
