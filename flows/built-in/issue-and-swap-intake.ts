// IssueAndSwapIntake: the user takes the new item and leaves the old one in its place.
import type { Declaration } from './declaration.ts';
import { newLeg, swapOf } from './legs.ts';

export const issueAndSwapIntake = {
  name: 'IssueAndSwapIntake',
  operation: 'CreateLocalShipmentAsIssueAndSwapIntake',
  meaning:
    'The dispatcher drops an item off, the user picks it up and leaves another one, which the dispatcher picks up.',
  legs: { issue: newLeg(), intake: swapOf('issue', 'return') },
} satisfies Declaration;
