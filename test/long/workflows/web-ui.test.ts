// What an operator sees of a process in Temporal's Web UI, in a real Chromium: while the process runs, and after its end.
// With SCREENSHOTS=<folder> the test saves the pictures for the docs in that folder (npm run docs:screenshots).
import { ApplicationFailure } from '@temporalio/common';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchFlowDefinition } from '../../../activities/flow-files/fetch-flow-definition.ts';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { freePort, LOOPBACK } from '../../../local/ports.ts';
import { startTemporalServer, type TemporalServer } from '../../../local/temporal/server.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../../support/chromium.ts';
import { connectClient, runWorker } from '../../support/temporal.ts';
import { Outside } from '../../workflows/outside.ts';

const FLOW = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
// A server and a browser with its pages start, on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;
const PAGE_MS = 60_000;
const CONSOLE = 'https://console.example';

const ofAll = new AsyncDisposableStack();
const executablePath = chromiumPath();
let server: TemporalServer;
let ui: string;
let browser: Browser;

beforeAll(async () => {
  if (executablePath === undefined) return;
  const uiPort = await freePort();
  ui = `http://${LOOPBACK}:${uiPort}/namespaces/default/workflows`;
  server = await startTemporalServer({ uiPort, searchAttributes });
  ofAll.defer(() => server.stop());
  browser = await launchChromium(executablePath);
  ofAll.defer(() => browser.close());
}, PATIENCE_MS);
afterAll(() => ofAll.disposeAsync());

async function newPage(stack: AsyncDisposableStack): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  stack.defer(() => page.close());
  return page;
}

/** A client of the server, and a worker on it. */
async function working(stack: AsyncDisposableStack, activities: object) {
  const { client, close } = await connectClient(server.address);
  stack.defer(close);
  const worker = await runWorker({ address: server.address, taskQueue: 'lockerflow', activities });
  stack.defer(() => worker.stop());
  return client;
}

/** One process of the flagship flow. */
async function installed(stack: AsyncDisposableStack, key: string, outside = new Outside()) {
  const client = await working(stack, outside.activities);
  const priorShipmentUid = await outside.existing({ toUserUid: null }, 'ItemDroppedOff');
  outside.deliver = (report) => client.workflow.getHandle(key).signal('shipmentStatus', report);
  const handle = await new LockerFlows(client, { consoleUrl: CONSOLE }).start(FLOW, key, {
    request: { priorShipmentUid, toUserUid: 'user-anna' },
    deadlines: { issue: { pickUp: 'P3D' }, intake: { dropOff: 'P14D' } },
  });
  return { outside, handle, url: `${ui}/${key}` };
}

/** All words of the page. The Web UI shows Markdown in frames, so the words of all frames are read. */
async function wordsOf(page: Page): Promise<string> {
  // If the page replaces a frame meanwhile, the frame has no words. The next look finds the new frame.
  const words = page.frames().map((frame) =>
    frame
      .locator('body')
      .innerText({ timeout: 2_000 })
      .catch(() => ''),
  );
  return (await Promise.all(words)).join('\n');
}

/** Some versions of the Web UI show statuses in capitals. */
async function shows(page: Page, ...words: readonly string[]): Promise<void> {
  const shown = async () => (await wordsOf(page)).toLowerCase();
  for (const each of words) await expect.poll(shown, { timeout: PAGE_MS }).toContain(each.toLowerCase());
}

async function tablesOf(page: Page): Promise<string[]> {
  const tables = page.frames().map((frame) => frame.locator('table').allInnerTexts());
  return (await Promise.all(tables)).flat();
}

async function open(page: Page, tab: string): Promise<void> {
  const link = page.getByRole('link', { name: tab }).or(page.getByRole('tab', { name: tab }));
  await link.first().click({ timeout: PAGE_MS });
}

const parcel = `
name: Parcel
meaning: A parcel waits for its receiver; after three days somebody at the desk is asked.
initial: waiting
states:
  waiting:
    description: The parcel is in the locker.
    tags: stored
    after: { P3D: asked }
    on: { parcel.late: asked }
  asked:
    invoke: { id: desk, src: ask, input: { of: desk, question: Is it still there?, fields: { there: { type: yesNo } } }, onDone: over }
  over: { type: final }
`;

