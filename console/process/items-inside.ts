// Where the items of an ended process are that were in lockers at its end: the process hears no more of them, so the locker service
// is asked. What it does not say stays as the process knew it.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { isInside } from '../../contract/wire/states.ts';
import { type BeingPutInAt, formatBeingPutIn } from '../../processes/views/being-put-in.ts';
import { ofBooking } from '../../processes/views/item-locations.ts';
import { shipmentsIn } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { beingPutInOf } from './at-lockers.ts';
import type { ItemLocation } from './overview/overview-view.ts';
import { shipmentOfService } from './shipment-of-service.ts';

/** As often as a page asks again. */
const SHARED_MS = 2_000;

type Parts = Pick<ConsoleParts, 'service' | 'shared'>;

/** Empty: none of them is in a locker any more, or the service does not say so. */
export async function itemsInside(
  parts: Parts,
  { status }: Pick<ShownProcess, 'status'>,
  progress: ProcessProgress | null,
): Promise<readonly ItemLocation[]> {
  if (status === 'Running' || !progress) return [];
  if (progress.bookings.some(({ itemsLeft }) => itemsLeft.length > 0)) return [];
  const wereInside = shipmentsIn(progress).filter(({ shipment }) => isInside(shipment.stateCode));
  if (wereInside.length === 0) return [];
  const isBeingPutIn = await beingPutInOf(parts, progress);
  const places = wereInside.map(async ({ booking, shipment: { shipmentUid } }) => {
    const record = await shipmentOfService(parts, shipmentUid, SHARED_MS);
    if (!record?.lockerName || !isInside(record.stateCode)) return [];
    const words = formatInside(record, isBeingPutIn);
    return [{ words: ofBooking(progress, booking.id, words), pupUid: record.pupUid }];
  });
  return (await Promise.all(places)).flat();
}

interface InLocker {
  readonly stateCode: string | null;
  readonly pupUid: string | null;
  readonly lockerName: string | null;
}

/** What nobody is to receive yet is stock. */
export function formatInside(
  { stateCode, lockerName, pupUid }: InLocker,
  isBeingPutIn: BeingPutInAt,
): string {
  const locker = lockerName === null ? t`its locker` : t`locker ${lockerName}`;
  if (isBeingPutIn({ pupUid, lockerName })) return formatBeingPutIn(locker);
  return stateCode === 'WaitForReceiver' ? t`In stock, ${locker}` : t`In ${locker}`;
}
