// CollectByDispatcher: a locker is booked for the dispatcher to open once.
import type { Declaration } from './declaration.ts';
import { collect, collect1 } from './legs.ts';

export const collectByDispatcher = {
  name: 'CollectByDispatcher',
  operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  meaning: 'The dispatcher collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;

/** A pick-up of a kept-booked locker is not known to it. Stays as long as processes run on it. */
export const collectByDispatcher1 = {
  ...collectByDispatcher,
  legs: { collect: collect1() },
} satisfies Declaration;
