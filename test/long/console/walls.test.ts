// What a wall says of its lockers, and what can be done at one, in a real Chromium, on everything real.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { issueRequest } from '../../console/console-world.ts';
import { describeInBrowser, fits, foundNothing } from '../../console/in-browser.ts';
import { newWall } from '../../support/walls/new-wall.ts';
import { TestWall } from '../../support/walls/test-wall.ts';

describeInBrowser({}, (at) => {
  const wallWith = async (lockers: number) => {
    const pupUid = `pup-${randomUUID()}`;
    await at.installation.people.newPickUpPoint(pupUid, lockers);
    return pupUid;
  };

  test('a locker that is out of order says so, what is inside, and whose it is', async () => {
    const { people, flows } = at.installation;
    const pupUid = await wallWith(2);
    const key = `order-${randomUUID()}`;
    const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid } });
    const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, {
      timeout: 120_000,
    });
    await people.dropOff(booked.shipmentUid);
    const { lockerUid } = await people.call('GetShipment', { shipmentUid: booked.shipmentUid });
    await people.call('SetLockerOutOfOrder', { lockerUid, outOfOrder: true });

    const page = await at.opened(`/walls/${pupUid}?locker=${lockerUid}`);
    const tile = page.locator(`[data-locker="${booked.lockerName}"]`);
    const panel = page.getByRole('region', { name: 'The chosen locker' });
    const withItem = 'out of order, with an item inside: to be picked up';
    await expect.poll(() => tile.innerText()).toContain(withItem);
    await expect.poll(() => tile.innerText(), { timeout: 30_000 }).toContain('Anna Jansen');
    await expect.poll(() => panel.innerText()).toContain(withItem);
    await panel.getByText(/^For Anna/).waitFor();
    expect(await page.getByRole('list', { name: 'What the lockers look like' }).innerText()).toMatch(
      /booked 0\s+inside 1\s+[\s\S]*out of order 1/,
    );

    // Left behind: its item is still somebody's.
    await handle.cancel();
    const leftItem = 'out of order, with an item inside: to be emptied';
    await expect.poll(() => tile.innerText(), { timeout: 120_000 }).toContain(leftItem);
    await expect.poll(() => panel.innerText()).toContain(leftItem);
    await panel.getByText(/shipment that ended, for Anna/).waitFor();
    await panel.getByRole('link', { name: key }).waitFor();
    await foundNothing(page, 'a locker that is out of order');
    await fits(page, 1_280);

    await people.call('SetLockerEmptied', { lockerUid });
    await expect.poll(() => tile.innerText()).toContain('out of order, empty');
    // Who has done it, the audit log knows.
    await tile.getByText('by demo').waitFor();
    for (const path of ['/walls', '/']) {
      await page.goto(at.tested.address + path);
      await page.locator(`[data-wall="${pupUid}"]`).getByText('1 out of order').waitFor();
    }
  });

  test('the tiles of a row are in line, whatever their sizes and texts', async () => {
    const page = await at.opened('/walls/pup-central', 'bram', { viewport: { width: 1280, height: 800 } });
    await page.locator('.tile').first().waitFor();
    const boxes = await Promise.all((await page.locator('.tile').all()).map((tile) => tile.boundingBox()));
    const rows = Object.values(Object.groupBy(boxes, (box) => `${box?.y}`));
    const columns = rows[0]?.length ?? 0;
    expect(columns).toBeGreaterThan(1);
    expect(rows).toHaveLength(Math.ceil(boxes.length / columns));
    for (const row of rows) expect(new Set(row?.map((box) => box?.height)).size).toBe(1);
  });

  test('a door that stands open is said at once on Home and at its wall, with since when and whose item', async () => {
    const { people, flows, service } = at.installation;
    const pupUid = await wallWith(2);
    const key = `order-${randomUUID()}`;
    const handle = await flows.start('Issue', key, {
      request: { ...issueRequest, pupUid, details: { description: 'Laptop 7' } },
    });
    const booked = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, {
      timeout: 120_000,
    });
    await people.dropOff(booked.shipmentUid);
    const { lockerUid } = await people.call('GetShipment', { shipmentUid: booked.shipmentUid });
    // Then it is no longer being put in.
    await people.call('OpenLocker', { lockerUid, reason: 'is it inside?' });
    const wall = await TestWall.connected({
      address: service.address,
      ...(await newWall(service.url, 'demo', pupUid)),
    });
    wall.write({ type: 'doorOpened', lockerUid: String(lockerUid) });
    await wall.settled();
    const says = /Locker \S+ stands open since .* ago\), with Laptop 7.* for Anna Jansen inside/;
    const page = await at.opened('/');
    await page.locator(`[data-wall="${pupUid}"]`).getByText(says).waitFor();
    await foundNothing(page, 'Home with an open door');
    await fits(page, 1_280);
    await page
      .locator(`[data-wall="${pupUid}"]`)
      .getByRole('link', { name: /^Locker/ })
      .click();
    await page.getByRole('status').getByText(says).waitFor();
    await page.getByRole('region', { name: 'The chosen locker' }).getByText('open since').waitFor();
    await foundNothing(page, 'a wall with an open door');
    wall.write({ type: 'doorClosed', lockerUid: String(lockerUid) });
    await page.getByRole('status').getByText(says).waitFor({ state: 'detached' });
    wall.cut();
  });

  test('a look into a locker needs a reason, counts as nothing, and is shown with who and why', async () => {
    const { people } = at.installation;
    const pupUid = await wallWith(1);
    const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid });
    const [shipmentUid = ''] = shipmentUids as readonly string[];
    const { lockerUid } = await people.call('GetShipment', { shipmentUid });
    const page = await at.opened(`/walls/${pupUid}?locker=${lockerUid}`);
    const panel = page.getByRole('region', { name: 'The chosen locker' });
    // What the other way to open it is taken for.
    await panel.getByRole('button', { name: 'Open: counts as put in…' }).waitFor();
    await panel.getByRole('button', { name: 'Open to look…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Open to look' });
    await dialog.getByText('Nothing counts as put in or taken out').waitFor();
    await dialog.getByRole('button', { name: 'Open to look' }).click();
    await expect.poll(() => dialog.getByLabel('Why').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Why').fill('she says that it was empty');
    await foundNothing(page, 'open to look');
    await dialog.getByRole('button', { name: 'Open to look' }).click();
    await page.getByText(/^Locker 1 of \S.* was opened to look inside, by bram/).waitFor();
    await panel.getByText('to look inside, by bram: “she says that it was empty”').waitFor();
    expect(await people.call('GetShipment', { shipmentUid })).toMatchObject({ stateCode: 'ReadyForDropoff' });
  });
});
