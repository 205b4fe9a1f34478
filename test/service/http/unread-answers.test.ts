// Clients that ask and do not read: what the service keeps for them is bounded, and other clients are served as before.
import { connect, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationRow } from '../../../contract/index.ts';
import { CONNECTION_BOUNDS } from '../../../shared/http/bound-connections.ts';
import { accessToken, callerAs } from '../../support/caller.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { addSmallLockers } from '../../support/small-lockers.ts';
import { wallOf } from '../../support/wall.ts';

const SHIPMENTS = 96;
const dimension = { width: 10, height: 10, length: 10 };
// As texts of people can be: 2,000 characters that JSON and UTF-8 write in many bytes.
const LONG = 'ß\u0001'.repeat(1_000);

let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  const connectionBounds = { ...CONNECTION_BOUNDS, unsentOfClient: 3_000_000 };
  service = await createTestService({}, { connectionBounds });
  await addSmallLockers(service.database);
  const wall = await wallOf(service.address);
  await Promise.all(Array.from({ length: SHIPMENTS }, () => wall.book('CreateLocalShipment', { dimension })));
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
  expect([found.size, pages]).toEqual([SHIPMENTS, 3]);
});

test('a page by its number is refused where it or the first one is cut: what that left out would be on no page', async () => {
  const call = await callerAs(service.address);
  const pageSize = SHIPMENTS / 2;
  const lastOfFirst = sql`(select shipment_id from shipments order by shipment_id offset ${pageSize - 1} limit 1)`;
  const setTexts = (ofFirst: string, ofSecond: string) => {
    const text = sql`case when shipment_id <= ${lastOfFirst} then ${ofFirst}::text else ${ofSecond}::text end`;
    return sql`
      update shipments set reference_no = ${text}, reference_case_no = ${text}, description = ${text}
    `.execute(service.database);
  };
  const refusedOf = async (most: RegExp) => {
    const { body } = await call('GetShipments', { pageNo: 2, pageSize });
    expect(body).toMatchObject({ error: 'InvalidRequest', message: expect.stringMatching(most) });
  };
  try {
    await setTexts('short', LONG);
    await refusedOf(/^pageSize: page 2 is longer than 1 MB; expected at most \d+ for it/);
    await setTexts(LONG, 'short');
    const { body: first } = await call('GetShipments', { pageNo: 1, pageSize });
    const { length } = first.items as unknown[];
    expect(length).toBeLessThan(pageSize);
    await refusedOf(new RegExp(`^pageSize: page 1 is longer than 1 MB; expected at most ${length} for it`));
    const { body: rest } = await call('GetShipments', { ...page, cursor: first.nextCursor });
    expect(rest.items).toHaveLength(SHIPMENTS - length);
  } finally {
    await setTexts(LONG, LONG);
  }
});

test('the other lists whose rows carry long texts are bounded by bytes too, and say that they go on', async () => {
  const call = await callerAs(service.address);
  const { database } = service;
  const { rows } = await sql<{ uid: string }>`
    insert into shipment_objects (shipment_id, shipment_object_uid, reference_no, description)
    select shipment_id, 'object-' || n, ${LONG}, ${LONG}
    from (select shipment_id from shipments limit 1) as one, generate_series(1, 200) as n
    returning (select shipment_uid from shipments where shipment_id = shipment_objects.shipment_id) as uid
  `.execute(database);
  const { body: objects } = await call('GetShipmentObjects', { shipmentUid: rows[0]?.uid });
  expect(JSON.stringify(objects).length).toBeLessThan(1_100_000);
  expect(objects.isComplete).toBe(false);
  await sql`
    update audit_log set uids = array(select repeat('u', 190) || n from generate_series(1, 100) as n)
  `.execute(database);
  const { body: log } = await call('GetAuditLog', { pageSize: 500 });
  expect(JSON.stringify(log).length).toBeLessThan(1_100_000);
  const { body: more } = await call('GetAuditLog', { pageSize: 500, cursor: log.nextCursor });
  const entries = [log, more].flatMap(({ items }) => items as unknown[]);
  expect([entries.length, more.nextCursor]).toEqual([SHIPMENTS, null]);
});

test('answers that a client does not read are cut beyond its bound, and another client is served', async () => {
  const token = await accessToken(service.address);
  const { hostname, port } = new URL(service.address);
  const body = JSON.stringify(page);
  const request =
    `POST ${operationRow('GetShipments').path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  // Several at once for each connection: the network takes some megabytes of it by itself.
  for (let index = 0; index < 6; index++) {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    socket.write(request.repeat(8));
    sockets.push(socket);
  }
  const cut = () => service.logLines.filter(({ reason }) => reason === 'unreadOfClient');
  await expect.poll(() => cut().length, { timeout: 60_000 }).toBe(1);
  expect(cut()).toMatchObject([{ level: 40, client: 'demo' }]);
  // Those that are cut answer a write with a reset.
  const open = () => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x');
    return sockets.filter(({ destroyed }) => !destroyed).length;
  };
  await expect.poll(open, { timeout: 60_000 }).toBeLessThan(6);
  const other = await callerAs(service.address, 'other');
  expect((await other('GetShipments', page)).status).toBe(200);
});

test('a request that asks for another protocol is one like others, but for a wall', {
  timeout: 30_000,
}, async () => {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const ask = (path: string, headers = '') =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  const upgrade = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`;
  const answers = async (count: number) =>
    await expect.poll(() => text.match(/HTTP\/1\.1 \d+/g), { timeout: 10_000 }).toHaveLength(count);
  ask('/health/live', `Connection: Upgrade\r\nUpgrade: websocket\r\n${upgrade}`);
  await answers(1);
  // A connection that had left HTTP would answer nothing more, and nothing would bound it.
  ask('/health/live');
  await answers(2);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});
