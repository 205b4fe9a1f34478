// IntakeAndCircularStock: what a user hands in is stock again at once.
import type { Declaration } from './declaration.ts';
import { circularStockOf, newLeg } from './legs.ts';

export const intakeAndCircularStock = {
  name: 'IntakeAndCircularStock',
  operation: 'CreateLocalShipmentAsIntakeAndCircularStock',
  meaning: 'The user drops an item off, and it is available as stock again.',
  legs: {
    intake: { ...newLeg(), deadlines: ['dropOff'] },
    circularStock: circularStockOf('intake', 'details'),
  },
} satisfies Declaration;
