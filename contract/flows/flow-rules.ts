// What each shipment flow takes: its operation, and the deadlines that may be given. For those who check an input before
// the start; the flows' own declarations are in workflows/, and a test holds the two together.

import type { OperationName } from '../operations/operations.ts';
import type { Role, Stage } from './flow-input.ts';
import type { FlowInputRules } from './flow-input-check.ts';
import type { FlowType } from './flow-types.ts';

export type ShipmentFlowType = Exclude<FlowType, 'OnboardAccount'>;

const rules = <const Operation extends OperationName>(
  operation: Operation,
  ...deadlines: readonly `${Role}.${Stage}`[]
) => ({
  operation,
  deadlines: deadlines.map((pair) => {
    const [role, stage] = pair.split('.') as [Role, Stage];
    return { role, stage };
  }),
});

export const flowRules = {
  LocalShipment: rules('CreateLocalShipment', 'shipment.dropOff', 'shipment.receiver', 'shipment.pickUp'),
  Issue: rules('CreateLocalShipmentAsIssue', 'issue.dropOff', 'issue.pickUp'),
  IssueAndSwapIntake: rules(
    'CreateLocalShipmentAsIssueAndSwapIntake',
    'issue.dropOff',
    'issue.pickUp',
    'intake.pickUp',
  ),
  Stock: rules('CreateLocalShipmentAsStock', 'stock.dropOff'),
  StockAfterSwapIntake: rules('CreateLocalShipmentAsStockAfterSwapIntake', 'intake.dropOff', 'intake.pickUp'),
  IssueFromStock: rules('CreateLocalShipmentAsIssueFromStock', 'issue.dropOff', 'issue.pickUp'),
  IssueFromStockAndSwapIntake: rules(
    'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
    'issue.dropOff',
    'issue.pickUp',
    'intake.pickUp',
  ),
  Intake: rules('CreateLocalShipmentAsIntake', 'intake.dropOff', 'intake.pickUp'),
  IntakeAndCircularStock: rules('CreateLocalShipmentAsIntakeAndCircularStock', 'intake.dropOff'),
  IssueFromStockAndSubsequentIntakeAndCircularStock: rules(
    'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    'issue.dropOff',
    'issue.pickUp',
    'intake.dropOff',
  ),
  CollectOnly: rules('CreateCollectOnlyShipment', 'collect.pickUp'),
  CollectByDispatcher: rules('CreateCollectOnlyShipmentAsCollectByDispatcher', 'collect.pickUp'),
  CollectByUser: rules('CreateCollectOnlyShipmentAsCollectByUser', 'collect.pickUp'),
} as const satisfies Record<ShipmentFlowType, FlowInputRules>;
