// LocalShipment: one item from one account to another, through one locker.
import type { Declaration } from './declaration.ts';
import { newLeg } from './legs.ts';

export const localShipment = {
  name: 'LocalShipment',
  operation: 'CreateLocalShipment',
  meaning: 'Someone drops an item off and someone else picks it up, now or when a receiver is set.',
  legs: {
    shipment: {
      ...newLeg('request'),
      registeredWith: 'swapsShipmentUid',
      deadlines: ['dropOff', 'receiver', 'pickUp'],
    },
  },
} satisfies Declaration;
