// The names of the shipment's state codes and types on the wire (interface: States and transitions; assumptions: States).
// Their rules are in contract/machines/.

export const stateCodes = [
  'Registered',
  'ReadyForDropoff',
  'WaitForReceiver',
  'ReadyForPickup',
  'Completed',
  'Cancelled',
] as const;
export type StateCode = (typeof stateCodes)[number];

export const shipmentTypes = ['LocalPupShipment', 'CollectOnlyShipment'] as const;
export type ShipmentType = (typeof shipmentTypes)[number];

/** Its item is in its locker. */
export const isInside = (stateCode: string | null | undefined): boolean =>
  stateCode === 'WaitForReceiver' || stateCode === 'ReadyForPickup';

/** Nothing can happen to the shipment any more (assumptions: States); contract/machines/chart.ts says the same of the chart. */
export const hasEnded = (stateCode: string | null | undefined): boolean =>
  stateCode === 'Completed' || stateCode === 'Cancelled';
