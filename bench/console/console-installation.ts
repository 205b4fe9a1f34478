// Everything that the console stands on, real and in processes of its own: service, receiver, Temporal, worker and the console
// itself, with so many open processes, and a page in Chromium that shows their list.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { chromium, type Page } from 'playwright-core';
import { LockerFlows } from '../../client/locker-flows.ts';
import { buildPage, isPageBuilt } from '../../console/build-page.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { workflowBundle } from '../../local/workflow-bundle.ts';
import { fill } from '../booking-data.ts';
import { startLocalProcess } from '../local-process.ts';
import { type LocalService, startLocalService } from '../local-service.ts';

const KEY = 'whsec_dGhlIGtleSBvZiB0aGUgYmVuY2htYXJrISEhISEhISE=';
const LINK_SECRET = 'the-secret-of-the-link-that-signs-in-once-only';
/** So many processes start at once. */
const AT_ONCE = 10;
export const ROWS_ON_A_PAGE = 200;
/** A slow machine shows a page by then, in ms. */
const SHOWN_WITHIN_MS = 120_000;

export interface ConsoleInstallation extends AsyncDisposable {
  readonly service: LocalService;
  /** Each by its business key, with its shipment. */
  readonly booked: readonly (readonly [key: string, shipmentUid: string])[];
  /** Opens the list, signed in, and says how long its first rows took, in ms. */
  openList(): Promise<{ readonly page: Page; readonly firstView: number }>;
}

export async function startConsoleInstallation(processes: number): Promise<ConsoleInstallation> {
  if (!isPageBuilt()) await buildPage();
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const service = stack.use(await startLocalService());
  await fill(service.databaseUrl, { pickUpPoints: 1, lockersEach: 3 * processes, oldShipments: 0 });
  const temporal = await startTemporalServer({
    databaseFile: join(folder, 'temporal.sqlite'),
    searchAttributes,
  });
  stack.defer(() => temporal.stop());
  const locker = {
    TEMPORAL_ADDRESS: temporal.address,
    LOCKER_API_URL: service.address,
    LOCKER_AUTH_URL: service.address,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
    LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes',
  };
  const started = async (...part: Parameters<typeof startLocalProcess>) => {
    const running = await startLocalProcess(...part);
    stack.defer(() => running.stop());
    return running;
  };
  const receiver = await started('client/receiver/main.ts', 'receiver started', {
    ...locker,
    ...{ CALLBACK_PORT: '0', LOCKER_CALLBACK_KEY: KEY },
  });
  await started('worker/main.ts', 'worker started', {
    ...locker,
    ...{ WORKER_PORT: '0', WORKER_WORKFLOW_BUNDLE: await workflowBundle(folder) },
  });
  const webConsole = await started('console/main.ts', 'console started', {
    ...locker,
    ...{ LOCKERFLOW_HOME: folder, CONSOLE_PORT: '0', CONSOLE_LINK_SECRET: LINK_SECRET },
  });
  await service.call('ConfigureCallback', { url: receiver.up.url, authType: 'HMAC', authKey: KEY });
  const connection = await Connection.connect({ address: temporal.address });
  stack.defer(() => connection.close());
  const flows = new LockerFlows(new Client({ connection }));
  const booked: (readonly [string, string])[] = [];
  for (let from = 0; from < processes; from += AT_ONCE) {
    const some = Math.min(AT_ONCE, processes - from);
    booked.push(
      ...(await Promise.all(Array.from({ length: some }, (_, index) => begun(flows, from + index)))),
    );
  }
  return {
    service,
    booked,
    async openList() {
      const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu'],
      });
      stack.defer(() => browser.close());
      const page = await browser.newPage();
      page.setDefaultTimeout(SHOWN_WITHIN_MS);
      const opened = performance.now();
      await page.goto(`${webConsole.up.address}/processes?size=${ROWS_ON_A_PAGE}#sign-in=${LINK_SECRET}`);
      await page.locator('tbody tr').first().waitFor();
      return { page, firstView: performance.now() - opened };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Once its shipment waits for its item. */
async function begun(
  flows: LockerFlows,
  number: number,
): Promise<readonly [key: string, shipmentUid: string]> {
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
