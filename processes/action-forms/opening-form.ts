// A person has a door opened without a code: of a shipment's locker, or of any to look inside.
import type { UnlockGoal } from '../../contract/machines/access.ts';
import { t } from '../../shared/texts/text.ts';
import type { ActionField, ActionForm } from './question-forms.ts';

export interface AtDoor {
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
  const label = isAgain ? (counts?.again ?? t`Open the door again`) : (counts?.label ?? t`Open to look`);
  const follows = counts
    ? `${counts.text} ${t`To look inside only, take “Open to look”.`}`
    : t`The shipment does not change.`;
  return {
    id: `open:${shipmentUid}`,
    label,
    consequence: t`The door opens at once, without a code. ${follows}`,
    fields: [whyField(t`It is kept with your name.`)],
    request: { path: `/v1/shipments/${encodeURIComponent(shipmentUid)}/open`, body: { goal } },
  };
}

/** To look inside, whatever is in it. */
export const lookForm = (lockerUid: string): ActionForm => ({
  id: `look:${lockerUid}`,
  label: t`Open to look`,
  consequence: t`The door opens at once, without a code. Nothing counts as put in or taken out: shipment, case and locker stay as they are.`,
  fields: [whyField(t`It is kept with your name.`)],
  request: { path: `/v1/lockers/${encodeURIComponent(lockerUid)}/open`, body: {} },
});
