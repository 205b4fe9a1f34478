// IssueFromStockAndSwapIntake: the user takes a stock item and leaves another one in its place.
import type { Declaration } from './declaration.ts';
import { issuedFromStock, swapOf } from './legs.ts';

export const issueFromStockAndSwapIntake = {
  name: 'IssueFromStockAndSwapIntake',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
  meaning: 'The user picks up a stock item and leaves another one, which the dispatcher picks up.',
  legs: { issue: issuedFromStock(), intake: swapOf('issue', 'return') },
} satisfies Declaration;
