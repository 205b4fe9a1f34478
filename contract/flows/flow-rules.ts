// biome-ignore-all format: `npm run docs` writes this file from flows/built-in/, and a test fails when it is not current.
// What each shipment flow takes and gives: its operation, its roles, and the deadlines that may be given.
import type { Role } from './flow-input.ts';
import type { FlowInputRules } from './flow-input-check.ts';

export interface ShipmentFlowRules extends FlowInputRules {
  readonly roles: readonly Role[];
  /** The roles of shipments that another flow has booked and keeps. */
  readonly ofOthers?: readonly Role[];
  /** The roles of shipments that it takes over from the flow that has booked them. */
  readonly takesOver?: readonly Role[];
  /** The roles that may be booked without a receiver, and then be taken over by a flow that issues them. */
  readonly stock?: readonly Role[];
}

export const flowRules = {
  LocalShipment: { operation: 'CreateLocalShipment', roles: ['shipment'], deadlines: [{ role: 'shipment', stage: 'dropOff' }, { role: 'shipment', stage: 'receiver' }, { role: 'shipment', stage: 'pickUp' }], stock: ['shipment'] },
  Issue: { operation: 'CreateLocalShipmentAsIssue', roles: ['issue'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }] },
  IssueAndSwapIntake: { operation: 'CreateLocalShipmentAsIssueAndSwapIntake', roles: ['issue', 'intake'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'pickUp' }] },
  Stock: { operation: 'CreateLocalShipmentAsStock', roles: ['stock'], deadlines: [{ role: 'stock', stage: 'dropOff' }], stock: ['stock'] },
  StockAfterSwapIntake: { operation: 'CreateLocalShipmentAsStockAfterSwapIntake', roles: ['intake', 'stock'], deadlines: [{ role: 'intake', stage: 'dropOff' }, { role: 'intake', stage: 'pickUp' }], ofOthers: ['intake'], stock: ['stock'] },
  IssueFromStock: { operation: 'CreateLocalShipmentAsIssueFromStock', roles: ['issue'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }], takesOver: ['issue'] },
  IssueFromStockAndSwapIntake: { operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake', roles: ['issue', 'intake'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'pickUp' }], takesOver: ['issue'] },
  Intake: { operation: 'CreateLocalShipmentAsIntake', roles: ['intake'], deadlines: [{ role: 'intake', stage: 'dropOff' }, { role: 'intake', stage: 'pickUp' }] },
  IntakeAndCircularStock: { operation: 'CreateLocalShipmentAsIntakeAndCircularStock', roles: ['intake', 'circularStock'], deadlines: [{ role: 'intake', stage: 'dropOff' }], stock: ['circularStock'] },
  IssueFromStockAndSubsequentIntakeAndCircularStock: { operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', roles: ['issue', 'intake', 'circularStock'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'dropOff' }], takesOver: ['issue'], stock: ['circularStock'] },
  CollectOnly: { operation: 'CreateCollectOnlyShipment', roles: ['collect'], deadlines: [{ role: 'collect', stage: 'pickUp', keptBookedBy: 'keepBookedAfterPickUp' }] },
  CollectByDispatcher: { operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher', roles: ['collect'], deadlines: [{ role: 'collect', stage: 'pickUp', keptBookedBy: 'keepBookedAfterPickUp' }] },
  CollectByUser: { operation: 'CreateCollectOnlyShipmentAsCollectByUser', roles: ['collect'], deadlines: [{ role: 'collect', stage: 'pickUp', keptBookedBy: 'keepBookedAfterPickUp' }] },
} as const satisfies Readonly<Record<string, ShipmentFlowRules>>;

export type ShipmentFlowType = keyof typeof flowRules;

/** Undefined: it is no type of a shipment flow. */
export const flowRulesOf = (type: string): ShipmentFlowRules | undefined =>
  (flowRules as Readonly<Record<string, ShipmentFlowRules>>)[type];

/** Undefined: the operation books nothing that can be followed. */
export const flowRulesOfOperation = (operation: string): ShipmentFlowRules | undefined =>
  Object.values<ShipmentFlowRules>(flowRules).find((each) => each.operation === operation);
