// The workflow types of the flows, as services that start them and the Temporal Web UI know them.
import { flowRules, type ShipmentFlowType } from './flow-rules.ts';

export type FlowType = ShipmentFlowType | 'OnboardAccount';
export const flowTypes = [...Object.keys(flowRules), 'OnboardAccount'] as readonly FlowType[];

/** The task queue that workers of the flows poll, unless both sides are told another. */
export const TASK_QUEUE = 'lockerflow';

/** Keeps what no flow can be found for (one workflow per shipment, or per type of other messages). */
export const PARKED_CALLBACK = 'ParkedCallback';

/** Reserves a shipment for the flow that adopted it after a lost answer. */
export const ADOPTED_SHIPMENT = 'AdoptedShipment';

/** Run by a schedule: looks up what callbacks may have failed to tell. */
export const RECONCILE_SHIPMENTS = 'ReconcileShipments';

/** Names of workflow types that are ours: a flow file may have none of them. */
export const builtInFlows: readonly string[] = [
  ...flowTypes,
  PARKED_CALLBACK,
  ADOPTED_SHIPMENT,
  RECONCILE_SHIPMENTS,
  'FlowDefinition',
];
