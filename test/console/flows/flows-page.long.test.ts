// The flows in a real browser: their numbers lead to the processes that they count, in the reader's language, on every size of
// screen. Its picture is in the docs.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Installation, ourService, startInstallation } from '../../end-to-end/installation.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../../support/chromium.ts';
import { foundByAxe } from '../../wall/axe.ts';
import { newConsoleOf, type TestConsole } from '../console-world.ts';
import { tabTo } from '../keys.ts';
import { foundWithChart } from '../process/axe-with-chart.ts';

const executablePath = chromiumPath();
const PATIENCE_MS = 300_000;
const PAGE_MS = 60_000;
const PHONE = { viewport: { width: 390, height: 844 } };
const DESK = { viewport: { width: 1280, height: 900 } };

// It is in a picture of the docs. No other test has a flow of this name, on a server that all share.
const FLOW = 'KeptParcel';
const file = `name: ${FLOW}
meaning: Keeps a parcel on a shelf until somebody fetches it.
initial: kept
states:
  kept: { on: { called: calling, lost: missing, fetched: over } }
  calling:
    title: Its receiver is called
    initial: ringing
    states:
      ringing: { on: { spoken: promised } }
      promised: {}
    on: { fetched: over }
  missing: { on: { fetched: over } }
  over: { type: final }
`;

/** By the last letter of the key, what happens to the process. */
const events: Readonly<Record<string, readonly string[]>> = {
  a: [],
  b: [],
  c: [],
  d: ['called'],
  e: ['called', 'spoken'],
  f: ['called', 'spoken'],
  g: ['lost'],
  h: ['fetched'],
  i: [],
};

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let tested: TestConsole;
  let browser: Browser;

  beforeAll(async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
    const installation = stack.use(await startInstallation(ourService));
    tested = stack.use(await newConsoleOf(installation));
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
    await begin(installation);
  }, PATIENCE_MS);
  afterAll(async () => {
    await stack.disposeAsync();
    vi.unstubAllEnvs();
  });

  async function begin({ flows, client }: Installation): Promise<void> {
    await flows.publish([{ path: 'kept.flow.yaml', text: file }]);
    for (const [letter, types] of Object.entries(events)) {
      const key = `kept-${letter}`;
      await flows.startPublished(FLOW, key, {});
      for (const type of types) await flows.fileHandle(key).tell({ type, id: `${letter}-${type}` });
    }
    await client.workflow.getHandle('kept-i').terminate();
    const request = {
      ...{ pupUid: 'pup-central', toUserUid: 'user-anna', dimension: { width: 10, height: 10, length: 10 } },
      ...{ allowLargerLockers: true, allowOverflowLockers: false },
    };
    await flows.start('Issue', 'kept-issue', { request });
  }

  const cardOf = (page: Page) => page.locator(`li[data-flow="${FLOW}"]`);
  const rowsOf = (page: Page) =>
    page.locator('tr[data-key]').evaluateAll((all) => all.map((row) => row.getAttribute('data-key')).sort());

  async function foundNothing(page: Page, what: string, found = foundByAxe): Promise<void> {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await found(page), `${what}, ${scheme}`).toEqual([]);
      await picture(page, `console-${what}-${scheme}.png`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  test(
    'a number of a flow, and of a stage, leads to as many processes, by keyboard alone',
    async () => {
      const page = await tested.pageOf(browser, 'bram', '/flows', DESK);
      const wrong: string[] = [];
      page.on('pageerror', ({ message }) => wrong.push(message));
      const card = cardOf(page);
      await card.getByRole('link', { name: 'Open: 7' }).waitFor();
      await card.getByText('Usually takes').waitFor();
      await card.getByText('9 started in 14 days').waitFor();
      await foundNothing(page, 'flows');

      await tabTo(card.getByRole('link', { name: 'Failed in 7 days: 1' }));
      await page.keyboard.press('Enter');
      await expect.poll(() => rowsOf(page), { timeout: PAGE_MS }).toEqual(['kept-i']);
      await page.goBack();

      await tabTo(card.getByRole('link', { name: 'Kept parcel' }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Kept parcel' }).waitFor();
      const stage = (path: string) => page.locator(`li[data-stage="${path}"]`);
      await expect
        .poll(() => stage('calling').innerText({ timeout: PAGE_MS }), { timeout: PAGE_MS })
        .toMatch(/Its receiver is called\s+3/);
      expect(await stage('kept').innerText()).toMatch(/Kept\s+3/);
      const widths = await page
        .locator('.funnel-bar > span')
        .evaluateAll((all) => all.map((bar) => Math.round(bar.getBoundingClientRect().width)));
      const [kept = 0, calling, missing = 0] = widths;
      expect([kept > 0, calling, Math.round(kept / missing)]).toEqual([true, kept, 3]);
      await foundNothing(page, 'flow');

      await tabTo(stage('calling.promised').getByRole('link'));
      await page.keyboard.press('Enter');
      await expect.poll(() => rowsOf(page), { timeout: PAGE_MS }).toEqual(['kept-e', 'kept-f']);
      await page.getByText('2 processes').waitFor();
      await page.locator('.chips', { hasText: 'Its receiver is called: Promised' }).waitFor();
      // The stage is of the flow: without the one there is none of the other.
      await page.getByRole('button', { name: 'Without: Kept parcel' }).click();
      await expect.poll(() => rowsOf(page), { timeout: PAGE_MS }).toContain('kept-issue');
      expect(new URL(page.url()).search).toBe('');
      expect(wrong).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'another one can be started there; the chart and what only technicians read are there on request',
    async () => {
      const page = await tested.pageOf(browser, 'bram', `/flows/${FLOW}`, DESK);
      const start = page.getByRole('link', { name: 'Start a process' });
      expect(await start.getAttribute('href')).toBe(`/desk/start/${FLOW}`);
      await page.getByText('Technical facts').click();
      await page.locator('.facts code', { hasText: FLOW }).waitFor();
      expect(await page.locator('svg.chart, [data-path]').count()).toBe(0);
      await page.getByText('Show the machine').click();
      await page.locator('[data-path="kept"].active').waitFor();
      await foundNothing(page, 'flow-machine', foundWithChart);
    },
    PATIENCE_MS,
  );

  test(
    'on a phone nothing is clipped',
    async () => {
      for (const [path, ready] of [
        ['/flows', `li[data-flow="${FLOW}"]`],
        [`/flows/${FLOW}`, 'li[data-stage="kept"]'],
      ] as const) {
        const page = await tested.pageOf(browser, 'bram', path, PHONE);
        await page.locator(ready).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
        await foundNothing(page, `${path.slice(1).replaceAll('/', '-')}-phone`);
        const tops = await page
          .locator('.funnel-row')
          .evaluateAll((all) =>
            all.map((row) => row.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })),
          );
        for (const [index, { bottom }] of tops.entries())
          expect(tops[index + 1]?.top ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(bottom);
        // In the page, whose types the tests do not have.
        const clipped = await page.evaluate(`[...document.querySelectorAll('main *')]
          .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
          .filter((each) => getComputedStyle(each).overflowX === 'hidden')
          .map((each) => each.className)`);
        expect(clipped).toEqual([]);
      }
    },
    PATIENCE_MS,
  );
});
