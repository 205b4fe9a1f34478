// Clients and a wall that may do what they do, each in its limits, against a service in production mode as a process of its own
// with a heap of 1 GB: it lives, another tenant is served meanwhile, and no table fills. The worst cases are printed.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { operationRow, WALL_PATH, WALL_PROTOCOL } from '../../../../contract/index.ts';
import type { Child } from '../../../../local/child-process.ts';
import { HEADER } from '../../../service/accounts/suggestions/upload.ts';
import { rowOf, sharedText, xlsxOf } from '../../../service/accounts/suggestions/zip.ts';
import { accessToken, callerWith } from '../../../support/caller.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { createTestService, type TestService } from '../../../support/service.ts';
import { writtenByService } from '../../../support/service-command.ts';
import { wallOf } from '../../../support/wall.ts';
import { newWall } from '../../../support/walls/new-wall.ts';
import { wallToken } from '../../../support/walls/test-wall.ts';

vi.setConfig({ testTimeout: 900_000 });

/** Milliseconds of the slowest call of another tenant. */
const SLOWEST_MS = 500;
/** A machine that is busy with something else makes one call slow at any time, an attack makes many slow. */
const MAX_SLOW_OF_100 = 1;
const QUIET_MS = 10_000;
const MAX_NEW_ROWS = 1_000;
/** The heap, the process itself, and what is not of the heap. */
const HEAP_MEGABYTES = 1_024;
const MAX_MEGABYTES = 1_400;
/** Of a client in production, 100 a second. */
const CALL_EVERY_MS = 11;
const LONGEST_TEXT = '€'.repeat(2_000);

interface Attacked {
  readonly address: string;
  readonly url: string;
  readonly token: string;
}

interface Watched {
  /** Of the slowest call since the last look. */
  slowestMs: number;
  calls: number;
  /** Of more than SLOWEST_MS. */
  slow: number;
  failed: string[];
}

test('400 pages of 500 shipments with long texts that are never read', () =>
  attackedBy('400 unread pages', async ({ address, token }) => {
    const body = JSON.stringify({ pageNo: 1, pageSize: 500 });
    const head = headOf('GetShipments', token, 'application/json', Buffer.byteLength(body));
    const sockets: Socket[] = [];
    for (let call = 0; call < 400; call += 1) {
      sockets.push(unread(address, head, body));
      await delay(CALL_EVERY_MS);
    }
    // So long an answer may take to be made, on a machine with much else to do.
    await delay(60_000);
    return sockets;
  }));

test('nine uploads whose errors repeat a text of control characters, and whose answers are never read', () =>
  attackedBy('9 unread answers to uploads', async ({ address, token }) => {
    const shared = '<c t="s"><v>0</v></c>'.repeat(7);
    const rows = Array.from({ length: 70_000 }, (_, at) => `<row r="${at + 2}">${shared}</row>`).join('');
    const file = xlsxOf(rowOf(1, ...HEADER.split(';')) + rows, {}, sharedText('\u0000'.repeat(60)));
    expect(file.byteLength).toBeLessThan(2_000_000);
    const form = new FormData();
    form.append('data', '{}');
    form.append('file', new File([file], 'residents.xlsx'));
    const request = new Request(address, { method: 'POST', body: form });
    const body = new Uint8Array(await request.arrayBuffer());
    const head = headOf(
      'UploadAccountSuggestions',
      token,
      String(request.headers.get('content-type')),
      body.byteLength,
    );
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => begun(() => unread(address, head, body))),
    );
    console.info(`the answers to uploads begin: ${answers.map(({ begin }) => begin.slice(-3)).join(' ')}`);
    return answers.map(({ socket }) => socket);
  }));

test('1,400 hellos of one wall that has each time a new journal and two billion wrong codes', () =>
  attackedBy('1,400 hellos', async ({ address, url }) => {
    const credentials = await newWall(url, 'demo', 'pup-central');
    const authorization = `Bearer ${await wallToken(address, credentials)}`;
    for (let some = 0; some < 100; some += 1)
      await Promise.all(Array.from({ length: 14 }, () => greeted(address, authorization)));
    return [];
  }));

