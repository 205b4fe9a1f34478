// Why a door did not open, for the person who asked for it; and why the service takes no word about it.
import { LockerApiError } from '../shared/locker-api/index.ts';
import { ConsoleRefusal, consoleRefusalOf } from './refusal.ts';

/** A person reads it: in the words of the service alone. */
export function thatDidNotOpen(error: unknown): never {
  const refusal = consoleRefusalOf(error);
  if (!(error instanceof LockerApiError) || error.detail === null || refusal?.error !== 'UnlockFailed')
    throw error;
  throw new ConsoleRefusal(refusal.status, refusal.error, error.detail);
}

/** OpenLocker is not of the published interface. */
export function thatDidNotOpenToLook(error: unknown): never {
  if (error instanceof LockerApiError && error.code === 'UnknownOperation')
    throw new ConsoleRefusal(
      502,
      'UnknownOperation',
      'This locker service cannot open a locker to look inside: it does not have OpenLocker. A door opens for its shipment, and that counts.',
    );
  thatDidNotOpen(error);
}

/** ReportShipmentAccess is not of the published interface. */
export function thatCannotBeReported(error: unknown): never {
  if (error instanceof LockerApiError && error.code === 'UnknownOperation')
    throw new ConsoleRefusal(
      502,
      'UnknownOperation',
      'This locker service takes no word of a locker that was opened by hand: it does not have ReportShipmentAccess. Under “More” of the case, say what state its shipment is in.',
    );
  throw error;
}
