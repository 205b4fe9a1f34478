// The booking as the one step of a flow by hand: the same calls as the activity of a declared flow, by the same client.

import type { Response } from '../../../contract/index.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';
import { FLOW, type LoanRequest, type Shipments } from './full-circle.ts';

export interface BookLoan {
  readonly flowId: string;
  readonly request: LoanRequest;
}

type Listed = Response<'GetShipments'>['items'][number];

export const lockerApi = (url: string): LockerApi =>
  new LockerApi({ apiUrl: url, authUrl: url, clientId: 'demo', clientSecret: 'demo-secret' });

/** Safe to repeat: the service answers the same key with the same booking. */
export async function bookLoan(api: LockerApi, { flowId, request }: BookLoan): Promise<Shipments> {
  const own = { referenceCaseNo: flowId };
  const { shipmentUids } = await api.call(
    `CreateLocalShipmentAs${FLOW}`,
    { ...request, issue: own, return: { ...own, referenceNo: `${flowId}/intake` } },
    { idempotencyKey: `${flowId}/book`.replaceAll(' ', '-') },
  );
  const uids = [...new Set([request.priorShipmentUid, ...shipmentUids])];
  const pages = await Promise.all(
    uids.map((shipmentUid) => api.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid })),
  );
  const listed = pages.flatMap(({ items }) => items);
  const issue = found(listed, ({ shipmentUid }) => shipmentUid === request.priorShipmentUid);
  const intake = found(listed, ({ priorShipmentUid }) => priorShipmentUid === issue.shipmentUid);
  const circularStock = found(
    listed,
    ({ circularPriorShipmentUid }) => circularPriorShipmentUid === intake.shipmentUid,
  );
  return { issue, intake, circularStock };
}

/** The role of a shipment is known by what it is linked to, never by its place in the answer. */
function found(listed: readonly Listed[], fits: (shipment: Listed) => boolean) {
  const shipment = listed.find(fits);
  if (!shipment?.shipmentUid) throw new Error('GetShipments does not show a shipment of the booking');
  const { shipmentUid, stateCode, stateStart, pupUid, lockerName } = shipment;
  return { shipmentUid, stateCode, stateStart, pupUid, lockerName };
}
