// The locker service as the comparison of flows with it asks it (shared/routing/comparison/). For an activity and for the
// command line.
import type { Peer, Request, Response } from '../../contract/index.ts';
import { findShipment, listShipments, type ShipmentReader } from './list-shipments.ts';

type Reads = 'GetShipments' | 'GetPickUpPoints';

export interface ServiceReader {
  readonly call: <Name extends Reads>(operation: Name, request: Request<Name>) => Promise<Response<Name>>;
  readonly peer: Pick<Peer, 'inOurWords'>;
}

export function comparedService({ call, peer }: ServiceReader) {
  const reader: ShipmentReader = { peer, read: (request) => call('GetShipments', request) };
  return {
    activeShipments: () => listShipments(reader, { activeShipments: true, sortBy: 'CreatedAsc' }),
    findShipment: (shipmentUid: string) => findShipment(reader, shipmentUid),
    async lockersOf(pupUid: string) {
      const request = { pageNo: 1, pageSize: 1, pupUid, includeDetails: true };
      const { items } = await call('GetPickUpPoints', request);
      const lockers = items.find((each) => each.pupUid === pupUid)?.lockers ?? [];
      return new Map(
        lockers.map(({ lockerUid, lockerName, free }) => [
          lockerName ?? '',
          { lockerUid, isFree: free === true },
        ]),
      );
    },
  };
}
