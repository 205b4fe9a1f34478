// What a workflow of your own needs to receive the callbacks of shipments. Objects only: index.ts would turn a function into a
// workflow type.
import { defineSignal } from '@temporalio/workflow';
import type { SHIPMENT_STATUS, ShipmentReport } from '../contract/flows/flow-messages.ts';
import type { SearchAttributeName } from '../contract/flows/search-attributes.ts';

/** Says that a shipment has changed its state. */
export const shipmentStatus = defineSignal<[ShipmentReport], typeof SHIPMENT_STATUS>('shipmentStatus');

/** The shipments that the workflow follows: callbacks find it by them. */
export const lockerShipmentUids = {
  name: 'LockerShipmentUids' satisfies SearchAttributeName,
  type: 'KEYWORD_LIST',
} as const;
