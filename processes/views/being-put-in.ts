// An item that is being put into its locker: the service counts it as put in once the door opens for it, but until the door is shut
// nobody knows whether it is inside.
import type { Response } from '../../contract/operations/operations.ts';
import { t } from '../../shared/texts/text.ts';

type Locker = Pick<Response<'GetLockers'>['items'][number], 'door' | 'doorOpenSince' | 'lastAccess'>;

/** How far the clock of a wall may be ahead of the service's. A door that opens later was opened for something else. */
const TOLERANCE_MS = 30_000;

export function isBeingPutIn({ door, doorOpenSince, lastAccess }: Locker): boolean {
  if (door !== 'Open' || lastAccess?.accessGoal !== 'DropOff') return false;
  const [openSince, putIn] = [doorOpenSince, lastAccess.occurredAt].map((at) => Date.parse(`${at}Z`));
  return !(Number(openSince) - Number(putIn) > TOLERANCE_MS);
}

/** Whether an item is being put into the locker of this name. */
export type BeingPutInAt = (at: {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}) => boolean;

/** @param locker "locker 7", or "its locker" */
export const formatBeingPutIn = (locker: string): string => t`Being put into ${locker}: its door is open`;
