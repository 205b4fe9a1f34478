// The newest declaration of each shipment flow, for docs and the command line. Workflows run from index.ts.
import { collectByDispatcher } from './flows/collect-by-dispatcher.ts';
import { collectByUser } from './flows/collect-by-user.ts';
import { collectOnly } from './flows/collect-only.ts';
import { intake } from './flows/intake.ts';
import { intakeAndCircularStock } from './flows/intake-and-circular-stock.ts';
import { issue } from './flows/issue.ts';
import { issueAndSwapIntake } from './flows/issue-and-swap-intake.ts';
import { issueFromStock } from './flows/issue-from-stock.ts';
import { issueFromStockAndSubsequentIntakeAndCircularStock } from './flows/issue-from-stock-and-subsequent-intake-and-circular-stock.ts';
import { issueFromStockAndSwapIntake } from './flows/issue-from-stock-and-swap-intake.ts';
import { localShipment } from './flows/local-shipment.ts';
import { stock } from './flows/stock.ts';
import { stockAfterSwapIntake } from './flows/stock-after-swap-intake.ts';
import type { Declaration } from './shipments/declaration.ts';

export const declarations: readonly Declaration[] = [
  localShipment,
  issue,
  issueAndSwapIntake,
  stock,
  stockAfterSwapIntake,
  issueFromStock,
  issueFromStockAndSwapIntake,
  intake,
  intakeAndCircularStock,
  issueFromStockAndSubsequentIntakeAndCircularStock,
  collectOnly,
  collectByDispatcher,
  collectByUser,
];
