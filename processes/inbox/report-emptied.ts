// Reports a locker as empty: whoever says so has looked into it.
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import { refused } from '../outcome.ts';
import type { InboxParts } from './inbox-entry.ts';
import { standingOpen } from './open-doors.ts';

type Parts = Pick<InboxParts, 'service'>;

/** Whether it was to be emptied until now. Throws CommandError while its door stands open: the next booking may get it. */
export async function reportEmptied(parts: Parts, lockerUid: string): Promise<boolean> {
  const open = await openDoor(parts, lockerUid);
  if (open)
    throw refused(
      'DoorOpen',
      t`the door of locker ${open.lockerName} stands open: shut it first, then say that the locker is empty`,
    );
  return (await parts.service.call('SetLockerEmptied', { lockerUid })).changed === true;
}

/** Undefined also at a service that does not list lockers. */
async function openDoor(parts: Parts, lockerUid: string) {
  try {
    return (await standingOpen(parts, 1)).open.find((each) => each.lockerUid === lockerUid);
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'UnknownOperation') return undefined;
    throw error;
  }
}