test(
  'the Web UI shows a process of a flow file by its name, with its state, what it waits for, and whom it asks',
  async ({ skip }) => {
    if (executablePath === undefined) return skip(noChromium);
    await using stack = new AsyncDisposableStack();
    const client = await working(stack, { fetchFlowDefinition });
    const flows = new LockerFlows(client);
    await flows.publish([{ path: 'parcel.flow.yaml', text: parcel }]);
    const handle = await flows.startPublished('Parcel', 'parcel-1', { request: {} });
    const page = await newPage(stack);
    await page.goto(`${ui}/parcel-1`);
    await shows(page, 'Running', 'parcel-1', 'Parcel', 'P3D');
    await open(page, 'User Metadata');
    await shows(
      page,
      'Parcel parcel-1',
      'Parcel@1: waiting (stored)',
      'The parcel is in the locker.',
      'events: parcel.late',
    );
    await picture(page, 'web-ui-flow-file.png');
    await handle.sendEvent({ type: 'parcel.late', id: 'late-1' });
    await vi.waitUntil(async () => (await handle.progress()).questions.length === 1, { timeout: PAGE_MS });
    await page.reload();
    await open(page, 'User Metadata');
    await shows(page, 'Parcel@1: asked', 'an answer of desk: Is it still there?');
    await open(page, 'Search Attributes');
    await shows(page, 'LockerInbox', 'desk', 'LockerPhase', 'Parcel@1');
    await handle.answer({ values: { there: true }, by: 'anna' });
    await handle.result();
    await page.goto(`${ui}/flow-definition:Parcel`);
    await open(page, 'User Metadata');
    await shows(page, 'Parcel@1, published');
    const hostile = `parcel [x](https://evil.example) <img src=x> www.evil.example`;
    await (await flows.startPublished('Parcel', hostile, { request: {} })).progress();
    await page.goto(`${ui}/${encodeURIComponent(hostile)}`);
    await open(page, 'User Metadata');
    await shows(page, `Parcel ${hostile}`, 'Parcel@1: waiting');
    for (const frame of page.frames().slice(1))
      expect(await frame.locator('a[href*="evil"], img').count()).toBe(0);
  },
  PATIENCE_MS,
);

test(
  'the Web UI shows a running and a finished process in words: summary, details, search attributes, deadlines',
  async ({ skip }) => {
    if (executablePath === undefined) return skip(noChromium);
    await using stack = new AsyncDisposableStack();
    const { outside, handle, url } = await installed(stack, 'loan-4711');
    const page = await newPage(stack);
    const untilIn = (role: 'issue' | 'intake', stateCode: string) =>
      expect
        .poll(async () => (await handle.progress()).shipments[role]?.stateCode, { timeout: PAGE_MS })
        .toBe(stateCode);

    await untilIn('issue', 'ReadyForPickup');
    await page.goto(url);
    await shows(page, 'Running', 'loan-4711', FLOW, 'issue: pick up until');
    await open(page, 'User Metadata');
    await shows(page, `${FLOW} loan-4711`, `${FLOW}: open. Waiting for:`, 'issue to be picked up until');
    expect(await page.frameLocator('iframe').last().locator('li').allInnerTexts()).toHaveLength(3);
    // The way to the process's page in the console.
    const link = 'a[href="https://console.example/process/loan-4711"]';
    const links = () => Promise.all(page.frames().map((frame) => frame.locator(link).allInnerTexts()));
    const linked = async () => (await links()).flat();
    await expect.poll(linked, { timeout: PAGE_MS }).toEqual(['This process in the console']);
    const [legs = ''] = (await tablesOf(page)).filter((text) => text.includes('pick up point'));
    expect(legs).toContain(outside.uid('circularStock'));
    await picture(page, 'web-ui-running.png');
    await open(page, 'Search Attributes');
    await shows(page, 'LockerPhase', 'Open', 'LockerShipmentUids', outside.uid('intake'), `${FLOW}@1`);

    await outside.does(outside.uid('issue'), 'ItemPickedUp');
    await untilIn('intake', 'ReadyForDropoff');
    await outside.does(outside.uid('intake'), 'ItemDroppedOff');
    expect((await handle.result()).outcome).toBe('Done');
    await page.goto(url);
    await shows(page, 'Completed', '"outcome": "Done"', 'intake: drop off until');
    await picture(page, 'web-ui.png');
    await open(page, 'User Metadata');
    await shows(page, `${FLOW}: ended, Done`);
  },
  PATIENCE_MS,
);

test(
  'the Web UI shows a booking in doubt: that a person must decide, what may be booked, and which way there is',
  async ({ skip }) => {
    if (executablePath === undefined) return skip(noChromium);
    await using stack = new AsyncDisposableStack();
    const outside = new Outside();
    outside.activities.book = async () => {
      throw ApplicationFailure.create({
        type: 'OutcomeUnknown',
        message: 'the answer to the booking was lost',
        nonRetryable: true,
        details: [{ why: 'two shipments may be this one', candidates: ['shipment-7', 'shipment-8'] }],
      });
    };
    const { handle, url } = await installed(stack, 'loan-4712', outside);
    await expect.poll(async () => (await handle.progress()).phase, { timeout: PAGE_MS }).toBe('NeedsPerson');
    const page = await newPage(stack);
    await page.goto(url);
    await shows(page, 'Running', 'loan-4712', FLOW);
    await open(page, 'User Metadata');
    await shows(page, `${FLOW}: needs a person.`, 'two shipments may be this one', 'shipment-7', 'adopt');
    expect(await page.frameLocator('iframe').last().locator('li').allInnerTexts()).toHaveLength(4);
    await picture(page, 'web-ui-in-doubt.png');
    await open(page, 'Search Attributes');
    await shows(page, 'LockerPhase', 'NeedsPerson');
    await handle.resolve({ by: 'ada', why: 'the operator of the wall saw none', action: 'giveUp' });
    await expect(handle.result()).rejects.toThrow();
  },
  PATIENCE_MS,
);
