// CollectOnly: a locker is booked to be opened once, by a user or by the dispatcher.
import type { Declaration } from './declaration.ts';
import { collect, collect1 } from './legs.ts';

export const collectOnly = {
  name: 'CollectOnly',
  operation: 'CreateCollectOnlyShipment',
  meaning:
    'The user, or the dispatcher where none is named, collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;

/** A pick-up of a kept-booked locker is not known to it. Stays as long as processes run on it. */
export const collectOnly1 = { ...collectOnly, legs: { collect: collect1() } } satisfies Declaration;
