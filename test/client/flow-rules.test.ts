// The contract's table of what flows take is the flows' own declarations, written down where clients may read it.
import { expect, it } from 'vitest';
import { flowRules } from '../../contract/flow-rules.ts';
import { flowTypes, PARKED_CALLBACK, RECONCILE_SHIPMENTS } from '../../contract/flow-types.ts';
import { collectByDispatcher } from '../../workflows/flows/collect-by-dispatcher.ts';
import { collectByUser } from '../../workflows/flows/collect-by-user.ts';
import { collectOnly } from '../../workflows/flows/collect-only.ts';
import { intake } from '../../workflows/flows/intake.ts';
import { intakeAndCircularStock } from '../../workflows/flows/intake-and-circular-stock.ts';
import { issue } from '../../workflows/flows/issue.ts';
import { issueAndSwapIntake } from '../../workflows/flows/issue-and-swap-intake.ts';
import { issueFromStock } from '../../workflows/flows/issue-from-stock.ts';
import { issueFromStockAndSubsequentIntakeAndCircularStock } from '../../workflows/flows/issue-from-stock-and-subsequent-intake-and-circular-stock.ts';
import { issueFromStockAndSwapIntake } from '../../workflows/flows/issue-from-stock-and-swap-intake.ts';
import { localShipment } from '../../workflows/flows/local-shipment.ts';
import { stock } from '../../workflows/flows/stock.ts';
import { stockAfterSwapIntake } from '../../workflows/flows/stock-after-swap-intake.ts';
import * as workflows from '../../workflows/index.ts';
import type { Declaration } from '../../workflows/shipments/declaration.ts';

const declarations: readonly Declaration[] = [
  collectByDispatcher,
  collectByUser,
  collectOnly,
  intake,
  intakeAndCircularStock,
  issue,
  issueAndSwapIntake,
  issueFromStock,
  issueFromStockAndSubsequentIntakeAndCircularStock,
  issueFromStockAndSwapIntake,
  localShipment,
  stock,
  stockAfterSwapIntake,
];

it('a flow takes what its declaration says, and every flow is in the table', () => {
  const declared = declarations.map(({ name, operation, legs }) => {
    const deadlines = Object.entries(legs).flatMap(([role, leg]) =>
      leg.deadlines.map((stage) => ({ role, stage })),
    );
    return [name, { operation, deadlines }];
  });
  expect(flowRules).toEqual(Object.fromEntries(declared));
});

it('the workflow types are those that a worker runs', () => {
  expect(Object.keys(workflows).sort()).toEqual([...flowTypes, PARKED_CALLBACK, RECONCILE_SHIPMENTS].sort());
});
