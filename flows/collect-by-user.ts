// CollectByUser: a locker is booked for a user to open once.
import type { Declaration } from './declaration.ts';
import { collect, collect1 } from './legs.ts';

export const collectByUser = {
  name: 'CollectByUser',
  operation: 'CreateCollectOnlyShipmentAsCollectByUser',
  meaning: 'The user collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;

/** A pick-up of a kept-booked locker is not known to it. Stays as long as processes run on it. */
export const collectByUser1 = { ...collectByUser, legs: { collect: collect1() } } satisfies Declaration;
