// Issue: the dispatcher gives an item to a user.
import type { Declaration } from './declaration.ts';
import { newLeg } from './legs.ts';

export const issue = {
  name: 'Issue',
  operation: 'CreateLocalShipmentAsIssue',
  meaning: 'The dispatcher drops an item off and the user picks it up.',
  legs: { issue: newLeg() },
} satisfies Declaration;
