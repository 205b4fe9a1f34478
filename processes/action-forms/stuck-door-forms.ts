// What can be done for a shipment whose door does not open: another try, or, with its key, what became of the item. Behind a wall that is
// cut off it is only the latter: no door there can be asked to open.
import type { UnlockGoal } from '../../contract/machines/access.ts';
import type { Response } from '../../contract/operations/operations.ts';
import { isBehindOfflineWall } from '../views/offline-wall.ts';
import { byHandForm } from './by-hand-form.ts';
import { type AtDoor, lookForm, openingForm } from './opening-form.ts';
import type { ActionForm } from './question-forms.ts';

type StuckDoor = Pick<
  Response<'GetLockers'>['items'][number],
  'lockerUid' | 'door' | 'doorFailure' | 'outOfOrder'
>;

export function stuckDoorForms(at: AtDoor & { readonly goal: UnlockGoal }, door: StuckDoor): ActionForm[] {
  if (isBehindOfflineWall(door)) return [byHandForm({ ...at, isStuck: false })];
  const byKey = byHandForm({ ...at, isStuck: door.outOfOrder !== true });
  const again = openingForm(at, { isAgain: true });
  if (at.goal === 'PickUp') return [again, byKey];
  // Whoever brings the item may not stand there, and what opens for them counts as put in.
  if (door.outOfOrder === true) return [byKey];
  return [...(door.lockerUid === null ? [] : [lookForm(door.lockerUid)]), again, byKey];
}