/** Runs one attack by the tenant demo, while the tenant other calls all the time. */
async function attackedBy(
  what: string,
  attack: (attacked: Attacked) => Promise<readonly Socket[]>,
): Promise<void> {
  // Books in staging; its database is the one of the service that is attacked.
  await using staging = await createTestService();
  await addShipments(staging);
  // Production takes no secret of the demo data.
  for (const client of ['demo', 'demo-flows', 'other'])
    await administered(staging.url, 'client', 'revoke', client, '--yes');
  const { service, address } = await serviceOn(staging.url);
  const [token, other] = await Promise.all(
    ['demo', 'other'].map((tenant) => tokenOf(address, staging.url, tenant)),
  );
  const watched: Watched = { slowestMs: 0, calls: 0, slow: 0, failed: [] };
  const stopped = new AbortController();
  const watching = [callAlways(address, String(other), watched, stopped.signal)];
  // What is compiled at the first calls is no part of it.
  await delay(QUIET_MS / 2);
  watched.slowestMs = 0;
  await delay(QUIET_MS);
  const quietMs = watched.slowestMs;
  const before = await rowsOf(staging);
  Object.assign(watched, { slowestMs: 0, calls: 0, slow: 0, failed: [] });
  const memory = memoryOf(service, stopped.signal);
  const sockets = await attack({ address, url: staging.url, token: String(token) });
  stopped.abort();
  await Promise.all(watching);
  const megabytes = await memory;
  const after = await rowsOf(staging);
  const grown = Object.entries(after)
    .map(([table, rows]) => ({ table, rows: rows - (before[table] ?? 0) }))
    .filter(({ rows }) => rows > 0)
    .toSorted((one, another) => another.rows - one.rows);
  const { slowestMs, calls, slow, failed } = watched;
  console.info(
    `${what}: slowest of ${calls} calls of another tenant ${slowestMs} ms (${quietMs} ms in a quiet moment), ${slow} over ${SLOWEST_MS} ms, ${failed.length} failed; ` +
      `${megabytes} MB; rows: ${grown
        .slice(0, 4)
        .map(({ table, rows }) => `${table} ${rows}`)
        .join(', ')}; ${service.hasEnded() ? `ended: ${service.err().slice(-300)}` : 'alive'}`,
  );
  for (const socket of sockets) socket.destroy();
  expect(service.hasEnded()).toBe(false);
  expect(failed.slice(0, 5)).toEqual([]);
  expect(grown.filter(({ rows }) => rows > MAX_NEW_ROWS)).toEqual([]);
  expect(megabytes).toBeLessThan(MAX_MEGABYTES);
  expect(slow, 'slow calls of another tenant').toBeLessThanOrEqual((calls * MAX_SLOW_OF_100) / 100);
}

/** 500 with the longest texts, as one that was booked. */
async function addShipments({ address, database }: TestService): Promise<void> {
  const tenant = await wallOf(address);
  const texts = { referenceNo: LONGEST_TEXT, referenceCaseNo: LONGEST_TEXT, description: LONGEST_TEXT };
  const [shipmentUid] = await tenant.book('CreateLocalShipment', texts);
  await tenant.cancel(shipmentUid);
  await sql`
    insert into shipments
    select (jsonb_populate_record(shipment, jsonb_build_object(
      'shipment_id', nextval('shipment_ids'), 'shipment_uid', 'long-' || number))).*
    from shipments shipment, generate_series(1, 500) number
    where shipment_uid = ${shipmentUid}`.execute(database);
}

