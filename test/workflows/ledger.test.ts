// What an operator reads of the reports of a flow.
import { expect, test } from 'vitest';
import type { LedgerEntry, ShipmentReport } from '../../contract/flow-messages.ts';
import { entered, wholeLedger } from '../../workflows/shipments/ledger.ts';

const report = (stateCode: string): ShipmentReport => ({
  shipmentUid: 'shipment',
  stateCode,
  stateStart: '2026-01-01T00:00:00.000Z',
  shipmentType: 'LocalPupShipment',
  referenceNo: null,
  referenceCaseNo: null,
  description: null,
  pupUid: null,
  fromUserUid: null,
  toUserUid: null,
  receivedAt: '2026-01-01T00:00:01.000Z',
  source: 'callback',
});
const told = (ledger: readonly LedgerEntry[]) =>
  ledger.map(({ stateCode, verdict, times }) => [stateCode, verdict, times]);

test('a report that comes once more after the end of the flow only counts', () => {
  const judged = entered([], report('ReadyForPickup'), 'next');
  const late = [report('ReadyForPickup'), report('Completed'), report('Completed')];
  expect(told(wholeLedger(judged, [], late))).toEqual([
    ['ReadyForPickup', 'next', 2],
    ['Completed', 'afterTheEnd', 2],
  ]);
});

test('a report that comes twice before the flow knows its shipments is held once', () => {
  const held = [report('ReadyForPickup'), report('ReadyForPickup')];
  expect(told(wholeLedger([], held, []))).toEqual([['ReadyForPickup', 'held', 2]]);
});
