// Clients that ask and do not read: what the service keeps for them is bounded, and other clients are served as before.
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationRow } from '../../../contract/index.ts';
import { CONNECTION_BOUNDS } from '../../../runtime/http/bound-connections.ts';
import { accessToken, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { addSmallLockers } from '../../support/small-lockers.ts';
import { wallOf } from '../../support/wall.ts';

const SHIPMENTS = 80;
// As texts of people can be: 2,000 characters that JSON and UTF-8 write in many bytes.
const LONG = 'ß\u0001'.repeat(1_000);

let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  const connectionBounds = { ...CONNECTION_BOUNDS, unsentOfClient: 4_000_000 };
  service = await createTestService({}, { connectionBounds });
  await addSmallLockers(service.database);
  const wall = await wallOf(service.address);
  await Promise.all(Array.from({ length: SHIPMENTS }, () => wall.book('CreateLocalShipment')));
  await sql`update shipments set reference_no = ${LONG}, reference_case_no = ${LONG}, description = ${LONG}`.execute(
    service.database,
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service[Symbol.asyncDispose]();
});

const page = { pageNo: 1, pageSize: 500 };

// assumptions: Reading, GetShipments
test('a page is bounded by bytes too, and nextCursor leads to all the others', async () => {
  const call = await callerAs(service.address);
  const found = new Set<unknown>();
  let cursor: unknown;
  let pages = 0;
  do {
    const { body } = await call('GetShipments', { ...page, ...(cursor !== undefined && { cursor }) });
    expect(JSON.stringify(body).length).toBeLessThan(1_100_000);
    expect([body.totalItems, body.totalPages]).toEqual([null, null]);
    for (const { shipmentUid } of body.items as { shipmentUid: string }[]) found.add(shipmentUid);
    cursor = body.nextCursor;
    pages += 1;
  } while (cursor !== null && pages < 10);
  expect([found.size, pages]).toEqual([SHIPMENTS, 2]);
});

test('answers that a client does not read are cut beyond its bound, and another client is served', async () => {
  const token = await accessToken(service.address);
  const { hostname, port } = new URL(service.address);
  const body = JSON.stringify(page);
  const request =
    `POST ${operationRow('GetShipments').path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (let index = 0; index < 30; index++) {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    socket.write(request);
    sockets.push(socket);
  }
  const cut = () => service.logLines.filter(({ reason }) => reason === 'unreadOfClient');
  await expect.poll(() => cut().length, { timeout: 30_000 }).toBe(1);
  expect(cut()).toMatchObject([{ level: 40, client: 'demo' }]);
  // Those that are cut answer a write with a reset.
  const open = () => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x');
    return sockets.filter(({ destroyed }) => !destroyed).length;
  };
  await expect.poll(open, { timeout: 30_000 }).toBeLessThan(20);
  const other = await callerAs(service.address, 'other');
  expect((await other('GetShipments', page)).status).toBe(200);
});
