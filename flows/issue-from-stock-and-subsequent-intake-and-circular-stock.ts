// The full circle: a stock item goes to a user, comes back, and is stock again.
import type { Declaration } from './declaration.ts';
import { circularStockOf, issuedFromStock, subsequentIntakeOf } from './legs.ts';

export const issueFromStockAndSubsequentIntakeAndCircularStock = {
  name: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
  operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
  meaning: 'The user picks up a stock item, later drops it off again, and it is available as stock again.',
  legs: {
    issue: issuedFromStock(),
    intake: subsequentIntakeOf('issue', 'return'),
    // Its details are the stock shipment's when none are given (interface): the flow never puts its own there.
    circularStock: circularStockOf('intake', null),
  },
} satisfies Declaration;
