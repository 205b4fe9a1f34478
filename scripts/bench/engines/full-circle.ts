// The flow that all engines run: IssueFromStockAndSubsequentIntakeAndCircularStock, with its five reports. What is written
// here is what a person writes who has no declarations: shared by the flows by hand. Pure, also for Temporal's sandbox.

import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import type { FlowResult, LegResult } from '../../../contract/flows/flow-result.ts';

export const FLOW = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
/** The signal, handler or topic by which each engine takes a report. */
export const REPORTS = 'shipmentStatus';

export interface LoanRequest {
  readonly priorShipmentUid: string;
  readonly toUserUid: string;
}

export type LoanRole = 'issue' | 'intake' | 'circularStock';
export type Shipments = Readonly<Record<LoanRole, LegResult>>;

/** What the service says, in this order, after the booking. */
const steps = [
  ['issue', 'ReadyForPickup'],
  ['issue', 'Completed'],
  ['intake', 'ReadyForDropoff'],
  ['intake', 'Completed'],
  ['circularStock', 'ReadyForPickup'],
] as const satisfies readonly (readonly [LoanRole, string])[];

/** The uids that the stand-in of the locker service gives. */
export const uidsOf = (priorShipmentUid: string): Readonly<Record<LoanRole, string>> => ({
  issue: priorShipmentUid,
  intake: `${priorShipmentUid}-intake`,
  circularStock: `${priorShipmentUid}-circular`,
});

const FIRST_REPORT = Date.parse('2026-03-02T09:15:00.000Z');
const DAY_MS = 86_400_000;

export function reportsOf(priorShipmentUid: string): ShipmentReport[] {
  const uids = uidsOf(priorShipmentUid);
  return steps.map(([role, stateCode], day) => {
    const at = new Date(FIRST_REPORT + day * DAY_MS).toISOString();
    return {
      shipmentUid: uids[role],
      stateCode,
      stateStart: at,
      receivedAt: at,
      source: 'callback',
      shipmentType: 'LocalPupShipment',
      referenceNo: null,
      referenceCaseNo: null,
      description: null,
      pupUid: 'pup-central',
      fromUserUid: 'user-demo',
      toUserUid: 'user-anna',
    };
  });
}

/** How far a flow has come, in the words of all engines. */
export const bookedStep = ({ priorShipmentUid }: Pick<LoanRequest, 'priorShipmentUid'>): string =>
  `booked ${priorShipmentUid}`;
export const reportStep = (report: Pick<ShipmentReport, 'shipmentUid' | 'stateCode'>): string =>
  `${report.shipmentUid} ${report.stateCode}`;

/** The reports that a flow waits for, one after the other. */
export const awaited = (shipments: Shipments): string[] =>
  steps.map(([role, stateCode]) => reportStep({ shipmentUid: shipments[role].shipmentUid, stateCode }));

/** The shipments after a report; one of another shipment changes nothing. */
export function advanced(shipments: Shipments, report: ShipmentReport | undefined): Shipments {
  const entries = Object.entries(shipments).map(([role, shipment]) => {
    if (shipment.shipmentUid !== report?.shipmentUid) return [role, shipment];
    return [role, { ...shipment, stateCode: report.stateCode, stateStart: report.stateStart }];
  });
  return Object.fromEntries(entries);
}

export const resultOf = (shipments: Shipments): FlowResult => ({
  outcome: 'Done',
  shipments,
  overdue: [],
  itemsLeft: [],
  unassigned: [],
});
