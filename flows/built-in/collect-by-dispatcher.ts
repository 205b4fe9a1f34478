// CollectByDispatcher: a locker is booked for the dispatcher to open once.
import type { Declaration } from './declaration.ts';
import { collect } from './legs.ts';

export const collectByDispatcher = {
  name: 'CollectByDispatcher',
  operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  meaning: 'The dispatcher collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;
