// From a door's opening to the pixel that shows it, on a list of 200 open processes, with everything real and in processes of
// its own: service, callback, receiver, Temporal, worker, console, and Chromium. Measured from before the request that opens
// the door to the frame after the one in which the row says so.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { chromium } from 'playwright-core';
import { LockerFlows } from '../client/locker-flows.ts';
import { buildPage, isPageBuilt } from '../console/build-page.ts';
import { searchAttributes } from '../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../local/temporal/server.ts';
import { workflowBundle } from '../local/workflow-bundle.ts';
import { fill } from './booking-data.ts';
import { startLocalProcess } from './local-process.ts';
import { startLocalService } from './local-service.ts';
import { percentile, printTable } from './table.ts';

const PROCESSES = 200;
const OPENINGS = 100;
const KEY = 'whsec_dGhlIGtleSBvZiB0aGUgYmVuY2htYXJrISEhISEhISE=';
const LINK_SECRET = 'the-secret-of-the-link-that-signs-in-once-only';

if (!isPageBuilt()) await buildPage();
const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
const service = await startLocalService();
await fill(service.databaseUrl, { pickUpPoints: 1, lockersEach: 3 * PROCESSES, oldShipments: 0 });
const temporal = await startTemporalServer({
  databaseFile: join(folder, 'temporal.sqlite'),
  searchAttributes,
});
const locker = {
  TEMPORAL_ADDRESS: temporal.address,
  LOCKER_API_URL: service.address,
  LOCKER_AUTH_URL: service.address,
  LOCKER_CLIENT_ID: 'demo',
  LOCKER_CLIENT_SECRET: 'demo-secret',
  LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes',
};
const receiver = await startLocalProcess('client/receiver/main.ts', 'receiver started', {
  ...locker,
  CALLBACK_PORT: '0',
  LOCKER_CALLBACK_KEY: KEY,
});
const worker = await startLocalProcess('worker/main.ts', 'worker started', {
  ...locker,
  WORKER_PORT: '0',
  WORKER_WORKFLOW_BUNDLE: await workflowBundle(folder),
});
const webConsole = await startLocalProcess('console/main.ts', 'console started', {
  ...locker,
  LOCKERFLOW_HOME: folder,
  CONSOLE_PORT: '0',
  CONSOLE_LINK_SECRET: LINK_SECRET,
});
await service.call('ConfigureCallback', { url: receiver.up.url, authType: 'HMAC', authKey: KEY });
const connection = await Connection.connect({ address: temporal.address });
const flows = new LockerFlows(new Client({ connection }));

async function started(number: number): Promise<readonly [key: string, shipmentUid: string]> {
  const handle = await flows.start('Issue', `bench-${number}`, {
    request: {
      pupUid: 'bench-1',
      toUserUid: 'user-anna',
      dimension: { width: 10, height: 10, length: 10 },
      allowLargerLockers: true,
      allowOverflowLockers: false,
    },
  });
  for (;;) {
    const { shipments } = await handle.progress();
    if (shipments.issue?.stateCode) return [handle.workflowId, shipments.issue.shipmentUid];
    await delay(20);
  }
}

const booked: (readonly [string, string])[] = [];
for (let from = 0; from < PROCESSES; from += 10)
  booked.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => started(from + index)))));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
const opened = performance.now();
await page.goto(`${webConsole.up.address}/processes?size=200#sign-in=${LINK_SECRET}`);
await page.locator('tbody tr').first().waitFor();
const firstView = performance.now() - opened;
await page
  .locator('tbody tr', { hasText: 'ReadyForDropoff' })
  .nth(PROCESSES - 1)
  .waitFor();

/** The instant of the frame after the one in which the row says so. */
const seen = (key: string) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const row = document.querySelector('tr[data-key="${key}"]');
    const look = () => {
      if (!row.textContent.includes('ReadyForPickup')) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())));
    };
    const observer = new MutationObserver(look);
    observer.observe(row, { childList: true, subtree: true, characterData: true });
  })`);

const took: number[] = [];
for (const [key, shipmentUid] of booked.slice(0, OPENINGS)) {
  const seeing = seen(key);
  // The page has begun to look, and the openings come at no fixed moment between two searches.
  await delay(50 + Math.random() * 200);
  const before = Date.now();
  await service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' });
  took.push((await seeing) - before);
}
printTable([
  {
    'open processes': PROCESSES,
    openings: OPENINGS,
    'p50 ms': Math.round(percentile(took, 0.5)),
    'p95 ms': Math.round(percentile(took, 0.95)),
    'most ms': Math.round(Math.max(...took)),
    'first view ms': Math.round(firstView),
  },
]);

await browser.close();
await connection.close();
for (const each of [webConsole, worker, receiver]) await each.stop();
await temporal.stop();
await service[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
