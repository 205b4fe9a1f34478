// A stand-in of the locker service, the same for all engines, in a process of its own: it answers the three operations of
// the flow from memory. The real service commits each booking to a Postgres of its own; on a machine that it shares with an
// engine, that would be measured with it. What it answers has the contract's form: the client of the flows checks it.
import { fastify } from 'fastify';
import { operationRow, parseRequest, TOKEN_PATH } from '../../../contract/index.ts';
import { FLOW, uidsOf } from './full-circle.ts';

const BOOKING = `CreateLocalShipmentAs${FLOW}` as const;

const shipments = new Map<string, object>();

/** The prior, in stock until now, and the two shipments that follow it. */
function booked(body: unknown): object {
  const { priorShipmentUid: uid, issue: ofIssue } = parseRequest(BOOKING, body);
  const { issue, intake, circularStock } = uidsOf(uid);
  const { referenceCaseNo = null } = ofIssue ?? {};
  const none = { priorShipmentUid: null, circularPriorShipmentUid: null, referenceCaseNo: null };
  const all = [
    { ...none, shipmentUid: issue, stateCode: 'ReadyForPickup', referenceCaseNo },
    { ...none, shipmentUid: intake, stateCode: 'Registered', priorShipmentUid: issue, referenceCaseNo },
    { ...none, shipmentUid: circularStock, stateCode: 'Registered', circularPriorShipmentUid: intake },
  ];
  for (const shipment of all) shipments.set(shipment.shipmentUid, shipment);
  return { shipmentUids: all.map(({ shipmentUid }) => shipmentUid) };
}

function listed(body: unknown): object {
  const shipment = shipments.get(parseRequest('GetShipments', body).shipmentUid ?? '');
  const item = {
    shipmentType: 'LocalPupShipment',
    stateStart: '2026-03-02T09:00:00.000',
    referenceNo: null,
    description: null,
    fromUserUid: 'user-demo',
    toUserUid: 'user-anna',
    swapsShipmentUid: null,
    pupUid: 'pup-central',
    lockerName: '7',
    ...shipment,
  };
  const items = shipment ? [item] : [];
  return { items, pageNo: 1, pageSize: 1, totalItems: items.length, totalPages: 1 };
}

const server = fastify();
const envelope = { success: true, error: null, message: null };
server.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null));
server.post(TOKEN_PATH, async () => ({ access_token: 'token', token_type: 'Bearer', expires_in: 86_400 }));
server.post(operationRow(BOOKING).path, async ({ body }) => ({ ...booked(body), ...envelope }));
server.post(operationRow('GetShipments').path, async ({ body }) => ({ ...listed(body), ...envelope }));
process.send?.(await server.listen({ port: 0, host: '127.0.0.1' }));
