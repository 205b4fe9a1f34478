// The list of thousands of real open processes, as a person uses it: from page to page by its links, scrolled while it is
// live, all chosen, and a dry run of what would become of each. `npm run bench -- console-list --processes 5000`.
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { percentile, printTable } from '../table.ts';
import { ROWS_ON_A_PAGE, startConsoleInstallation } from './console-installation.ts';

const { values } = parseArgs({ options: { processes: { type: 'string', default: '3000' } } });
const PROCESSES = Number(values.processes);
const STEP_PX = 240;

const keysOf = (page: Page) =>
  page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key') ?? ''));

/** From the click on the link to the rows of the next page, and to the last row that says where its process stands. */
async function throughAllPages(page: Page) {
  const seen = new Set(await keysOf(page));
  const shown: number[] = [];
  const told: number[] = [];
  while ((await page.getByRole('link', { name: 'Next page' }).count()) > 0) {
    const [first = ''] = await keysOf(page);
    const clicked = performance.now();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.locator(`tr[data-key="${first}"]`).waitFor({ state: 'detached' });
    await page.locator('tbody tr').first().waitFor();
    shown.push(performance.now() - clicked);
    const keys = await keysOf(page);
    await page
      .locator('tbody tr', { hasText: 'ReadyForDropoff' })
      .nth(keys.length - 1)
      .waitFor();
    told.push(performance.now() - clicked);
    for (const key of keys) seen.add(key);
  }
  if (seen.size !== PROCESSES)
    throw new Error(`the pages together show ${seen.size} processes, not ${PROCESSES}`);
  return { shown, told };
}

/** The time between frames while the whole page is scrolled, in ms. */
const framesOfScrolling = (page: Page) =>
  page.evaluate<number[]>(`new Promise((resolve) => {
    const frames = [];
    let before = performance.now();
    const frame = (now) => {
      frames.push(now - before);
      before = now;
      const { scrollTop } = document.scrollingElement;
      scrollBy(0, ${STEP_PX});
      if (document.scrollingElement.scrollTop === scrollTop) resolve(frames.slice(1));
      else requestAnimationFrame(frame);
    };
    scrollTo(0, 0);
    requestAnimationFrame(frame);
  })`);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return Math.round(performance.now() - before);
}

await using installation = await startConsoleInstallation(PROCESSES);
const { page, firstView } = await installation.openList();
const frames = await framesOfScrolling(page);
const { shown, told } = await throughAllPages(page);
const button = (name: string) => page.getByRole('button', { name });
const choosing = await timed(async () => {
  await button('Choose all that are found').click();
  await page.getByText(`${PROCESSES} chosen`).waitFor();
});
await button('Cancel…').click();
const dryRun = await timed(async () => {
  await button('Show what would happen').click();
  await page
    .getByRole('dialog')
    .locator('tbody tr')
    .nth(ROWS_ON_A_PAGE - 1)
    .waitFor();
});
const [p50, p95] = [0.5, 0.95].map((share) => Math.round(percentile(shown, share)));
printTable([
  {
    'open processes': PROCESSES,
    pages: shown.length + 1,
    'first view ms': Math.round(firstView),
    'next page p50 ms': p50 ?? '',
    'next page p95 ms': p95 ?? '',
    'every row told, p95 ms': Math.round(percentile(told, 0.95)),
    'frame while scrolling p95 ms': Math.round(percentile(frames, 0.95)),
    'all chosen ms': choosing,
    'dry run ms': dryRun,
  },
]);
