// Intake: a user gives an item to the dispatcher.
import type { Declaration } from './declaration.ts';
import { newLeg } from './legs.ts';

export const intake = {
  name: 'Intake',
  operation: 'CreateLocalShipmentAsIntake',
  meaning: 'The user drops an item off and the dispatcher picks it up.',
  legs: { intake: newLeg() },
} satisfies Declaration;
