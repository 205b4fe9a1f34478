// Intake: a user gives an item to the dispatcher.
import type { Declaration } from '../shipments/declaration.ts';
import { newLeg } from '../shipments/legs.ts';
import { shipmentWorkflow } from '../shipments/workflow.ts';

export const intake = {
  name: 'Intake',
  operation: 'CreateLocalShipmentAsIntake',
  meaning: 'The user drops an item off and the dispatcher picks it up.',
  legs: { intake: newLeg() },
} satisfies Declaration;

export const Intake = shipmentWorkflow(intake);
