// What the console says, and goes on showing, while something is silent: the worker is stopped, and the ways to Temporal and to the
// locker service are cut. In a real Chromium, with everything real behind it.
import type { Page } from 'playwright-core';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { fetchFlowDefinition } from '../../activities/flow-files/fetch-flow-definition.ts';
import type { HealthView } from '../../processes/views/health.ts';
import type { Installation } from '../end-to-end/installation.ts';
import { foundByAxe } from '../service/simulated-wall/axe.ts';
import { picture } from '../support/chromium.ts';
import { type RunningWorker, runWorker } from '../support/temporal.ts';
import { type CutWay, cutWay } from './cut-way.ts';
import { describeInBrowser, type InBrowser } from './in-browser.ts';

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

let worker: RunningWorker;
let temporalWay: CutWay;
let serviceWay: CutWay;

const newWorker = (taskQueue: string) => runWorker({ taskQueue, activities: { fetchFlowDefinition } });

async function variables({ service }: Installation) {
  temporalWay = await cutWay(inject('temporalAddress'));
  serviceWay = await cutWay(new URL(service.address).host);
  const serviceUrl = `http://${serviceWay.address}`;
  vi.stubEnv('TEMPORAL_ADDRESS', temporalWay.address);
  return { LOCKER_API_URL: serviceUrl, LOCKER_AUTH_URL: serviceUrl };
}

async function begin({ installation: { flows, taskQueue } }: InBrowser): Promise<void> {
  worker = await newWorker(taskQueue);
  await flows.publish([{ path: 'silence.flow.yaml', text: FILE }]);
  await flows.startPublished(FLOW, KEY, {});
}

describeInBrowser({ installed: { worker: false }, variables, begin }, (at) => {
  afterAll(async () => {
    await worker?.stop();
    await temporalWay?.cut();
    await serviceWay?.cut();
  });

  const silentParts = async (): Promise<string[]> => {
    const headers = { cookie: await at.tested.cookieOf('anna') };
    const answer = await fetch(`${at.tested.address}/v1/health`, { headers });
    return ((await answer.json()) as HealthView).silent.map(({ part }) => part);
  };
  const pill = (page: Page) => page.locator('.head .pill').innerText();
  const strip = (page: Page, part: string) => page.locator(`.strip [data-part=${part}]`);

  test('with the worker stopped, each page says so and since when, and keeps what it knew, marked as old', async () => {
    const open = (path: string) => at.opened(path, 'bram');
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
    await at.installation.client.workflow.getHandle(KEY).signal('nothing');
    await entry.getByText('not read since').waitFor();
    await process.getByText('What is shown is as of').waitFor();
    expect(await active.count()).toBe(1);
    expect(await list.locator(`tr[data-key="${KEY}"]`).innerText()).toMatch(/checking/i);
    expect(await foundByAxe(inbox)).toEqual([]);
    await picture(inbox, 'console-silent.png');

    worker = await newWorker(at.installation.taskQueue);
    for (const page of pages) await expect.poll(() => pill(page)).toBe('Live');
    await entry.getByText('not read since').waitFor({ state: 'detached' });
    expect(await entry.count()).toBe(1);
  });

  test('the locker service and Temporal are named while they are silent, and so is the console; pages keep what they knew and go on by themselves', async () => {
    const open = (path: string) => at.opened(path, 'bram');
    const page = await open('/flows');
    const wall = await open('/walls/pup-central');
    const list = await open('/processes?find=silence');
    const desk = await open('/desk');
    const seen = [wall.locator('.wall .locker'), list.locator(`tr[data-key="${KEY}"]`)] as const;
    const point = desk.getByLabel('Pick up point', { exact: true });
    for (const each of seen) await each.first().waitFor();
    await expect.poll(() => pill(page)).toBe('Live');
    await serviceWay.cut();
    await strip(page, 'service').waitFor();
    await expect.poll(() => pill(wall)).toContain('the locker service cannot be reached');
    await desk.reload();
    await expect
      .poll(() => desk.getByRole('alert').innerText())
      .toContain('the locker service cannot be reached');
    await serviceWay.mend();
    await strip(page, 'service').waitFor({ state: 'detached' });
    await expect.poll(() => point.innerText()).toContain('Central');
    await temporalWay.cut();
    await strip(page, 'temporal').waitFor();
    // What was seen last stays.
    for (const each of seen) expect(await each.count()).toBeGreaterThan(0);
    expect(await silentParts()).toEqual(['temporal']);
    await temporalWay.mend();
    await strip(page, 'temporal').waitFor({ state: 'detached' });
    await expect.poll(() => pill(page)).toBe('Live');
    await at.tested.stop();
    await expect.poll(() => pill(page)).toContain('the console does not answer');
    await at.tested.start();
    await expect.poll(() => pill(page)).toBe('Live');
  });
});
