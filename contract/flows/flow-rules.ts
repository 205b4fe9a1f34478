// biome-ignore-all format: `npm run docs` writes this file from flows/, and a test fails when it is not current.
// What each shipment flow takes and gives: its operation, its roles, and the deadlines that may be given.
// ofOthers: the roles of shipments that another flow has booked and keeps.
import type { Role } from './flow-input.ts';
import type { FlowInputRules } from './flow-input-check.ts';

export const flowRules = {
  LocalShipment: { operation: 'CreateLocalShipment', roles: ['shipment'], deadlines: [{ role: 'shipment', stage: 'dropOff' }, { role: 'shipment', stage: 'receiver' }, { role: 'shipment', stage: 'pickUp' }] },
  Issue: { operation: 'CreateLocalShipmentAsIssue', roles: ['issue'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }] },
  IssueAndSwapIntake: { operation: 'CreateLocalShipmentAsIssueAndSwapIntake', roles: ['issue', 'intake'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'pickUp' }] },
  Stock: { operation: 'CreateLocalShipmentAsStock', roles: ['stock'], deadlines: [{ role: 'stock', stage: 'dropOff' }] },
  StockAfterSwapIntake: { operation: 'CreateLocalShipmentAsStockAfterSwapIntake', roles: ['intake', 'stock'], deadlines: [{ role: 'intake', stage: 'dropOff' }, { role: 'intake', stage: 'pickUp' }], ofOthers: ['intake'] },
  IssueFromStock: { operation: 'CreateLocalShipmentAsIssueFromStock', roles: ['issue'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }] },
  IssueFromStockAndSwapIntake: { operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake', roles: ['issue', 'intake'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'pickUp' }] },
  Intake: { operation: 'CreateLocalShipmentAsIntake', roles: ['intake'], deadlines: [{ role: 'intake', stage: 'dropOff' }, { role: 'intake', stage: 'pickUp' }] },
  IntakeAndCircularStock: { operation: 'CreateLocalShipmentAsIntakeAndCircularStock', roles: ['intake', 'circularStock'], deadlines: [{ role: 'intake', stage: 'dropOff' }] },
  IssueFromStockAndSubsequentIntakeAndCircularStock: { operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', roles: ['issue', 'intake', 'circularStock'], deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'dropOff' }] },
  CollectOnly: { operation: 'CreateCollectOnlyShipment', roles: ['collect'], deadlines: [{ role: 'collect', stage: 'pickUp', keptBookedBy: 'keepBookedAfterPickUp' }] },
  CollectByDispatcher: { operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher', roles: ['collect'], deadlines: [{ role: 'collect', stage: 'pickUp', keptBookedBy: 'keepBookedAfterPickUp' }] },
  CollectByUser: { operation: 'CreateCollectOnlyShipmentAsCollectByUser', roles: ['collect'], deadlines: [{ role: 'collect', stage: 'pickUp', keptBookedBy: 'keepBookedAfterPickUp' }] },
} as const satisfies Readonly<Record<string, FlowInputRules & { readonly roles: readonly Role[]; readonly ofOthers?: readonly Role[] }>>;

export type ShipmentFlowType = keyof typeof flowRules;
