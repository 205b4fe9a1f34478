// A stand-in of the locker service, the same for all engines, in a process of its own: it answers the three operations of
// the flow from memory. The real service commits each booking to a Postgres of its own; on a machine that it shares with an
// engine, that would be measured with it. What it answers has the contract's form: the client of the flows checks it.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  IDEMPOTENCY_KEY_HEADER,
  type OperationName,
  operationRow,
  parseRequest,
  type Request,
  TOKEN_PATH,
} from '../../../contract/index.ts';
import { FLOW, uidsOf } from './full-circle.ts';

export interface Called {
  readonly operation: OperationName;
  readonly request: unknown;
  readonly hasKey: boolean;
}

const LISTING = 'GetShipments';
const BOOKING = `CreateLocalShipmentAs${FLOW}` as const;

interface Shipment {
  readonly shipmentUid: string;
  readonly stateCode: string;
  readonly priorShipmentUid: string | null;
  readonly circularPriorShipmentUid: string | null;
  readonly referenceCaseNo: string | null;
}
const shipments = new Map<string, Shipment>();
let calls: Called[] = [];

/** The prior, in stock until now, and the two shipments that follow it. */
function book({ priorShipmentUid, issue: ofIssue }: Request<typeof BOOKING>): readonly string[] {
  const { issue, intake, circularStock } = uidsOf(priorShipmentUid);
  const none = { priorShipmentUid: null, circularPriorShipmentUid: null, referenceCaseNo: null };
  const { referenceCaseNo = null } = ofIssue ?? {};
  const all: Shipment[] = [
    { ...none, shipmentUid: issue, stateCode: 'ReadyForPickup', referenceCaseNo },
    { ...none, shipmentUid: intake, stateCode: 'Registered', priorShipmentUid: issue, referenceCaseNo },
    { ...none, shipmentUid: circularStock, stateCode: 'Registered', circularPriorShipmentUid: intake },
  ];
  for (const shipment of all) shipments.set(shipment.shipmentUid, shipment);
  return all.map(({ shipmentUid }) => shipmentUid);
}

const listed = (shipment: Shipment) => ({
  ...{ shipmentType: 'LocalPupShipment', stateStart: '2026-03-02T09:00:00.000', referenceNo: null },
  ...{ description: null, fromUserUid: 'user-demo', toUserUid: 'user-anna', swapsShipmentUid: null },
  ...{ pupUid: 'pup-central', lockerName: '7' },
  ...shipment,
});

const answers = {
  [BOOKING](body: unknown) {
    const request = parseRequest(BOOKING, body);
    return { request, answer: { shipmentUids: book(request) } };
  },
  [LISTING](body: unknown) {
    const request = parseRequest(LISTING, body);
    const shipment = shipments.get(request.shipmentUid ?? '');
    const items = shipment ? [listed(shipment)] : [];
    const page = { pageNo: 1, pageSize: 1, totalItems: items.length, totalPages: 1 };
    return { request, answer: { items, ...page } };
  },
} satisfies Partial<Record<OperationName, unknown>>;
const operations = Object.keys(answers) as (keyof typeof answers)[];

async function answered(request: IncomingMessage): Promise<{ status: number; body: object }> {
  const said = await text(request);
  if (request.url === TOKEN_PATH)
    return { status: 200, body: { access_token: 'token', token_type: 'Bearer', expires_in: 86_400 } };
  const operation = operations.find((name) => operationRow(name).path === request.url);
  if (!operation)
    return { status: 404, body: { success: false, error: 'UnknownOperation', message: request.url } };
  const { request: read, answer } = answers[operation](JSON.parse(said));
  calls.push({ operation, request: read, hasKey: IDEMPOTENCY_KEY_HEADER.toLowerCase() in request.headers });
  return { status: 200, body: { ...answer, success: true, error: null, message: null } };
}

const server = createServer((request, response) => {
  void answered(request).then(({ status, body }) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});
/** Asked for the calls since the last time. */
process.on('message', () => {
  process.send?.(calls);
  calls = [];
});
process.once('disconnect', () => process.exit());
