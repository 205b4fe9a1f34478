// A door that is opened for what the desk is to do there: the label says which one.
import type { UnlockGoal } from '../../contract/machines/access.ts';
import { t } from '../../shared/texts/text.ts';
import { openingForm } from './opening-form.ts';
import type { ActionForm } from './question-forms.ts';

interface DeskLocker {
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  readonly goal: UnlockGoal;
}

export const openLockerForm = ({ shipmentUid, lockerName, goal }: DeskLocker): ActionForm => ({
  ...openingForm({ shipmentUid, goal }),
  label:
    goal === 'PickUp'
      ? t`Open locker ${lockerName}: counts as picked up`
      : t`Open locker ${lockerName}: counts as put in`,
});
