// A batch that a page has started, in a real browser: it goes on without the page, and another page sees and controls it.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { issueRequest } from '../../../console/console-world.ts';
import { describeInBrowser, PAGE_MS } from '../../../console/in-browser.ts';
import { foundByAxe } from '../../../service/simulated-wall/axe.ts';
import { picture } from '../../../support/chromium.ts';

const PUP = 'pup-console-batches';
const COUNT = 90;

describeInBrowser({ begin: ({ installation }) => installation.people.newPickUpPoint(PUP, 100) }, (at) => {
  const until = async (key: string): Promise<number> => {
    const { bookings } = await at.installation.flows.handle(key).progress();
    return Date.parse(bookings[0]?.deadlines[0]?.until ?? '');
  };
  const progress = (page: Page) => page.getByRole('status').filter({ hasText: `of ${COUNT} done` });

  test('a batch goes on without its page, is seen from the list, paused, resumed and done once for each', async () => {
    const keys = Array.from({ length: COUNT }, (_, number) => `batch-${number}`);
    const deadlines = { issue: { dropOff: 'P1D' } };
    for (const key of keys) {
      const request = { ...issueRequest, pupUid: PUP };
      await at.installation.flows.start('Issue', key, { request, deadlines } as never);
    }
    const list = `/processes?pickUpPoint=${PUP}`;
    const page = await at.opened(list, 'bram');
    await page.getByText(`${COUNT} cases`).waitFor({ timeout: PAGE_MS });
    const before = new Map<string, number>();
    for (const key of keys) before.set(key, await until(key));
    await page.getByRole('button', { name: 'Choose all that are found' }).click();
    await page.getByRole('button', { name: 'Extend…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why').fill('closed on Monday');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByRole('button', { name: `Extend ${COUNT} cases now` }).click();
    await dialog.getByText('it goes on, and the list shows it').waitFor();
    await page.context().close();

    const other = await at.opened(list, 'bram');
    await other.getByRole('link', { name: `Extend the next deadline of ${COUNT} cases` }).click();
    await other.getByRole('button', { name: 'Pause' }).click();
    await progress(other).filter({ hasText: 'Paused' }).waitFor();
    expect(await foundByAxe(other)).toEqual([]);
    await picture(other, 'batch-paused.png');
    await other.getByRole('button', { name: 'Go on' }).click();
    await progress(other)
      .filter({ hasText: `Done: ${COUNT} of ${COUNT} done` })
      .waitFor({ timeout: PAGE_MS });
    await other.locator('tr[data-key="batch-0"]').filter({ hasText: 'Anna Jansen' }).waitFor();
    expect(await other.innerText('main')).toContain('closed on Monday');
    for (const key of keys) expect((await until(key)) - (before.get(key) ?? 0)).toBe(86_400_000);

    const looking = await at.opened('/batches', 'anna');
    await looking.getByText(`Done: ${COUNT} of ${COUNT} done`).waitFor();
    expect(await foundByAxe(looking)).toEqual([]);
    await looking.getByRole('link', { name: 'Extend the next deadline' }).click();
    await progress(looking).waitFor();
    // Who only looks controls nothing.
    expect(await looking.getByRole('button', { name: /Pause|Go on|Stop|failed|Undo/ }).count()).toBe(0);

    await other.getByRole('button', { name: 'Undo…' }).click();
    const asking = other.getByRole('dialog');
    await asking.getByLabel('Why').fill('it is open after all');
    expect(await foundByAxe(other)).toEqual([]);
    await picture(other, 'batch-undo.png');
    await asking.getByRole('button', { name: 'Put them back' }).click();
    await other.getByRole('heading', { name: `Put the end back for ${COUNT} cases` }).waitFor();
    await progress(other)
      .filter({ hasText: `Done: ${COUNT} of ${COUNT} done` })
      .waitFor({ timeout: PAGE_MS });
    expect(await other.innerText('main')).toContain('it is open after all');
    for (const key of keys) expect(await until(key)).toBe(before.get(key));
    await other.getByRole('link', { name: 'What it takes back' }).click();
    await other.getByText('It has been taken back').waitFor();
    expect(await other.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
  });
});
