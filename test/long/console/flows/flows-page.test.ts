// The flows in a real browser: their numbers lead to the processes that they count, on every size of
// screen. Its picture is in the docs.
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import {
  DESK,
  describeInBrowser,
  fits,
  foundNothing,
  type InBrowser,
  PAGE_MS,
  PHONE,
  says,
} from '../../../console/in-browser.ts';
import { tabTo } from '../../../console/keys.ts';

// It is in a picture of the docs. No other test has a flow of this name, on a server that all share.
const FLOW = 'KeptParcel';

const shelfFile = (name: string, meaning: string) => `name: ${name}
meaning: ${meaning}
events: { called: { description: Somebody has called., data: { type: object, properties: { by: { type: string } }, required: [by] } } }
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

/** Begins a process for each letter, as `<prefix>-<letter>`, and tells it its events. */
async function beginEach(
  { flows }: InBrowser['installation'],
  [flow, prefix]: readonly [flow: string, prefix: string],
  events: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [letter, types] of Object.entries(events)) {
    const key = `${prefix}-${letter}`;
    await flows.startPublished(flow, key, {});
    for (const type of types)
      await flows.fileHandle(key).sendEvent({ type, id: `${letter}-${type}`, data: { by: 'desk' } });
  }
}

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

async function begin({ installation }: InBrowser): Promise<void> {
  const { flows, client } = installation;
  await flows.publish([
    { path: 'kept.flow.yaml', text: shelfFile(FLOW, 'Keeps a parcel on a shelf until somebody fetches it.') },
  ]);
  await beginEach(installation, [FLOW, 'kept'], events);
  await client.workflow.getHandle('kept-i').terminate();
}

describeInBrowser({ begin }, (at) => {
  const cardOf = (page: Page) => page.locator(`tr[data-flow="${FLOW}"]`);
  const rowsOf = (page: Page) =>
    page.locator('tr[data-key]').evaluateAll((all) => all.map((row) => row.getAttribute('data-key')).sort());

  test('a number of a flow leads to as many processes, by keyboard alone', async () => {
    const page = await at.opened('/flows', 'bram', DESK);
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));
    const card = cardOf(page);
    await card.getByRole('link', { name: 'Open: 7' }).waitFor();
    await foundNothing(page, 'flows');

    await tabTo(card.getByRole('link', { name: 'Failed in 7 days: 1' }));
    await page.keyboard.press('Enter');
    await expect.poll(() => rowsOf(page), { timeout: PAGE_MS }).toEqual(['kept-i']);
    await page.goBack();

    await tabTo(card.getByRole('link', { name: 'Kept parcel' }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Kept parcel' }).waitFor();
    await page.getByRole('link', { name: 'Open: 7' }).waitFor();
    await foundNothing(page, 'flow');
    expect(wrong).toEqual([]);
  });

  test('another one can be started there; the chart is there on request', async () => {
    const page = await at.opened(`/flows/${FLOW}`, 'bram', DESK);
    const start = page.getByRole('link', { name: 'Start a case' });
    await page.getByText('Takes called. Somebody has called: by (string)').waitFor();
    expect(await start.getAttribute('href')).toBe(`/desk/start/${FLOW}`);
    expect(await page.getByRole('img').count()).toBe(0);
    await page.getByText('Show the machine').click();
    const chart = page.getByRole('img', { name: 'The chart of Kept parcel.' });
    const width = () =>
      chart.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBeGreaterThan(100);
    await foundNothing(page, 'flow-machine');
  });

  test('the open processes of each version are counted', async () => {
    const { flows } = at.installation;
    const name = 'PublishedTwice';
    const publish = (meaning: string) =>
      flows.publish([{ path: 'twice.flow.yaml', text: shelfFile(name, meaning) }]);
    await publish('Keeps a parcel.');
    await beginEach(at.installation, [name, 'twice'], { a: [], b: [] });
    // A process has the version that is the newest when a worker begins it.
    for (const key of ['twice-a', 'twice-b'])
      await vi.waitUntil(async () => (await flows.fileHandle(key).progress()).version === 1, {
        timeout: PAGE_MS,
      });
    await publish('Keeps a parcel on another shelf.');
    const page = await at.opened(`/flows/${name}`, 'bram', DESK);
    await says(page, 'tr[data-version="1"]', /2$/);
    await says(page, 'tr[data-version="2"]', /newest\s+–$/);
  });

  test('on a phone nothing is clipped', async () => {
    for (const [path, ready] of [
      ['/flows', `tr[data-flow="${FLOW}"]`],
      [`/flows/${FLOW}`, 'tr[data-flow]'],
    ] as const) {
      const page = await at.opened(path, 'bram', PHONE);
      await page.locator(ready).waitFor();
      await fits(page, 390);
      await foundNothing(page, `${path.slice(1)} phone`);
      // In the page, whose types the tests do not have.
      const clipped = await page.evaluate(`[...document.querySelectorAll('main *')]
          .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
          .filter((each) => getComputedStyle(each).overflowX === 'hidden')
          .map((each) => each.className)`);
      expect(clipped).toEqual([]);
    }
  });
});
