// The newest declaration of each shipment flow, for docs and the command line. Workflows run from index.ts.
import { collectByDispatcher } from './collect-by-dispatcher.ts';
import { collectByUser } from './collect-by-user.ts';
import { collectOnly } from './collect-only.ts';
import type { Declaration } from './declaration.ts';
import { intake } from './intake.ts';
import { intakeAndCircularStock } from './intake-and-circular-stock.ts';
import { issue } from './issue.ts';
import { issueAndSwapIntake } from './issue-and-swap-intake.ts';
import { issueFromStock } from './issue-from-stock.ts';
import { issueFromStockAndSubsequentIntakeAndCircularStock } from './issue-from-stock-and-subsequent-intake-and-circular-stock.ts';
import { issueFromStockAndSwapIntake } from './issue-from-stock-and-swap-intake.ts';
import { localShipment } from './local-shipment.ts';
import { stock } from './stock.ts';
import { stockAfterSwapIntake } from './stock-after-swap-intake.ts';

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
