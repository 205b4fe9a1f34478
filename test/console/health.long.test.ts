// What the console says, and goes on showing, while something is silent: the worker is stopped, and the ways to Temporal and to the
// locker service are cut. In a real Chromium, with everything real behind it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { fetchFlowDefinition } from '../../activities/flow-files/fetch-flow-definition.ts';
import type { HealthView } from '../../processes/views/health.ts';
import { type Installation, ourService, startInstallation } from '../end-to-end/installation.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../support/chromium.ts';
import { type RunningWorker, runWorker } from '../support/temporal.ts';
import { foundByAxe } from '../wall/axe.ts';
import { newTestConsole, type TestConsole } from './console-world.ts';
import { type CutWay, cutWay } from './cut-way.ts';

const executablePath = chromiumPath();
const PATIENCE_MS = 300_000;
const FLOW = 'SilenceCheck';
const KEY = 'silence-1';
const FILE = `
name: ${FLOW}
meaning: The desk checks a device.
initial: checking
states:
  checking:
    after: { P3D: over }
    invoke: { id: check, src: ask, input: { of: desk-of-silence, question: "Is it whole?", fields: { whole: { type: yesNo } } }, onDone: over }
  over: { type: final }
`;

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let installation: Installation;
  let worker: RunningWorker;
  let temporalWay: CutWay;
  let serviceWay: CutWay;
  let tested: TestConsole;
  let browser: Browser;

  const newWorker = () =>
    runWorker({ taskQueue: installation.taskQueue, activities: { fetchFlowDefinition } });

  beforeAll(async () => {
    installation = stack.use(await startInstallation(ourService, { worker: false }));
    worker = await newWorker();
    stack.defer(() => worker.stop());
    temporalWay = await cutWay(inject('temporalAddress'));
    stack.defer(() => temporalWay.cut());
    vi.stubEnv('TEMPORAL_ADDRESS', temporalWay.address);
    serviceWay = await cutWay(new URL(installation.service.address).host);
    stack.defer(() => serviceWay.cut());
    const serviceUrl = `http://${serviceWay.address}`;
    tested = stack.use(
      await newTestConsole({
        ...{ LOCKER_API_URL: serviceUrl, LOCKER_AUTH_URL: serviceUrl },
        ...{ LOCKER_CLIENT_ID: 'demo', LOCKER_CLIENT_SECRET: 'demo-secret' },
        LOCKERFLOW_TASK_QUEUE: installation.taskQueue,
      }),
    );
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
    await installation.flows.publish([{ path: 'silence.flow.yaml', text: FILE }]);
    await installation.flows.startPublished(FLOW, KEY, {});
  }, PATIENCE_MS);
  afterAll(async () => {
    await stack.disposeAsync();
    vi.unstubAllEnvs();
  });

  const silentParts = async (): Promise<string[]> => {
    const headers = { cookie: await tested.cookieOf('anna') };
    const answer = await fetch(`${tested.address}/v1/health`, { headers });
    return ((await answer.json()) as HealthView).silent.map(({ part }) => part);
  };
  const pill = (page: Page) => page.locator('.head .pill').innerText();
  const strip = (page: Page, part: string) => page.locator(`.strip [data-part=${part}]`);

  test(
    'with the worker stopped, each page says so and since when, and keeps what it knew, marked as old',
    async () => {
      const open = (path: string) => tested.pageOf(browser, 'bram', path);
      const [list, process, inbox] = await Promise.all([
        open('/processes?find=silence'),
        open(`/process/${KEY}?machine=open`),
        open('/inbox'),
      ]);
      const pages = [list, process, inbox];
      const entry = inbox.locator('.inbox li', { hasText: 'Is it whole?' });
      const active = process.locator('[data-path="checking"].active');
      await entry.waitFor();
      await active.waitFor();
      await list.locator(`tr[data-key="${KEY}"]`, { hasText: 'checking' }).waitFor();
      for (const page of pages) await expect.poll(() => pill(page)).toBe('Live');

      await worker.stop();
      for (const page of pages) {
        await expect.poll(() => pill(page)).toBe('Not all answer: workers');
        expect(await strip(page, 'worker').innerText()).toMatch(
          /^Workers silent since .* ago\): No worker answers/,
        );
      }
      // Nothing has happened to the process since: what it asked then is what it asks.
      expect(await entry.getByText('not read since').count()).toBe(0);
      // Something comes that only a worker could tell more of.
      await installation.client.workflow.getHandle(KEY).signal('nothing');
      await entry.getByText('not read since').waitFor();
      await process.getByText('What is shown is as of').waitFor();
      expect(await active.count()).toBe(1);
      expect(await list.locator(`tr[data-key="${KEY}"]`).innerText()).toMatch(/checking/i);
      expect(await foundByAxe(inbox)).toEqual([]);
      await picture(inbox, 'console-silent.png');

      worker = await newWorker();
      for (const page of pages) await expect.poll(() => pill(page)).toBe('Live');
      await entry.getByText('not read since').waitFor({ state: 'detached' });
      expect(await entry.count()).toBe(1);
    },
    PATIENCE_MS,
  );

  test(
    'the locker service and Temporal are named while they are silent, on a page that needs neither too',
    async () => {
      const page = await tested.pageOf(browser, 'anna', '/flows');
      await expect.poll(() => pill(page)).toBe('Live');
      await serviceWay.cut();
      await strip(page, 'service').waitFor();
      await serviceWay.mend();
      await strip(page, 'service').waitFor({ state: 'detached' });
      await temporalWay.cut();
      await strip(page, 'temporal').waitFor();
      expect(await silentParts()).toEqual(['temporal']);
      await temporalWay.mend();
      await strip(page, 'temporal').waitFor({ state: 'detached' });
      await expect.poll(() => pill(page)).toBe('Live');
    },
    PATIENCE_MS,
  );
});
