// What each code of a wait means, for whoever writes a program that decides by it. Processes know the codes alone.
import { type WaitCode, waitCodes } from './wait-codes.ts';

const meanings: { readonly [Code in WaitCode]: string } = {
  Booking: 'the answer to the booking',
  FreeLocker: 'the booking, and until then a locker that becomes free',
  Undoing: 'the end of what undoes the flow',
  BookingUnknown: 'it is not known whether the booking was made',
  NotUndone: 'something could not be undone',
  Contradiction: 'a shipment is reported in a state that cannot follow its last one',
  LegsUnmatched: 'there are more or fewer shipments than legs',
  LegsIndistinct: 'the reports do not show which leg is which',
  Halted: 'a step of a flow file has failed',
  DropOff: 'the drop off',
  Receiver: 'somebody who says who receives the item',
  PickUp: 'the pick up',
  Report: 'the first report of its state',
  Cancellation: 'its cancellation, until which its locker is kept booked',
  Begin: 'its beginning',
  BeginAfterDropOff: 'its beginning, when the leg that it follows is dropped off',
  BeginAfterPickUp: 'its beginning, when the leg that it follows is picked up',
  Answer: 'an answer to a question',
  Batch: 'what is done for each item of a list',
  Flow: 'the end of a flow that it has started',
  Call: 'the answer to a call',
  Overdue: 'whatever leaves a state of a flow file that is overdue',
  Time: 'the end of an `after`',
  Event: 'an event from outside',
  Definition: 'the definition of its flow, before its first step',
};

/** For the schemas. */
export const waitCodeMeanings = `For programs, which decide by it: ${waitCodes
  .map((code) => `${code}: ${meanings[code]}`)
  .join('; ')}`;
