// @module-tag invariant
// The worker's process is killed while it runs the example DeviceLoan, once at every event of the process's history: the
// next worker brings it to the same end, with one ticket, and nothing is booked twice.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { publishFiles } from '../../../../../client/flow-files/publish.ts';
import type { BookingProgress } from '../../../../../contract/flows/booking-progress.ts';
import { type Installation, ourService, startInstallation } from '../../../../end-to-end/installation.ts';
import { startWorkerProcess } from '../../../../end-to-end/worker-process.ts';
import { atEachEvent, hasEvent } from '../../../../proofs/killed/at-each-event.ts';
import { json, startTestServer } from '../../../../shared/locker-api/test-server.ts';
import { killable } from '../../../../support/processes/killable.ts';

const text = await readFile(
  new URL('../../../../../docs/examples/flow-files/device-loan.flow.yaml', import.meta.url),
  'utf8',
);

type Moment = (handle: WorkflowHandle, item: string) => Promise<boolean>;

/** The server has made it, and has not answered yet: the call is tried again once its heartbeat is missed. */
const whileTicketIsMade: Moment = async (_, item) => tickets.about(item).length > 0;

/** Worker processes that a machine has memory for. */
const AT_A_TIME = 3;
// A killed worker's tasks are another's after their time-outs.
const PATIENCE_MS = 300_000;
const ANSWERS_AFTER_MS = 1_000;
/** A process for each event of the history, three at a time: 8 minutes on a quiet machine. */
const TIMEOUT_MS = 1_800_000;

const patience = { timeout: PATIENCE_MS, interval: 50 };

/** A ticket server that knows the keys of its requests: the numbers of its tickets, by what they are about. */
async function startTicketServer() {
  const byKey = new Map<string, { readonly number: string; readonly about: string }>();
  const server = await startTestServer(async (response, request) => {
    const key = String(request.headers['idempotency-key']);
    const about = JSON.parse(request.body).short_description;
    const ticket = byKey.get(key) ?? { number: `INC${byKey.size + 1}`, about };
    byKey.set(key, ticket);
    // A worker that is killed at the call has made the ticket, and does not know it.
    await delay(ANSWERS_AFTER_MS);
    await json(201, { result: { number: ticket.number } })(response, request);
  });
  return {
    address: server.url,
    close: () => server[Symbol.asyncDispose](),
    about: (item: string) => [...byKey.values()].filter(({ about }) => about.includes(item)),
  };
}

let tickets: Awaited<ReturnType<typeof startTicketServer>>;
let connectors: string;

beforeAll(async () => {
  tickets = await startTicketServer();
  connectors = join(inject('bundles'), `connectors-${randomUUID()}.json`);
  const servicenow = {
    address: new URL('/api/now', tickets.address).href,
    allow: ['POST /table/incident'],
    idempotencyKeyHours: 24,
    timeoutSeconds: 5,
  };
  await writeFile(connectors, JSON.stringify({ connectors: { servicenow } }));
}, 300_000);
afterAll(() => tickets.close());

interface ProgressView {
  readonly questions?: readonly unknown[];
  readonly bookings?: readonly BookingProgress[];
}

/** Nobody answers while there is no worker. */
const until = <Found>(
  handle: WorkflowHandle,
  find: (seen: ProgressView) => Found | undefined,
): Promise<Found> =>
  vi.waitUntil(async () => {
    const seen = await handle.query<ProgressView>('progress').catch(() => undefined);
    return (seen && find(seen)) ?? false;
  }, patience) as Promise<Found>;

type People = Installation['people'];

/** Two devices lie in lockers as stock. */
async function twoDevices(people: People, pupUid: string): Promise<{ item: string; spare: string }> {
  await people.newPickUpPoint(pupUid, 5);
  const [item = '', spare = ''] = await Promise.all(
    [1, 2].map(async () => {
      const { shipmentUids } = await people.call('CreateLocalShipmentAsStock', {
        pupUid,
        allowLargerLockers: true,
        allowOverflowLockers: false,
        dimension: { width: 10, height: 10, length: 10 },
      });
      const [uid = ''] = shipmentUids as readonly string[];
      await people.dropOff(uid);
      return uid;
    }),
  );
  return { item, spare };
}

/** What people do, whatever becomes of the worker. */
async function borrowed(
  people: People,
  handle: WorkflowHandle,
  { item, spare }: { item: string; spare: string },
): Promise<void> {
  const booked = (which: string) =>
    until(handle, ({ bookings = [] }) => {
      const booking = bookings.find(({ id }) => id === which);
      return booking?.activity === 'Following' ? booking : undefined;
    });
  const intake = (await booked('loan')).shipments.intake?.shipmentUid ?? '';
  await people.pickUp(item);
  await people.dropOff(intake);
  await until(handle, ({ questions = [] }) => questions.length > 0 || undefined);
  const args: [object] = [{ values: { state: 'broken' }, by: 'anna' }];
  // An answer that was cut off is given again, as the same one.
  const given = () =>
    handle.executeUpdate('answer', { updateId: 'broken', args }).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(given, patience);
  await booked('replacement');
  await people.pickUp(spare);
}

/**
 * Gives how many events its history had in the end. Its receiver leaves callbacks for its worker: on the task queue of another one
 * they would wait for the reconciler.
 */
async function lendKilled(hasCome: Moment): Promise<number> {
  await using installation = await startInstallation(ourService, { worker: false });
  const { client, people, taskQueue } = installation;
  const variables = { LOCKERFLOW_TASK_QUEUE: taskQueue, LOCKERFLOW_CONNECTORS: connectors };
  const start = () => startWorkerProcess(installation, variables);
  await using worker = await killable(start);
  const name = `DeviceLoan${randomUUID().slice(0, 8)}`;
  const named = text.replace('name: DeviceLoan', `name: ${name}`);
  await publishFiles(client, [{ path: 'device-loan.flow.yaml', text: named }], taskQueue);
  const pupUid = `pup-${randomUUID()}`;
  const devices = await twoDevices(people, pupUid);
  const handle = await client.workflow.start(name, {
    taskQueue,
    workflowId: `${name}-${randomUUID()}`,
    args: [{ request: { ...devices, user: 'user-anna' } }],
  });
  const killing = (async () => {
    await vi.waitUntil(() => hasCome(handle, devices.item), { timeout: PATIENCE_MS, interval: 5 });
    await worker.kill();
  })();
  await Promise.all([killing, borrowed(people, handle, devices)]);
  const made = tickets.about(devices.item);
  expect(made).toHaveLength(1);
  expect(await handle.result()).toEqual({ reminders: 0, ticket: made[0]?.number });
  const stored = await people.shipmentsAt(pupUid);
  // The two devices, and the loan's intake and circular stock.
  expect(stored).toHaveLength(4);
  expect(stored.filter(({ stateCode }) => stateCode === 'Completed')).toHaveLength(3);
  const { events = [] } = await handle.fetchHistory();
  const failed = (events ?? []).flatMap(
    ({ workflowTaskFailedEventAttributes: task }) => task?.failure?.message ?? [],
  );
  // The last callback came while the worker ended the process: the server gives it the task again.
  expect(failed.filter((message) => message !== 'UnhandledCommand')).toEqual([]);
  return events?.length ?? 0;
}

test('a worker killed at any event changes nothing of what the process comes to', {
  timeout: TIMEOUT_MS,
}, async () => {
  await lendKilled(whileTicketIsMade);
  await atEachEvent(AT_A_TIME, (event) => lendKilled((handle) => hasEvent(handle, event)));
});
