// Everything that the console stands on, real and in processes of its own: service, receiver, Temporal, worker and the console
// itself, with so many open processes, and a page in Chromium that shows their list.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { buildPage, isPageBuilt } from '../../../console/build-page.ts';
import { TASK_QUEUE } from '../../../contract/flows/flow-types.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { startPostgres } from '../../../local/postgres/postgres.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { workflowBundle } from '../../../local/workflow-bundle.ts';
import { fill } from '../booking-data.ts';
import { processesOf, usedBy } from '../engines/usage.ts';
import { inLanes } from '../in-lanes.ts';
import { newDatabase, type ServiceClient } from '../loaded-service.ts';
import { processorMs, startLocalProcess } from '../local-process.ts';
import { type FlowProcesses, lockerSettings, startFlowProcesses } from '../whole-flows/processes.ts';

const LINK_SECRET = 'the-secret-of-the-link-that-signs-in-once-only';
/** So many processes start at once. */
const AT_ONCE = 10;
export const ROWS_ON_A_PAGE = 200;
/** A slow machine shows a page by then, in ms. */
const SHOWN_WITHIN_MS = 120_000;

export interface ConsoleInstallation extends AsyncDisposable {
  readonly service: ServiceClient;
  /** By Temporal's client. */
  readonly flows: FlowProcesses['flows'];
  /** The console's. */
  readonly address: string;
  readonly temporalAddress: string;
  /** What Temporal and the worker have used of the processors so far. */
  processorMs(): Promise<Readonly<Record<'temporal' | 'worker', number>>>;
  /** Each by its business key, with its shipment. */
  readonly booked: readonly (readonly [key: string, shipmentUid: string])[];
  /** Opens the list, signed in, and says how long its first rows took, in ms. */
  openList(): Promise<{ readonly page: Page; readonly firstView: number; readonly opened: number }>;
}

/** @param variables of the console, beside its own */
export async function startConsoleInstallation(
  processes: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<ConsoleInstallation> {
  if (!isPageBuilt()) await buildPage();
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), port: 0 });
  stack.defer(() => postgres.stop());
  const databaseUrl = await newDatabase(postgres.url);
  await fill(databaseUrl, { pickUpPoints: 1, lockersEach: 3 * processes, oldShipments: 0 });
  const databaseFile = join(folder, 'temporal.sqlite');
  const temporal = await startTemporalServer({ databaseFile, searchAttributes });
  stack.defer(() => temporal.stop());
  const around = stack.use(
    await startFlowProcesses({
      ...{ databaseUrl, temporalAddress: temporal.address, taskQueue: TASK_QUEUE },
      bundle: await workflowBundle(folder),
    }),
  );
  const webConsole = await startLocalProcess('console/main.ts', 'console started', {
    ...lockerSettings(String(around.processes.service.up.address)),
    TEMPORAL_ADDRESS: temporal.address,
    LOCKERFLOW_HOME: folder,
    CONSOLE_PORT: '0',
    CONSOLE_LINK_SECRET: LINK_SECRET,
    ...variables,
  });
  stack.defer(() => webConsole.stop());
  const booked: (readonly [string, string])[] = [];
  await inLanes(AT_ONCE, processes, async (index) => {
    booked.push(await begun(around, index));
  });
  return {
    service: around.service,
    booked,
    flows: around.flows,
    address: String(webConsole.up.address),
    temporalAddress: temporal.address,
    processorMs: async () => ({
      temporal: (await usedBy(await processesOf(databaseFile))).processorMs,
      worker: await processorMs(around.processes.worker.processId),
    }),
    async openList() {
      const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu'],
      });
      stack.defer(() => browser.close());
      // To wait for many rows at once, a function is evaluated in the page, which its policy would refuse.
      const page = await browser.newPage({ bypassCSP: true });
      page.setDefaultTimeout(SHOWN_WITHIN_MS);
      const opened = performance.now();
      await page.goto(`${webConsole.up.address}/processes?size=${ROWS_ON_A_PAGE}#sign-in=${LINK_SECRET}`);
      await page.locator('tbody tr').first().waitFor();
      return { page, opened, firstView: performance.now() - opened };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Once its shipment waits for its item. */
async function begun(
  { flows }: FlowProcesses,
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
