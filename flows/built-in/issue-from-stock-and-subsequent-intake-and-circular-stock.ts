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
    // If the caller gives no details, this shipment keeps the details of the stock shipment (interface).
    circularStock: circularStockOf('intake', null),
  },
} satisfies Declaration;
