// Why nobody knows whether the booking was made, and what a person should look at before deciding.
import type { BookingDoubt } from '../../contract/flows/flow-answers.ts';
import type { FlowContext } from './known.ts';

export function doubtOf({ unknownBooking }: FlowContext): BookingDoubt {
  const outcome = unknownBooking?.outcome;
  return {
    why: outcome?.why ?? 'the worker died, or the time ended, while it booked',
    candidates: outcome?.candidates ?? [],
    retryMayBookTwice: outcome ? outcome.cannotBeAsked === true : null,
  };
}
