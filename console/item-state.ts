// What is to happen with an item at its locker.
import { t } from '../shared/texts/text.ts';

interface AtLocker {
  readonly stateCode: string | null;
  readonly toUserUid: string | null;
  /** It counts as put in, but its door is still open. */
  readonly isBeingPutIn?: boolean;
}

/** For a shipment in its locker. Without a receiver it is stock. */
export function formatItemState({ stateCode, toUserUid, isBeingPutIn = false }: AtLocker): string {
  if (isBeingPutIn) return t`being put in`;
  const isStock = stateCode === 'ReadyForPickup' && toUserUid === null;
  return itemStates()[(isStock ? 'WaitForReceiver' : stateCode) ?? ''] ?? t`booked`;
}

const itemStates = (): Readonly<Record<string, string>> => ({
  Registered: t`booked ahead`,
  ReadyForDropoff: t`to be filled`,
  WaitForReceiver: t`in stock`,
  ReadyForPickup: t`to be picked up`,
});
