// The workflow types that a worker runs. The name of each export is the name of the type.
import { flows } from '../flows/built-in/flows.ts';
import { shipmentWorkflow } from './shipments/shipment-flow.ts';

export { OnboardAccount } from './accounts/onboard-account.ts';
export { AdoptedShipment } from './adopted-shipment.ts';
export { EventDelivery } from './event-delivery.ts';
export { CorrelationQueue } from './flow-files/correlation-queue.ts';
export { FlowDefinition } from './flow-files/flow-definition.ts';
// biome-ignore lint/style/noDefaultExport: what Temporal runs for the name of no other workflow
export { flowFileProcess as default } from './flow-files/flow-file-process.ts';
export { Migration } from './migration.ts';
export { ParkedCallback } from './parked-callback.ts';
export { ReconcileShipments } from './reconcile-shipments.ts';

export const CollectByDispatcher = shipmentWorkflow(flows.CollectByDispatcher);
export const CollectByUser = shipmentWorkflow(flows.CollectByUser);
export const CollectOnly = shipmentWorkflow(flows.CollectOnly);
export const Intake = shipmentWorkflow(flows.Intake);
export const IntakeAndCircularStock = shipmentWorkflow(flows.IntakeAndCircularStock);
export const Issue = shipmentWorkflow(flows.Issue);
export const IssueAndSwapIntake = shipmentWorkflow(flows.IssueAndSwapIntake);
export const IssueFromStock = shipmentWorkflow(flows.IssueFromStock);
export const IssueFromStockAndSubsequentIntakeAndCircularStock = shipmentWorkflow(
  flows.IssueFromStockAndSubsequentIntakeAndCircularStock,
);
export const IssueFromStockAndSwapIntake = shipmentWorkflow(flows.IssueFromStockAndSwapIntake);
export const LocalShipment = shipmentWorkflow(flows.LocalShipment);
export const Stock = shipmentWorkflow(flows.Stock);
export const StockAfterSwapIntake = shipmentWorkflow(flows.StockAfterSwapIntake);
