// A booking whose answer was lost, on its page in a real Chromium: the console asks the locker service whether it was made, and what
// it found is one click away. The worker cannot ask, so each doubt stays one until a person decides.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { issueRequest } from '../../../console/console-world.ts';
import { DESK, describeInBrowser, fits, foundNothing, says } from '../../../console/in-browser.ts';
import { type Loss, type LossyWay, lossyWay } from '../../../end-to-end/lossy-way.ts';
import { sandboxAs } from '../../../support/sandbox.ts';

const vendor = {
  name: 'a service that the worker cannot ask',
  switches: { idempotencyKey: false },
  settings: { LOCKER_CAPABILITIES: '' },
};
let way: LossyWay;
const installed = { through: async (address: string) => (way = await lossyWay(address)) };
const patience = { timeout: 60_000, interval: 100 };

describeInBrowser({ vendor, installed }, (at) => {
  async function inDoubt(loss: Loss): Promise<string> {
    const key = `order-${randomUUID().slice(0, 8)}`;
    way.lose(key, loss);
    const handle = await at.installation.flows.start('Issue', key, { request: issueRequest });
    await vi.waitUntil(async () => (await handle.progress()).activity === 'NeedsPerson', patience);
    return key;
  }
  const bookedFor = async (referenceCaseNo: string) => {
    const request = { pageNo: 1, pageSize: 10, referenceCaseNo };
    const { items } = await at.installation.people.call('GetShipments', request);
    return items as { shipmentUid: string; lockerName: string }[];
  };
  const progressOf = (key: string) => at.installation.flows.handle<'Issue'>(key).progress();

  test('what was booked is found by the number of the case, and chosen with one click', async () => {
    const key = await inDoubt('after');
    const [booked] = await bookedFor(key);
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await says(page, '.banner', /Checked[\s\S]*one booking with the number of this case/);
    await says(page, '.banner', `Locker ${booked?.lockerName}`);
    expect(await page.getByRole('button', { name: 'Move to another locker…' }).count()).toBe(0);
    expect(await page.locator('.banner').getByRole('button').allInnerTexts()).toEqual([
      'It was booked: choose it',
    ]);
    await foundNothing(page, 'a booking in doubt');
    await fits(page, 1280);
    // To book again is still there, and says what it would do.
    await page.locator('summary', { hasText: 'More' }).click();
    await page.getByRole('button', { name: 'Book again' }).click();
    await page.getByRole('dialog').getByText('books one more').waitFor();
    await page.getByRole('button', { name: 'Do nothing' }).click();
    await page.getByRole('button', { name: 'It was booked: choose it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`locker ${booked?.lockerName}`).waitFor();
    await dialog.getByRole('button', { name: 'It was booked: choose it' }).click();
    await vi.waitUntil(async () => (await progressOf(key)).activity === 'Following', patience);
    expect((await progressOf(key)).shipments.issue?.shipmentUid).toBe(booked?.shipmentUid);
    await says(page, '.banner', /^\s*What to do\s+Put the item into locker/);
    expect(await bookedFor(key)).toHaveLength(1);
  });

  test('where none is found it is booked again, once', async () => {
    const key = await inDoubt('before');
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await says(
      page,
      '.banner',
      /no booking with the number of this case[\s\S]*Nothing was booked: book again/,
    );
    await page.locator('.banner').getByRole('button', { name: 'Book again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('so this books once').waitFor();
    await dialog.getByLabel('Why').fill('the service has none');
    await dialog.getByRole('button', { name: 'Book again' }).click();
    await vi.waitUntil(async () => (await progressOf(key)).shipments.issue, patience);
    expect(await bookedFor(key)).toHaveLength(1);
  });

  test('a service that cannot be asked is said, and nothing is booked again by the first button', async () => {
    const key = await inDoubt('before');
    const sandbox = await sandboxAs(at.installation.service.address);
    await sandbox('POST', 'switches', { getShipments: false });
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await says(page, '.banner', /could not say whether it was booked[\s\S]*does not list its shipments/);
    expect(await page.locator('.banner').getByRole('button', { name: 'Book again' }).count()).toBe(0);
    await sandbox('POST', 'switches', { getShipments: true });
    await says(page, '.banner', 'Nothing was booked: book again');
  });
});
