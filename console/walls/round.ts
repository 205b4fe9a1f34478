// The round at a wall: each locker that somebody goes there for, in the order of the wall, with why, the form that opens it and the one
// that says what became of its item.
import { isInside } from '../../contract/wire/states.ts';
import { byHandForm } from '../../processes/action-forms/by-hand-form.ts';
import { lookForm, openingForm } from '../../processes/action-forms/opening-form.ts';
import type { ActionForm } from '../../processes/action-forms/question-forms.ts';
import { emptiedForm } from '../../processes/inbox/items-left.ts';
import { t } from '../../shared/texts/text.ts';
import { isToDesk } from './about-tiles.ts';
import type { HeldBy, RoundStop, TileAbout, WallLocker } from './walls-view.ts';

interface AtWall {
  readonly lockers: readonly WallLocker[];
  readonly abouts: Readonly<Record<string, TileAbout>>;
  /** The account in whose name the desk receives; null: it is not known. */
  readonly desk: string | null;
}

export const roundOf = (wall: AtWall): RoundStop[] =>
  wall.lockers.flatMap((locker) => {
    const stop = stopAt(locker, wall);
    return stop.reasons.length === 0 ? [] : [stop];
  });

function stopAt(locker: WallLocker, { abouts, desk }: AtWall): RoundStop {
  const { lockerUid, lockerName, shipments, leftShipmentUid, door } = locker;
  const inside = shipments.find(({ stateCode }) => isInside(stateCode));
  const uid = inside?.shipmentUid ?? leftShipmentUid ?? '';
  const { people = [], item = null } = abouts[uid] ?? {};
  const isBrought = inside !== undefined && (isToDesk(inside, desk) || abouts[uid]?.isForDesk === true);
  const reasons = reasonsAt(locker, isBrought, inside !== undefined);
  const [why = ''] = reasons;
  const opening = isBrought
    ? openingForm({ shipmentUid: inside.shipmentUid, goal: null })
    : lookForm(lockerUid);
  return {
    ...{ lockerUid, lockerName, item, reasons },
    people: people.map((name) => (isBrought ? t`from ${name}` : t`for ${name}`)),
    // It counts as nothing: whoever opens may be called away before the item is out.
    open: door === 'Open' ? null : { ...withReason(opening, why), label: t`Open the door` },
    out: outOf(locker, isBrought ? inside : undefined, why),
  };
}

function reasonsAt(locker: WallLocker, isBrought: boolean, isInUse: boolean): string[] {
  const { toBeEmptied, door, doorFailure, outOfOrder } = locker;
  const open = countingOnLeft(locker);
  const left = open
    ? t`Something was left in it, and ${open} may count on it: look there first`
    : t`Fetch what was left in it`;
  const hasItem = isInUse || toBeEmptied;
  return [
    ...(isBrought ? [t`Take out what was brought`] : []),
    ...(toBeEmptied ? [left] : []),
    ...(door === 'Open'
      ? [toBeEmptied ? t`Shut its door, then say that it was taken out` : t`Shut its door`]
      : []),
    // One that is known to be broken, with nothing in it, is seen to.
    ...(doorFailure?.since && (hasItem || !outOfOrder) ? [t`Its door stayed shut: try it`] : []),
    ...(outOfOrder && isInUse ? [t`It is out of order, with an item inside`] : []),
  ];
}

const countingOnLeft = ({ isLeftByOpen, leftWorkflowId }: WallLocker): string | undefined =>
  isLeftByOpen && leftWorkflowId !== null ? leftWorkflowId : undefined;

const OUT = () => t`It was taken out`;

/** For an item of somebody else, only that it was handed out, and only where a key opens the door. */
function outOf(locker: WallLocker, brought: HeldBy | undefined, why: string): ActionForm | null {
  const { toBeEmptied, lockerUid, shipments } = locker;
  if (brought) {
    const { shipmentUid } = brought;
    const form =
      brought.byHand ?? byHandForm({ shipmentUid, goal: 'PickUp', isStuck: locker.doorFailure !== null });
    return withReason({ ...form, label: OUT() }, why);
  }
  if (toBeEmptied) return { ...emptiedForm(lockerUid, countingOnLeft(locker)), label: OUT() };
  return shipments.find(({ byHand }) => byHand)?.byHand ?? null;
}

/** Whoever makes a round says at each door why: it stands there already. */
const withReason = (form: ActionForm, why: string): ActionForm => ({
  ...form,
  fields: form.fields.map((field) =>
    field.name === 'why' ? { ...field, suggested: t`On a round: ${why}` } : field,
  ),
});
