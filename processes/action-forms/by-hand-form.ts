// A person says that the door of a shipment's locker was opened with its key, and what became of the item: it counts as the access of the
// one for whom the door should have opened.
import type { UnlockGoal } from '../../contract/machines/access.ts';
import { t } from '../../shared/texts/text.ts';
import { type AtDoor, whyField } from './opening-form.ts';
import type { ActionField, ActionForm } from './question-forms.ts';

const byHand = {
  DropOff: () => ({
    label: t`It was put in by hand`,
    consequence: t`For a door that stands open, or was opened with its key. The case goes on as if the person had put the item in: say so only once it is inside. No door opens, and it cannot be taken back.`,
  }),
  PickUp: () => ({
    label: t`It was handed out by hand`,
    consequence: t`For a door that stands open, or was opened with its key. The case goes on as if the person had picked the item up: say so only once it is out. No door opens, and it cannot be taken back.`,
  }),
};

interface ByHand extends AtDoor {
  readonly goal: UnlockGoal;
  /** Its own door is what is wrong, and bookings may still get the locker. */
  readonly isStuck: boolean;
}

export const byHandForm = ({ shipmentUid, goal, isStuck }: ByHand): ActionForm => ({
  id: `byHand:${shipmentUid}`,
  ...byHand[goal](),
  fields: [
    whyField(t`Who opened the door, and what was wrong with it. It is kept with your name.`),
    ...(isStuck ? [outOfOrder()] : []),
  ],
  request: { path: `/v1/shipments/${encodeURIComponent(shipmentUid)}/access-by-hand`, body: { goal } },
});

const outOfOrder = (): ActionField => ({
  name: 'outOfOrder',
  label: t`Take the locker out of order, too`,
  kind: 'yesNo',
  suggested: 'yes',
  hint: t`Else the next booking may get it, with a door that stays shut.`,
});
