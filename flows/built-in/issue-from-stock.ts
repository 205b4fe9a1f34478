// IssueFromStock: a stock item is given to a user.
import type { Declaration } from './declaration.ts';
import { issuedFromStock } from './legs.ts';

export const issueFromStock = {
  name: 'IssueFromStock',
  operation: 'CreateLocalShipmentAsIssueFromStock',
  meaning: 'The user picks up an item that is, or will be, in stock.',
  legs: { issue: issuedFromStock() },
} satisfies Declaration;
