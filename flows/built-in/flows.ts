// Every shipment flow by its name, each with the versions of its declaration. Lists, rules and types come from here.

import { collectByDispatcher } from './collect-by-dispatcher.ts';
import { collectByUser } from './collect-by-user.ts';
import { collectOnly } from './collect-only.ts';
import type { Declaration, Versions } from './declaration.ts';
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

/** A version stays as long as processes run on it; new ones begin on the highest. */
export const flows = {
  LocalShipment: { 1: localShipment },
  Issue: { 1: issue },
  IssueAndSwapIntake: { 1: issueAndSwapIntake },
  Stock: { 1: stock },
  StockAfterSwapIntake: { 1: stockAfterSwapIntake },
  IssueFromStock: { 1: issueFromStock },
  IssueFromStockAndSwapIntake: { 1: issueFromStockAndSwapIntake },
  Intake: { 1: intake },
  IntakeAndCircularStock: { 1: intakeAndCircularStock },
  IssueFromStockAndSubsequentIntakeAndCircularStock: { 1: issueFromStockAndSubsequentIntakeAndCircularStock },
  CollectOnly: { 1: collectOnly },
  CollectByDispatcher: { 1: collectByDispatcher },
  CollectByUser: { 1: collectByUser },
} as const satisfies Readonly<Record<string, Versions>>;

const flowNames = Object.keys(flows) as (keyof typeof flows)[];

export function newestOf(versions: Versions): Declaration {
  const newest = versions[Math.max(...Object.keys(versions).map(Number))];
  if (!newest) throw new TypeError('a flow has no version of its declaration, expected at least version 1');
  return newest;
}

/** The newest of each, as new processes run. */
export const declarations: readonly Declaration[] = flowNames.map((name) => newestOf(flows[name]));
