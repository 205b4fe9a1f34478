// Why nobody knows whether the booking was made, and what a person should look at before deciding.
import type { BookingDoubt } from '../../contract/flows/flow-messages.ts';
import type { Known } from './known.ts';

export function doubtOf({ unknownBooking }: Known): BookingDoubt {
  const { told } = unknownBooking ?? { told: null };
  return {
    why: told?.why ?? 'the worker died, or the time ended, while it booked',
    candidates: told?.candidates ?? [],
    retryMayBookTwice: told ? told.cannotBeAsked === true : null,
  };
}
