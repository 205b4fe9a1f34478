// What a person does at the door of a shipment's locker: has it opened without a code, or says that it was opened with a key and what
// became of the item. Both count as the access of the person for whom the door should have opened.
import type { UnlockGoal } from '../../contract/machines/access.ts';
import { t } from '../../shared/texts/text.ts';
import type { ActionField, ActionForm } from './question-forms.ts';

interface AtDoor {
  readonly shipmentUid: string;
  /** The event that it counts as; null: none. */
  readonly goal: UnlockGoal | null;
}

/** For what needs a reason. */
export const whyField = (hint: string): ActionField => ({
  name: 'why',
  label: t`Why`,
  kind: 'lines',
  hint,
});

/** The button says what it counts as: who wants to look only must not find out afterwards. */
const openings = {
  DropOff: () => ({
    label: t`Open: counts as put in`,
    again: t`Open again: counts as put in`,
    text: t`It counts as put in, and that cannot be taken back: the case goes on as if the item were inside.`,
  }),
  PickUp: () => ({
    label: t`Open: counts as picked up`,
    again: t`Open again: counts as picked up`,
    text: t`It counts as picked up, and that cannot be taken back: the case goes on as if the item were out.`,
  }),
};

/** @param isAgain it stayed shut before */
export function openingForm({ shipmentUid, goal }: AtDoor, { isAgain = false } = {}): ActionForm {
  const counts = goal && openings[goal]();
  const label = isAgain ? (counts?.again ?? t`Open the door again`) : (counts?.label ?? t`Open the door`);
  const follows = counts
    ? `${counts.text} ${t`To look inside only, take “Open to look” of the locker, at its wall.`}`
    : t`The shipment does not change.`;
  return {
    id: `open:${shipmentUid}`,
    label,
    consequence: t`The door opens at once, without a code. ${follows}`,
    fields: [whyField(t`It is kept with your name.`)],
    request: { path: `/v1/shipments/${encodeURIComponent(shipmentUid)}/open`, body: { goal } },
  };
}

const byHand = {
  DropOff: () => ({
    label: t`It was put in by hand`,
    consequence: t`For a door that was opened with a key. The case goes on as if the person had put the item in: say so only once it is inside. No door opens, and it cannot be taken back.`,
  }),
  PickUp: () => ({
    label: t`It was handed out by hand`,
    consequence: t`For a door that was opened with a key. The case goes on as if the person had picked the item up, and the locker is free: say so only once it is out. No door opens, and it cannot be taken back.`,
  }),
};

export const byHandForm = ({ shipmentUid, goal }: AtDoor & { readonly goal: UnlockGoal }): ActionForm => ({
  id: `byHand:${shipmentUid}`,
  ...byHand[goal](),
  fields: [whyField(t`Who opened the door, and what was wrong with it. It is kept with your name.`)],
  request: { path: `/v1/shipments/${encodeURIComponent(shipmentUid)}/access-by-hand`, body: { goal } },
});
