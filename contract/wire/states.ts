// The shipment's state codes and types as the wire names them (interface: States and transitions; assumptions: States).
// What follows from a state is in machines/; here are only the words.

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
