// What the signal `shipmentStatus` says. Workflows take the type alone: zod would be evaluated again for each of them.
import { z } from 'zod';
import { shipmentStatus } from '../wire/callback-types.ts';

/** It has our state codes and UTC: the sender maps the service's state codes and time zone first. */
export const shipmentReport = shipmentStatus.extend({
  receivedAt: z.string().meta({
    description:
      'When the callback receiver or the reconciler got the report. It replaces a stateStart that is missing or unreadable',
  }),
  source: z.enum(['callback', 'reconciler']),
  pickedUpAt: z.string().exactOptional().meta({
    description:
      'When the item was picked up, if the report tells that: the state does not, where the locker is kept booked',
  }),
});
export type ShipmentReport = Readonly<z.infer<typeof shipmentReport>>;
