// biome-ignore-all format: `npm run docs` writes this file from flows/, and a test fails when it is not current.
// What each shipment flow takes: its operation, and the deadlines that may be given.
import type { FlowInputRules } from './flow-input-check.ts';

export const flowRules = {
  LocalShipment: { operation: 'CreateLocalShipment', deadlines: [{ role: 'shipment', stage: 'dropOff' }, { role: 'shipment', stage: 'receiver' }, { role: 'shipment', stage: 'pickUp' }] },
  Issue: { operation: 'CreateLocalShipmentAsIssue', deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }] },
  IssueAndSwapIntake: { operation: 'CreateLocalShipmentAsIssueAndSwapIntake', deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'pickUp' }] },
  Stock: { operation: 'CreateLocalShipmentAsStock', deadlines: [{ role: 'stock', stage: 'dropOff' }] },
  StockAfterSwapIntake: { operation: 'CreateLocalShipmentAsStockAfterSwapIntake', deadlines: [{ role: 'intake', stage: 'dropOff' }, { role: 'intake', stage: 'pickUp' }] },
  IssueFromStock: { operation: 'CreateLocalShipmentAsIssueFromStock', deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }] },
  IssueFromStockAndSwapIntake: { operation: 'CreateLocalShipmentAsIssueFromStockAndSwapIntake', deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'pickUp' }] },
  Intake: { operation: 'CreateLocalShipmentAsIntake', deadlines: [{ role: 'intake', stage: 'dropOff' }, { role: 'intake', stage: 'pickUp' }] },
  IntakeAndCircularStock: { operation: 'CreateLocalShipmentAsIntakeAndCircularStock', deadlines: [{ role: 'intake', stage: 'dropOff' }] },
  IssueFromStockAndSubsequentIntakeAndCircularStock: { operation: 'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', deadlines: [{ role: 'issue', stage: 'dropOff' }, { role: 'issue', stage: 'pickUp' }, { role: 'intake', stage: 'dropOff' }] },
  CollectOnly: { operation: 'CreateCollectOnlyShipment', deadlines: [{ role: 'collect', stage: 'pickUp' }] },
  CollectByDispatcher: { operation: 'CreateCollectOnlyShipmentAsCollectByDispatcher', deadlines: [{ role: 'collect', stage: 'pickUp' }] },
  CollectByUser: { operation: 'CreateCollectOnlyShipmentAsCollectByUser', deadlines: [{ role: 'collect', stage: 'pickUp' }] },
} as const satisfies Readonly<Record<string, FlowInputRules>>;

export type ShipmentFlowType = keyof typeof flowRules;
