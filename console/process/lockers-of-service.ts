// The lockers of shipments of which a process knows none, as one that a person has chosen after a booking in doubt: no report of a
// state names the locker, so the service is asked for it.
import type { BookingProgress, FollowedLeg } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress, Progress } from '../../contract/flows/flow-answers.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { wholeBooking } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { shipmentOfService } from './shipment-of-service.ts';

/** A shipment keeps its locker. */
const SHARED_MS = 60_000;

type Parts = Pick<ConsoleParts, 'service' | 'shared'>;

export async function withLockersOfService(
  parts: Parts,
  { status }: Pick<ShownProcess, 'status'>,
  progress: ProcessProgress | null,
): Promise<ProcessProgress | null> {
  const isLocated = (progress?.bookings ?? []).every(({ shipments }) =>
    Object.values(shipments).every(isKnown),
  );
  if (status !== 'Running' || !progress || isLocated) return progress;
  const bookings = await Promise.all(progress.bookings.map((booking) => located(parts, booking)));
  const whole = wholeBooking({ bookings });
  const own: Partial<Progress> = whole ? { shipments: whole.shipments } : {};
  return { ...progress, ...own, bookings };
}

const isKnown = ({ lockerName, stateCode }: Pick<FollowedLeg, 'lockerName' | 'stateCode'>): boolean =>
  lockerName !== null || hasEnded(stateCode);

async function located(parts: Parts, booking: BookingProgress): Promise<BookingProgress> {
  const legs = Object.entries(booking.shipments).map(async ([role, leg]) => {
    if (isKnown(leg)) return [role, leg];
    const record = await shipmentOfService(parts, leg.shipmentUid, SHARED_MS);
    if (!record) return [role, leg];
    return [role, { ...leg, pupUid: leg.pupUid ?? record.pupUid, lockerName: record.lockerName }];
  });
  return { ...booking, shipments: Object.fromEntries(await Promise.all(legs)) };
}