async function serviceOn(url: string): Promise<{ readonly service: Child; readonly address: string }> {
  const service = nodeProgramOfTest([`--max-old-space-size=${HEAP_MEGABYTES}`, 'service/main.ts'], {
    env: {
      ...process.env,
      SERVICE_MODE: 'production',
      SERVICE_PORT: '0',
      DATABASE_URL: url,
    },
    keptLength: 4_000,
  });
  const { address } = await service.logged('service started');
  return { service, address: String(address) };
}

async function tokenOf(address: string, url: string, tenant: string): Promise<string> {
  const written = await administered(url, 'client', 'create', tenant, `${tenant}-hostile`, '--json');
  return await accessToken(address, `${tenant}-hostile`, JSON.parse(written).clientSecret);
}

const administered = (url: string, ...words: readonly string[]): Promise<string> => {
  const { SERVICE_ENCRYPTION_KEY } = process.env;
  return writtenByService(words, { DATABASE_URL: url, SERVICE_ENCRYPTION_KEY });
};

async function callAlways(
  address: string,
  token: string,
  watched: Watched,
  stopped: AbortSignal,
): Promise<void> {
  const call = callerWith(address, token);
  while (!stopped.aborted) {
    const start = performance.now();
    const answer = await call('GetLockers', { pageNo: 1, pageSize: 10 }).catch((error: Error) => error);
    const ms = Math.round(performance.now() - start);
    watched.slowestMs = Math.max(watched.slowestMs, ms);
    watched.calls += 1;
    if (ms > SLOWEST_MS) watched.slow += 1;
    if (answer instanceof Error) watched.failed.push(answer.message);
    else if (answer.status !== 200) watched.failed.push(`${answer.status} ${answer.body.message}`);
    await delay(50);
  }
}

/** The most, in MB, by what `ps` tells. */
async function memoryOf(service: Child, stopped: AbortSignal): Promise<number> {
  const processId = await service.processId;
  let most = 0;
  while (!stopped.aborted && !service.hasEnded()) {
    const ps = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(processId)]).catch(
      () => undefined,
    );
    most = Math.max(most, Number(ps?.stdout ?? 0) / 1_024);
    await delay(200);
  }
  return Math.round(most);
}

/** Of each table. */
async function rowsOf({ database }: TestService): Promise<Record<string, number>> {
  const tables = await database.introspection.getTables();
  const counts: Record<string, number> = {};
  for (const { name, isView } of tables) {
    if (isView) continue;
    const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(name)}`.execute(database);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

const headOf = (
  operation: 'GetShipments' | 'UploadAccountSuggestions',
  token: string,
  type: string,
  length: number,
): string =>
  [
    `POST ${operationRow(operation).path} HTTP/1.1`,
    ...['host: service', `authorization: Bearer ${token}`, `content-type: ${type}`],
    `content-length: ${length}\r\n\r\n`,
  ].join('\r\n');

/** Sends a request, and reads nothing. */
function unread(address: string, head: string, body: string | Uint8Array): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(head);
  socket.write(body);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Reads the first bytes of an answer and no more; sends again what was refused since too many were under way. */
async function begun(send: () => Socket): Promise<{ readonly socket: Socket; readonly begin: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const socket = send();
    const begin = await new Promise<string>((resolve) => {
      socket.once('close', () => resolve(''));
      socket.once('readable', () => resolve(String(socket.read(12) ?? '')));
    });
    if (!begin.endsWith('429') || attempt === 20) return { socket, begin };
    socket.destroy();
    await delay(5_000);
  }
}

/** Resolves once the service has answered, or has closed the connection. */
async function greeted(address: string, authorization: string): Promise<void> {
  const socket = new WebSocket(address.replace(/^http/, 'ws') + WALL_PATH, WALL_PROTOCOL, {
    headers: { authorization },
  });
  const hello = {
    type: 'hello',
    journal: randomUUID(),
    now: new Date().toISOString(),
    doors: [],
    commands: [],
  };
  await new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify(hello)));
    for (const event of ['message', 'close', 'error']) socket.on(event, () => resolve());
  });
  socket.terminate();
}
