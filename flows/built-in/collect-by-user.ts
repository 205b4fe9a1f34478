// CollectByUser: a locker is booked for a user to open once.
import type { Declaration } from './declaration.ts';
import { collect } from './legs.ts';

export const collectByUser = {
  name: 'CollectByUser',
  operation: 'CreateCollectOnlyShipmentAsCollectByUser',
  meaning: 'The user collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;
