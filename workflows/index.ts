// The workflow types: what a worker runs, each export under the name that it is started by.
export { CollectByDispatcher } from '../flows/collect-by-dispatcher.ts';
export { CollectByUser } from '../flows/collect-by-user.ts';
export { CollectOnly } from '../flows/collect-only.ts';
export { Intake } from '../flows/intake.ts';
export { IntakeAndCircularStock } from '../flows/intake-and-circular-stock.ts';
export { Issue } from '../flows/issue.ts';
export { IssueAndSwapIntake } from '../flows/issue-and-swap-intake.ts';
export { IssueFromStock } from '../flows/issue-from-stock.ts';
export { IssueFromStockAndSubsequentIntakeAndCircularStock } from '../flows/issue-from-stock-and-subsequent-intake-and-circular-stock.ts';
export { IssueFromStockAndSwapIntake } from '../flows/issue-from-stock-and-swap-intake.ts';
export { LocalShipment } from '../flows/local-shipment.ts';
export { Stock } from '../flows/stock.ts';
export { StockAfterSwapIntake } from '../flows/stock-after-swap-intake.ts';
export { OnboardAccount } from './accounts/onboard-account.ts';
export { ParkedCallback } from './parked-callback.ts';
export { ReconcileShipments } from './reconcile-shipments.ts';
