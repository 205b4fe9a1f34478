// CollectByDispatcher: a locker is booked for the dispatcher to open once.
import type { Declaration } from '../shipments/declaration.ts';
import { collect } from '../shipments/legs.ts';
import { shipmentWorkflow } from '../shipments/workflow.ts';

export const collectByDispatcher = {
  name: 'CollectByDispatcher',
  operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher',
  meaning: 'The dispatcher collects from a locker once, or keeps it booked.',
  legs: { collect: collect() },
} satisfies Declaration;

export const CollectByDispatcher = shipmentWorkflow(collectByDispatcher);
