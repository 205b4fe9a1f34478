// An item that is just being put into its locker: it counts as put in as soon as the door opens for it, and while the door stands open
// nobody knows whether it is inside.
import type { Response } from '../../contract/operations/operations.ts';
import { t } from '../../shared/texts/text.ts';

type Locker = Pick<Response<'GetLockers'>['items'][number], 'door' | 'doorOpenSince' | 'lastAccess'>;

/** The clock of a wall may be ahead of the service's by so much. A door that is opened later is not opened for that. */
const TOLERANCE_MS = 30_000;

export function isBeingPutIn({ door, doorOpenSince, lastAccess }: Locker): boolean {
  if (door !== 'Open' || lastAccess?.accessGoal !== 'DropOff') return false;
  const [openSince, putIn] = [doorOpenSince, lastAccess.occurredAt].map((at) => Date.parse(`${at}Z`));
  return !(Number(openSince) - Number(putIn) > TOLERANCE_MS);
}

/** Whether it is so at a locker that is known by its name. */
export type BeingPutInAt = (at: {
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}) => boolean;

/** @param locker "locker 7", or "its locker" */
export const formatBeingPutIn = (locker: string): string => t`Being put into ${locker}: its door is open`;
