// Work over a day: many of one cause are helped at once, an entry is put off, and a round is made; by keyboard, too.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { issueRequest } from '../../console/console-world.ts';
import { DESK, describeInBrowser, foundNothing, PAGE_MS } from '../../console/in-browser.ts';
import { picture } from '../../support/chromium.ts';

const FULL = 'pup-work-full';
const PUP = 'pup-work-day';
const PATIENCE = { timeout: PAGE_MS, interval: 200 };

describeInBrowser(
  {
    async begin({ installation: { people } }) {
      await people.newPickUpPoint(FULL, 1);
      await people.newPickUpPoint(PUP, 12);
    },
  },
  (at) => {
    const start = (key: string, pupUid: string, more: object = {}) =>
      at.installation.flows.start('Issue', key, { request: { ...issueRequest, pupUid }, ...more } as never);

    test('three starts that failed because a wall is full are one entry, and are started again elsewhere at once', async () => {
      const first = await start('work-has-it', FULL);
      await vi.waitUntil(async () => (await first.progress()).shipments.issue, PATIENCE);
      const keys = ['work-full-1', 'work-full-2', 'work-full-3'];
      for (const key of keys) await (await start(key, FULL)).result().catch(() => undefined);
      const page = await at.opened('/inbox', 'bram', DESK);
      const entry = page.locator('.work-list a').filter({ hasText: /^3 starts failed at / });
      await entry.waitFor({ timeout: PAGE_MS });
      await entry.click();
      const chosen = page.getByRole('region', { name: 'The chosen entry' });
      for (const key of keys)
        await chosen
          .getByRole('listitem')
          .filter({ hasText: key })
          .getByRole('link', { name: 'for Anna Jansen' })
          .waitFor();
      await foundNothing(page, 'Work with a group');
      await picture(page, 'console-work-group.png');
      await chosen.getByRole('button', { name: 'Start again all 3…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Pick up point').selectOption(PUP);
      await dialog.getByLabel('Why').fill('the wall is full');
      await dialog.getByRole('button', { name: 'Show what would happen' }).click();
      await dialog.getByRole('button', { name: 'Start again 3 cases now' }).click();
      await dialog.getByText('3 of 3 done').waitFor({ timeout: PAGE_MS });
      await page.keyboard.press('Escape');
      await entry.waitFor({ state: 'detached', timeout: PAGE_MS });
    });

    test('by j, k and Enter one comes to the case; what is snoozed stands at the end, and comes back', async () => {
      for (const key of ['work-late-1', 'work-late-2']) {
        const late = { deadlines: { issue: { dropOff: 'PT1S' } }, onOverdue: 'wait' };
        const handle = await start(key, PUP, late);
        await vi.waitUntil(async () => (await handle.progress()).overdue.length > 0, PATIENCE);
      }
      const page = await at.opened('/inbox', 'bram', DESK);
      const { keyboard } = page;
      const chosenLink = page.locator('.work-list a[aria-current]');
      const late = page.locator('.work-list a[data-entry="late:work-late-1"]');
      await late.waitFor({ timeout: PAGE_MS });
      expect(await late.innerText()).toContain('for Anna Jansen');
      // From wherever it is: down to it.
      for (
        let steps = 0;
        steps < 20 && (await chosenLink.getAttribute('data-entry')) !== 'late:work-late-1';
        steps++
      )
        await keyboard.press('j');
      expect(await chosenLink.getAttribute('data-entry')).toBe('late:work-late-1');
      const chosen = page.getByRole('region', { name: 'The chosen entry' });
      await chosen.getByText('Snooze').click();
      await chosen.getByRole('button', { name: 'For an hour' }).click();
      const snoozed = page.getByRole('region', { name: 'Snoozed' });
      await snoozed.locator('a[data-entry="late:work-late-1"]').waitFor({ timeout: PAGE_MS });
      await snoozed.locator('a').click();
      await chosen.getByText('Snoozed by bram').waitFor();
      await foundNothing(page, 'a snoozed entry');
      await chosen.getByRole('button', { name: 'Wake it now' }).click();
      await snoozed.waitFor({ state: 'detached', timeout: PAGE_MS });
      await late.focus();
      await keyboard.press('Enter');
      await keyboard.press('Enter');
      await vi.waitUntil(() => page.url().endsWith('/process/work-late-1'), PATIENCE);
    });

    test('a round has what was brought until somebody says that it was taken out; to open its door counts as nothing', async () => {
      const { toUserUid: fromUserUid, ...place } = issueRequest;
      const details = { description: 'Camera 3' };
      const handle = await at.installation.flows.start('Intake', `work-brought-${randomUUID().slice(0, 8)}`, {
        request: { ...place, pupUid: PUP, fromUserUid, details },
      });
      const shipment = await vi.waitUntil(async () => (await handle.progress()).shipments.intake, PATIENCE);
      await at.installation.people.dropOff(shipment.shipmentUid);
      const page = await at.opened(`/walls/${PUP}/round`, 'bram', DESK);
      const stop = page.getByRole('listitem').filter({ hasText: 'Camera 3' });
      await stop.getByText('Take out what was brought').waitFor({ timeout: PAGE_MS });
      await stop.getByText('from Anna Jansen').waitFor();
      await stop.getByRole('button', { name: 'Open the door' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel('Why').inputValue()).toBe('On a round: Take out what was brought');
      await dialog.getByRole('button', { name: 'Open the door' }).click();
      await stop.getByText('The door is open.').waitFor({ timeout: PAGE_MS });
      await stop.getByText('Take out what was brought').waitFor();
      await stop.getByRole('button', { name: 'It was taken out…' }).click();
      await dialog.getByRole('button', { name: 'It was taken out' }).click();
      await stop.waitFor({ state: 'detached', timeout: PAGE_MS });
      await handle.result();
    });

    test('a round shows what is to be fetched at a wall, and ends with nothing to fetch', async () => {
      const details = { description: 'Laptop 7' };
      const handle = await start('work-left', PUP, {
        request: { ...issueRequest, pupUid: PUP, details },
      });
      const shipment = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, PATIENCE);
      await at.installation.people.dropOff(shipment.shipmentUid);
      await handle.cancel();
      await handle.result().catch(() => undefined);
      const page = await at.opened(`/walls/${PUP}/round`, 'bram', DESK);
      const stop = page.getByRole('listitem').filter({ hasText: 'Fetch what was left in it' });
      await stop.waitFor({ timeout: PAGE_MS });
      await stop.getByText('Laptop 7').waitFor();
      expect(await stop.innerText()).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
      await foundNothing(page, 'a round');
      const dialog = page.getByRole('dialog');
      await stop.getByRole('button', { name: 'Open the door' }).click();
      await dialog.getByRole('button', { name: 'Open the door' }).click();
      await stop.getByText('was opened to look inside').waitFor();
      await stop.getByRole('button', { name: 'It was taken out…' }).click();
      await dialog.getByRole('button', { name: 'It was taken out' }).click();
      await page.getByText('Nothing is to be fetched here').waitFor({ timeout: PAGE_MS });
    });
  },
);
