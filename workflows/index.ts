// The workflow types that a worker runs. The name of each exported function is the name of the type.

import type { FlowInput, FlowRequest } from '../contract/flows/flow-input.ts';
import type { FlowResult } from '../contract/flows/flow-result.ts';
import type { OnboardResult } from '../contract/flows/onboard-answers.ts';
import type { OnboardInput } from '../contract/flows/onboard-input.ts';
import type { Workflow } from '../engine/temporal/workflow.ts';
import type { Versions } from '../flows/built-in/declaration.ts';
import { flows } from '../flows/built-in/flows.ts';
import { filesOf } from '../flows/shipped/files.ts';
import { onboardAccountVersions } from '../flows/shipped/onboard-account.ts';
import { shippedWorkflow } from './flow-files/shipped-flow.ts';

export { AdoptedShipment } from './adopted-shipment.ts';
export { Batch } from './batch.ts';
export { EventDelivery } from './event-delivery.ts';
export { CorrelationQueue } from './flow-files/correlation-queue.ts';
export { EventStarts } from './flow-files/event-starts.ts';
export { FlowDefinition } from './flow-files/flow-definition.ts';
// biome-ignore lint/style/noDefaultExport: what Temporal runs for the name of no other workflow
export { flowFileProcess as default } from './flow-files/flow-file-process.ts';
export { ItemOut } from './item-out.ts';
export { Migration } from './migration.ts';
export { NoteAfterEnd } from './note-after-end.ts';
export { NotifyOfWork } from './notify-of-work.ts';
export { OutreachDelivery } from './outreach-delivery.ts';
export { ReconcileShipments } from './reconcile-shipments.ts';
export { lockerShipmentUids, shipmentStatus } from './shipment-callbacks.ts';
export { SnoozedEntry } from './snoozed-entry.ts';
export { UnmatchedCallback } from './unmatched-callback.ts';

type InputOf<Flow extends Versions> = FlowInput<FlowRequest<Flow[keyof Flow & number]['operation']>>;

const shipped = <const Flow extends Versions>(versions: Flow): Workflow<InputOf<Flow>, FlowResult> =>
  shippedWorkflow(filesOf(versions));

export const CollectByDispatcher = shipped(flows.CollectByDispatcher);
export const CollectByUser = shipped(flows.CollectByUser);
export const CollectOnly = shipped(flows.CollectOnly);
export const Intake = shipped(flows.Intake);
export const IntakeAndCircularStock = shipped(flows.IntakeAndCircularStock);
export const Issue = shipped(flows.Issue);
export const IssueAndSwapIntake = shipped(flows.IssueAndSwapIntake);
export const IssueFromStock = shipped(flows.IssueFromStock);
export const IssueFromStockAndSubsequentIntakeAndCircularStock = shipped(
  flows.IssueFromStockAndSubsequentIntakeAndCircularStock,
);
export const IssueFromStockAndSwapIntake = shipped(flows.IssueFromStockAndSwapIntake);
export const LocalShipment = shipped(flows.LocalShipment);
export const OnboardAccount = shippedWorkflow<OnboardInput, OnboardResult>(onboardAccountVersions);
export const Stock = shipped(flows.Stock);
export const StockAfterSwapIntake = shipped(flows.StockAfterSwapIntake);
