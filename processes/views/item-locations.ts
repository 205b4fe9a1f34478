// Where the items of a process are: in which locker, with whom, or left behind.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { isReturnOfSwap } from '../../flows/built-in/flows.ts';
import { t } from '../../shared/texts/text.ts';
import { type BeingPutInAt, formatBeingPutIn } from './being-put-in.ts';
import { formatName } from './format-names.ts';
import { type BookedShipment, shipmentsIn } from './progress.ts';

interface ItemLocation {
  readonly words: string;
  readonly pupUid: string | null;
  /** Somebody has it, and is to bring it back. */
  readonly isWithPerson?: true;
  /** Then: "locker 8 is booked for it". */
  readonly booked?: string;
}

/**
 * Where the items are now: the legs that are not over, or the last leg if all are. An ended process knows only where they were:
 * who had them next, others know.
 *
 * @param isBeingPutIn of a locker whose door is open; absent: no door is known
 */
export function whereOf(
  progress: ProcessProgress,
  isOpen: boolean,
  texts: WhereTexts = isOpen ? now : before,
  isBeingPutIn: BeingPutInAt = () => false,
): ItemLocation[] {
  const { bookings } = progress;
  const left = bookings.flatMap(({ operation, itemsLeft }) =>
    itemsLeft.map(({ role, lockerName, pupUid }) => ({
      words: ofItem(operation, role, texts.left(formatLocker(lockerName))),
      pupUid,
    })),
  );
  if (left.length > 0) return left;
  const places = shipmentsIn(progress).flatMap((leg) => placeOf(leg, texts, isBeingPutIn) ?? []);
  const known = places.filter(({ isOver }) => !isOver);
  const shown = known.length > 0 ? known : places.slice(-1);
  return shown.map(({ words, pupUid, booking, isWithPerson, booked }) => ({
    words: ofBooking(progress, booking, words),
    pupUid,
    ...(isOpen && isWithPerson && { isWithPerson, ...(booked !== undefined && { booked }) }),
  }));
}

/** With the booking, where the process has several. */
export function ofBooking({ bookings }: ProcessProgress, id: string | undefined, words: string): string {
  return id !== undefined && bookings.length > 1 ? `${formatName(id)}: ${uncapitalized(words)}` : words;
}

/** The case is known by the item that was handed out. */
const ofItem = (operation: string, role: Role | null, words: string): string =>
  isReturnOfSwap(operation, role) ? t`The returned item: ${uncapitalized(words)}` : words;

const uncapitalized = (words: string): string => words.slice(0, 1).toLowerCase() + words.slice(1);

interface Place extends ItemLocation {
  readonly booking: string;
  readonly isOver: boolean;
}

const formatLocker = (lockerName: string | null): string =>
  lockerName === null ? t`its locker` : t`locker ${lockerName}`;

/** Each is given the locker: "locker 7", or "its locker". */
export interface WhereTexts {
  left(locker: string): string;
  /** It is to be brought back; null: no locker is known. */
  withUser(locker: string | null): string;
  /** Beside that, for whoever names the user; absent: it is not said. */
  readonly booked?: (locker: string) => string;
  notYet(locker: string | null): string;
  inside(locker: string): string;
}

/** After where it is now; empty: no locker is known. */
export const formatBooked = (locker: string | null): string => (locker === null ? '' : `; ${booked(locker)}`);
const booked = (locker: string): string => t`${locker} is booked for it`;

const now: WhereTexts = {
  left: (locker) => t`Left in ${locker}`,
  withUser: (locker) => t`With the user${formatBooked(locker)}`,
  booked,
  notYet: (locker) => t`Not in a locker yet${formatBooked(locker)}`,
  inside: (locker) => t`In ${locker}`,
};
const before: WhereTexts = { ...now, inside: (locker) => t`Was in ${locker}` };

function placeOf(
  { booking, role, shipment }: BookedShipment,
  texts: WhereTexts,
  isBeingPutIn: BeingPutInAt,
): Place | undefined {
  const { stateCode, lockerName, pupUid } = shipment;
  const at = { pupUid, booking: booking.id };
  if (role === null) return undefined;
  switch (stateCode) {
    case 'ReadyForDropoff': {
      const isOut = Object.values(booking.shipments).some((each) => each.stateCode === 'Completed');
      const locker = lockerName === null ? null : formatLocker(lockerName);
      if (role === 'intake' && isOut) {
        const beside = locker === null ? undefined : texts.booked?.(locker);
        const place = { ...at, words: texts.withUser(locker), isOver: false, isWithPerson: true as const };
        return { ...place, ...(beside !== undefined && { booked: beside }) };
      }
      return { ...at, words: texts.notYet(locker), isOver: false };
    }
    case 'WaitForReceiver':
    case 'ReadyForPickup': {
      const inside = isBeingPutIn(shipment) ? formatBeingPutIn : texts.inside;
      const words = ofItem(booking.operation, role, inside(formatLocker(lockerName)));
      return { ...at, words, isOver: false };
    }
    case 'Completed':
      return { ...at, words: role === 'intake' ? t`Brought back` : t`Taken out`, isOver: true };
    default:
      return undefined;
  }
}
