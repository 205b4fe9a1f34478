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

/** Milliseconds from an instant until all rows say where their processes stand: those that one sees, and all of the page. */
async function untilFilled(page: Page, from: number) {
  const shownTimes = (which: string) =>
    page.waitForFunction(`document.querySelector('tbody tr') !== null
      && [...document.querySelectorAll('tbody tr')]${which}.every((row) => row.textContent.includes('to be dropped off'))`);
  await shownTimes('.filter((row) => row.getBoundingClientRect().top < innerHeight)');
  const visible = performance.now() - from;
  await shownTimes('');
  return { visible, every: performance.now() - from };
}

/** Until the rows of another page are there. */
async function toOtherRows(page: Page, go: () => Promise<unknown>) {
  const [first = ''] = await keysOf(page);
  await go();
  await page.locator(`tr[data-key="${first}"]`).waitFor({ state: 'detached' });
  await page.locator('tbody tr').first().waitFor();
}

/** From the click on the link to the rows of the next page, and until they say where their processes stand. */
async function throughAllPages(page: Page) {
  const seen = new Set(await keysOf(page));
  const shown: number[] = [];
  const shownTimes: Awaited<ReturnType<typeof untilFilled>>[] = [];
  while ((await page.getByRole('link', { name: 'Next page' }).count()) > 0) {
    const clicked = performance.now();
    await toOtherRows(page, () => page.getByRole('link', { name: 'Next page' }).click());
    shown.push(performance.now() - clicked);
    const keys = await keysOf(page);
    shownTimes.push(await untilFilled(page, clicked));
    for (const key of keys) seen.add(key);
  }
  if (seen.size !== PROCESSES)
    throw new Error(`the pages together show ${seen.size} processes, not ${PROCESSES}`);
  return { shown, shownTimes };
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

const p95Of = (values: readonly number[]) =>
  values.length > 0 ? Math.round(percentile([...values], 0.95)) : '';

await using installation = await startConsoleInstallation(PROCESSES);
const { page, firstView, opened } = await installation.openList();
const first = await untilFilled(page, opened);
const frames = await framesOfScrolling(page);
const { shown, shownTimes } = await throughAllPages(page);
const back = await timed(async () => {
  await toOtherRows(page, () => page.goBack());
  await untilFilled(page, performance.now());
});
const button = (name: string) => page.getByRole('button', { name });
const choosing = await timed(async () => {
  await button('Choose all that are found').click();
  await page.getByText(`${PROCESSES} chosen`).waitFor();
});
await button('Cancel…').click();
await page.getByLabel('Why').fill('the season is over');
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
    'visible rows filled, first page ms': Math.round(first.visible),
    'visible rows filled, next pages p95 ms': p95Of(shownTimes.map(({ visible }) => visible)),
    'every row filled, first page ms': Math.round(first.every),
    'every row filled, next pages p95 ms': p95Of(shownTimes.map(({ every }) => every)),
    'back to the page before, every row filled ms': back,
    'frame while scrolling p95 ms': Math.round(percentile(frames, 0.95)),
    'all chosen ms': choosing,
    'dry run ms': dryRun,
  },
]);
