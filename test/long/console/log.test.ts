// What happened since the shift before, in a real Chromium: two people have acted, and something has failed.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { issueRequest, type Name } from '../../console/console-world.ts';
import { DESK, describeInBrowser, fits, foundNothing, PHONE } from '../../console/in-browser.ts';
import { tabTo } from '../../console/keys.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';

const HOUR_MS = 3_600_000;
const id = randomUUID().slice(0, 8);
const keys = {
  noted: `noted-${id}`,
  cancelled: `cancelled-${id}`,
  failed: `failed-1-${id}`,
  failedToo: `failed-2-${id}`,
};

describeInBrowser(
  {
    begin: async (at) => {
      const { flows, client } = at.installation;
      const act = async (who: Name, key: string, command: string, body: object) => {
        const headers = { cookie: await at.tested.cookieOf(who) };
        const path = `/v1/processes/${encodeURIComponent(key)}/commands/${command}`;
        expect((await at.tested.post(path, body, headers)).status).toBe(200);
      };
      for (const key of [keys.noted, keys.cancelled]) {
        const handle = await flows.start('Issue', key, { request: issueRequest });
        await vi.waitUntil(async () => (await handle.progress()).activity === 'Following', {
          timeout: 60_000,
        });
      }
      for (const key of [keys.failed, keys.failedToo]) {
        await flows.start('Issue', key, { request: { ...issueRequest, pupUid: 'pup-nowhere' } });
        await expect(client.workflow.getHandle(key).result()).rejects.toThrow();
      }
      await act('bram', keys.noted, 'note', { text: 'Key of locker 20 is at reception.' });
      for (const text of hostileTexts.slice(0, 3))
        await act('bram', keys.noted, 'note', { text: text.toWellFormed() });
      await act('olga', keys.cancelled, 'cancel', { why: 'recalled' });
    },
  },
  (at) => {
    const row = (page: Page, key: string) => page.locator('.log-list li', { hasText: key });

    /** Temporal's search is seconds behind. */
    async function opened(path: string, options = {}): Promise<Page> {
      const page = await at.opened(path, 'bram', options);
      await vi.waitUntil(
        async () => {
          await page.locator('[role=status]', { hasText: 'in all.' }).waitFor();
          if ((await row(page, keys.cancelled).count()) > 0) return true;
          await page.reload();
          return false;
        },
        { timeout: 120_000, interval: 500 },
      );
      return page;
    }

    test('it is reached from everywhere, and says who did what and why, what failed, and notes', async () => {
      const page = await opened('/log', DESK);
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      expect(await page.getByRole('link', { name: 'Log', exact: true }).getAttribute('href')).toBe('/log');
      const notes = page.getByRole('region', { name: 'Notes' });
      await notes.getByText('Bram notes: Key of locker 20 is at reception.').waitFor();
      const olga = page
        .getByRole('region', { name: 'What people did' })
        .getByRole('region', { name: 'olga' });
      const cancelled = olga.locator('li', { hasText: keys.cancelled });
      expect(await cancelled.innerText()).toContain('for Anna Jansen');
      expect(await cancelled.innerText()).toContain('Olga cancels it.');
      expect(await cancelled.locator('q').innerText()).toBe('recalled');
      // Alike: one line, and each behind it.
      const failures = page.getByRole('region', { name: 'What failed by itself' });
      const alike = failures.locator('details', { hasText: keys.failed });
      expect(await alike.locator('summary').innerText()).toMatch(/^\d+ × Delivery: The booking failed/);
      await alike.locator('summary').click();
      await alike.locator('li', { hasText: keys.failedToo }).getByRole('link').waitFor();
      await foundNothing(page, 'what happened');
      await fits(page, 1280);
      await cancelled.getByRole('link').click();
      await page.waitForURL(`**/process/${keys.cancelled}`);
    });

    test('it is narrowed to one person, and to another moment, by keyboard', async () => {
      const page = await opened('/log', DESK);
      await tabTo(page.getByRole('link', { name: 'Only olga' }));
      await page.keyboard.press('Enter');
      await page.locator('[role=status]', { hasText: 'by olga' }).waitFor();
      await row(page, keys.noted).first().waitFor({ state: 'detached' });
      await row(page, keys.cancelled).waitFor();
      const tomorrow = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 16);
      await page.getByLabel('A day and a time').fill(tomorrow);
      await page.keyboard.press('Tab');
      await page.getByRole('alert').getByText('is still to come').waitFor();
      await tabTo(page.getByRole('button', { name: 'Today' }));
      await page.keyboard.press('Enter');
      await row(page, keys.cancelled).waitFor();
      await page.goto(`${at.tested.address}/log?since=whenever`);
      await page.getByRole('alert').getByText('Since when?').waitFor();
    });

    test('since the last visit is offered where this browser knows of one', async () => {
      const page = await opened('/log', PHONE);
      const button = page.getByRole('button', { name: 'My last visit' });
      expect(await button.count()).toBe(0);
      await fits(page, 390);
      const last = Date.now() - 9 * HOUR_MS;
      const stored = (visits: object) =>
        page.evaluate(`localStorage.setItem('lockerflow-visits bram', '${JSON.stringify(visits)}')`);
      await stored({ last });
      await page.goto(`${at.tested.address}/log`);
      await page.reload();
      await row(page, keys.cancelled).waitFor();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      const since = page.locator('p[role=status] time');
      expect(Date.parse((await since.getAttribute('datetime')) ?? '')).toBe(last);
      // A break is no shift: what was the last visit stays it.
      const before = Date.now() - 12 * HOUR_MS;
      await stored({ last: Date.now() - HOUR_MS, before });
      await page.reload();
      await row(page, keys.cancelled).waitFor();
      expect(Date.parse((await since.getAttribute('datetime')) ?? '')).toBe(before);
      await foundNothing(page, 'what happened on a phone');
    });
  },
);
