// Reading shipments from within an activity, whose cancellation ends it. Only where the service has the listing
// (LOCKER_CAPABILITIES).
import type { Peer } from '../contract/index.ts';
import type { LockerApi } from '../shared/locker-api/index.ts';
import * as api from '../shared/locker-api/list-shipments.ts';
import { type CallSettings, callOperation } from './operation-call.ts';

export type { ListedShipment, Listing } from '../shared/locker-api/list-shipments.ts';

export interface ReadingDependencies {
  readonly api: LockerApi;
  readonly peer: Peer;
}

export function listShipments(
  dependencies: ReadingDependencies,
  filter: api.ShipmentFilter,
  settings: CallSettings = {},
): Promise<api.Listing> {
  return api.listShipments(readerOf(dependencies, settings), filter);
}

/** The shipment as the listing shows it; null when it does not. */
export function findShipment(
  dependencies: ReadingDependencies,
  shipmentUid: string,
  settings: CallSettings = {},
): Promise<api.ListedShipment | null> {
  return api.findShipment(readerOf(dependencies, settings), shipmentUid);
}

const readerOf = (dependencies: ReadingDependencies, settings: CallSettings): api.ShipmentReader => ({
  peer: dependencies.peer,
  read: (request) => callOperation(dependencies.api, 'GetShipments', request, settings),
});
