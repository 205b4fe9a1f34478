// The inbox, the walls and the desk in a real Chromium, on everything real: a service, its callbacks, Temporal, a worker whose
// bookings can lose their answers.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueRequest } from '../../console/console-world.ts';
import { describeInBrowser, fits, foundNothing } from '../../console/in-browser.ts';
import { tabTo } from '../../console/keys.ts';
import { type LossyWay, lossyWay } from '../../end-to-end/lossy-way.ts';
import { foundByAxe } from '../../service/simulated-wall/axe.ts';
import { picture } from '../../support/chromium.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { TestWall } from '../../support/walls/test-wall.ts';

// Typed by people, and shown to others.
const SCRIPT = '<img src=x onerror="document.title=`taken`">';

// The worker has neither keys nor a listing: a lost answer stays unknown, and a person decides. The console can ask.
const vendor = {
  name: 'a service that cannot be asked',
  switches: { idempotencyKey: false },
  settings: { LOCKER_CAPABILITIES: '' },
};
let way: LossyWay;
const installed = { through: async (address: string) => (way = await lossyWay(address)) };

describeInBrowser({ vendor, installed }, (at) => {
  /** As for people: by the policy of the page. */
  const opened = (path: string, options = {}) =>
    at.opened(path, 'bram', { bypassCSP: false, locale: 'en-GB', ...options });

  /** A booking whose answer is lost after the service has made it. */
  async function lostBooking(): Promise<string> {
    const key = `order-${randomUUID()}`;
    way.lose(key, 'after');
    await at.installation.flows.start('Issue', key, { request: issueRequest });
    return key;
  }

  const shipmentOf = async (referenceCaseNo: string): Promise<string> => {
    const { items } = await at.installation.people.call('GetShipments', {
      pageNo: 1,
      pageSize: 1,
      referenceCaseNo,
    });
    return (items as { shipmentUid: string }[])[0]?.shipmentUid ?? '';
  };

  test.each([1_280, 360])(
    'a wall of 60 lockers wraps, so that all of them fit at %s pixels',
    async (width) => {
      const pupUid = `pup-wide-${width}`;
      await at.installation.people.newPickUpPoint(pupUid, 60);
      const page = await opened(`/walls/${pupUid}`, {
        viewport: { width, height: 720 },
        bypassCSP: true,
      });
      const tiles = page.locator('button.tile');
      await tiles.nth(59).waitFor({ timeout: 300_000 });
      const places = await tiles.evaluateAll((all) =>
        all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
      );
      for (const { left, right } of places) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(width);
      }
      await fits(page, width);
      await picture(page, `console-wall-${width}.png`);
      expect(await foundByAxe(page)).toEqual([]);
    },
  );

  test('a person decides a booking whose answer was lost, by keyboard alone', async () => {
    const key = await lostBooking();
    const page = await opened('/processes');
    await page.getByRole('heading', { name: 'Cases' }).waitFor();
    await tabTo(page.getByRole('link', { name: 'Work' }));
    await page.keyboard.press('Enter');
    const link = page.locator(`.inbox a[data-entry="decision:${key}"]`);
    const entry = page.locator('section.entry', { hasText: key });
    await link.waitFor({ timeout: 300_000 });
    await tabTo(link);
    // What is first is open at once: there Enter would lead on to its case.
    if ((await link.getAttribute('aria-current')) === null) await page.keyboard.press('Enter');
    expect(await entry.innerText()).toMatch(
      /was it booked\?[\s\S]*If nobody does anything[\s\S]*locker stays taken/,
    );
    await tabTo(entry.getByRole('button', { name: 'It was booked: choose it' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'It was booked: choose it' }).waitFor();
    await picture(page, 'console-inbox.png');
    // The first field has the focus. Without a reason it is refused, and the focus is at the field that lacks.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('This needs a reason').waitFor();
    await page.keyboard.type(SCRIPT);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`${key}: it goes on with what was booked`).waitFor();
    await link.waitFor({ state: 'detached', timeout: 120_000 });
    const { resolutions, shipments } = await at.installation.flows.handle<'Issue'>(key).progress();
    expect(resolutions).toMatchObject([{ action: 'adopt', by: 'bram', why: SCRIPT }]);
    expect(shipments.issue?.shipmentUid).toBe(await shipmentOf(key));
  });

  test('processes in doubt are tried again together, after a look at what would follow', async () => {
    const keys = [await lostBooking(), await lostBooking()];
    const page = await opened('/processes?phase=NeedsPerson');
    for (const key of keys) await page.getByLabel(`Choose ${key}`).check({ timeout: 300_000 });
    await page.getByRole('button', { name: 'Try again…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Try again for 2 cases' });
    await dialog.getByLabel('Why').fill('the service answers again');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('Nothing is changed yet.').waitFor();
    for (const key of keys)
      expect(await dialog.locator(`tr[data-key="${key}"]`).innerText()).toContain('books again');
    await dialog.getByRole('button', { name: 'Try again for 2 cases now' }).click();
    await dialog.getByText('2 of 2 done').waitFor();
    for (const key of keys)
      expect(await at.installation.flows.handle<'Issue'>(key).progress()).toMatchObject({
        resolutions: [{ action: 'retry', by: 'bram', why: 'the service answers again' }],
      });
  });

  test('a person without the role decide sees why, and cannot decide', async () => {
    const key = await lostBooking();
    const page = await at.opened('/inbox', 'anna');
    await page.locator('.inbox a', { hasText: key }).click({ timeout: 300_000 });
    const entry = page.locator('section.entry', { hasText: key });
    expect(await entry.getByRole('button', { name: 'Book again' }).isDisabled()).toBe(true);
    await page.goto(`${at.tested.address}/desk`);
    await page.getByText('needs the role decide').waitFor();
    await at.installation.flows
      .handle<'Issue'>(key)
      .resolve({ action: 'giveUp', by: 'bram', why: 'the test is over' });
  });

  test('a wall shows a stuck door, and that a code opens it once it is mended; its locker is looked after by keyboard alone', async () => {
    const { people, service } = at.installation;
    const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', issueRequest);
    const [shipmentUid = ''] = shipmentUids as readonly string[];
    const { items } = await people.call('GetShipments', { pageNo: 1, pageSize: 1, shipmentUid });
    const { lockerName } = (items as { lockerName: string }[])[0] ?? { lockerName: '' };
    const lockerUid = `pup-central-${lockerName}`;
    const sandbox = await sandboxAs(service.address);
    await sandbox('POST', 'faults', { lockerUid, fault: 'stuck' });
    const { deliveryCode } = await people.call('GetShipmentAccessCode', { shipmentUid });
    const page = await opened('/walls/pup-central');
    const tile = page.locator(`[data-locker="${lockerName}"]`);
    await expect.poll(() => tile.innerText()).toContain('door stayed shut');
    await tabTo(tile);
    await page.keyboard.press('Enter');
    await page.getByText('the door is stuck').waitFor();
    // Whom it is for, and no word of a program.
    await page.getByText(/^For Anna/).waitFor({ timeout: 30_000 });
    const panel = page.getByRole('region', { name: 'The chosen locker' });
    expect(await panel.innerText()).not.toMatch(/ReadyForDropoff|user-anna|[\da-f]{8}-[\da-f]{4}-/);
    await panel.getByText('Technical').click();
    await panel.getByText(shipmentUid).waitFor();
    expect(new URL(page.url()).searchParams.get('locker')).toBe(lockerUid);
    await picture(page, 'console-wall.png');
    await sandbox('POST', 'faults', { lockerUid, fault: null });
    const credentials = await newWall(service.url, 'demo', 'pup-central');
    const wall = await TestWall.connected({ address: service.address, ...credentials });
    await wall.type(String(deliveryCode), lockerUid);
    await expect.poll(() => tile.innerText()).toMatch(/being put in[\s\S]*door open/);
    await panel.getByText(/to drop off/).waitFor();
    await panel.getByRole('button', { name: 'Open: counts as picked up…' }).waitFor();
    await picture(page, 'console-locker.png');
    await page.getByText('door open 1').waitFor();
    expect(await page.locator('.wall .tile').count()).toBe(24);
    await tabTo(page.getByRole('button', { name: 'Take out of order' }));
    await page.keyboard.press('Enter');
    await page.getByText(/^Locker \S+ of \S.* is out of order, said by bram/).waitFor();
    const { items: audited } = await people.call('GetAuditLog', { pageSize: 1, uid: lockerUid });
    expect(audited).toMatchObject([
      { operation: 'SetLockerOutOfOrder', clientId: 'demo', onBehalfOf: 'bram' },
    ]);
    // A locker whose door stands open is not reported as empty.
    wall.shut(lockerUid);
    await wall.settled();
    // Cancelled with the item inside: it waits in the inbox, and whoever takes it out says so there.
    await people.call('CancelShipment', { shipmentUid });
    await tabTo(page.getByRole('link', { name: 'Work' }));
    await page.keyboard.press('Enter');
    const link = page.locator('.inbox a', { hasText: `An item lies in locker ${lockerName} of` });
    const entry = page.locator('section.entry');
    await link.waitFor();
    await tabTo(link);
    if ((await link.getAttribute('aria-current')) === null) await page.keyboard.press('Enter');
    await tabTo(entry.getByRole('button', { name: 'The locker is empty now' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'The locker is empty now' }));
    await page.keyboard.press('Enter');
    await page.getByText(/^Locker \S+ of \S.* is empty, said by bram/).waitFor();
    await link.waitFor({ state: 'detached' });
  });

  test('axe finds nothing on any of these views, in light and in dark', async () => {
    const key = await lostBooking();
    const page = await at.opened('/', 'olga');
    const seen = async (path: string, ready: string) => {
      await page.goto(at.tested.address + path);
      await page.locator(ready).first().waitFor({ state: 'attached', timeout: 120_000 });
      await foundNothing(page, path);
      // From a phone to a wide screen, nothing sticks out.
      for (const width of [360, 1_920, 1_280]) {
        await page.setViewportSize({ width, height: 720 });
        await fits(page, width, path);
      }
    };
    await seen('/', '.home-walls a');
    const entry = `.inbox a[data-entry="decision:${key}"]`;
    await seen('/inbox', entry);
    await page.locator(entry).click();
    await page.getByRole('button', { name: 'It was booked: choose it' }).first().click();
    await foundNothing(page, 'the dialog');
    await seen('/walls', '.wall-card a');
    await seen('/walls/pup-central?locker=pup-central-1', '.wall .tile');
    await seen('/desk', 'dl a');
    await at.installation.flows
      .handle<'Issue'>(key)
      .resolve({ action: 'giveUp', by: 'bram', why: 'the test is over' });
  });
});
