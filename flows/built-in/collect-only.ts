// CollectOnly: a locker is booked to be opened once, by a user or by the dispatcher.
import type { Declaration } from './declaration.ts';
import { collect } from './legs.ts';

export const collectOnly = {
  name: 'CollectOnly',
  operation: 'CreateCollectOnlyShipment',
  meaning:
    'The user, or the dispatcher where none is named, collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;
