// A case that does the same for many, on its page in a real Chromium: who has not come is read off its table, also of those that have
// not begun; and the timeline says of whom it tells.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DESK, describeInBrowser, fits, foundNothing, PHONE, says } from '../../../console/in-browser.ts';

const patience = { timeout: 60_000, interval: 100 };
const path = join(import.meta.dirname, '../../../../scripts/morning/battery-recall.flow.yaml');

describeInBrowser({}, (at) => {
  async function recalled(): Promise<string> {
    const { people, flows } = at.installation;
    const pupUid = `pup-${randomUUID().slice(0, 8)}`;
    await people.newPickUpPoint(pupUid, 6);
    const flow = `Recall${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    const text = (await readFile(path, 'utf8')).replace('name: BatteryRecall', `name: ${flow}`);
    await flows.publish([{ path, text }]);
    const key = `recall-${randomUUID().slice(0, 8)}`;
    const devices = ['anna', 'bram', 'anna', 'bram'].map((name, index) => ({
      number: `${key} laptop-${index}`,
      user: `user-${name}`,
    }));
    await flows.startPublished(flow, key, { request: { pickUpPoint: pupUid, devices } });
    const first = async () => {
      const request = {
        pageNo: 1,
        pageSize: 1,
        referenceNo: `${key} laptop-0`,
        shipmentState: ['ReadyForDropoff'],
      };
      const { items } = await people.call('GetShipments', request);
      return (items as { shipmentUid: string }[])[0]?.shipmentUid;
    };
    await people.dropOff(await vi.waitUntil(first, patience));
    return key;
  }

  test('who has not come is read off the table, with those that have not begun', async () => {
    const key = await recalled();
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await says(page, '.answers', '0 of 4 back: 1 in a locker, 2 to be brought, 1 not begun');
    const rows = page.getByRole('region', { name: 'Parts of this case' }).locator('tbody tr');
    const texts = () => rows.allInnerTexts();
    await expect.poll(async () => (await texts()).length).toBe(4);
    await expect.poll(async () => (await texts())[0], patience).toMatch(/laptop-0[\s\S]*In locker/);
    const all = await texts();
    expect(all[1]).toMatch(/laptop-[12][\s\S]*brings the item to the locker/);
    expect(all[3]).toMatch(/laptop-3[\s\S]*Not begun/);
    for (const text of all) expect(text).toMatch(/^\S+ ?\S* ?\S+\s/);
    await foundNothing(page, 'parts of a case');
    await fits(page, 1280);
    // The timeline says of whom.
    const [person] = (all[0] ?? '').split('\t');
    await page
      .locator('.step-list .badge', { hasText: `${person}` })
      .first()
      .waitFor();
    const phone = await at.opened(`/process/${key}`, 'bram', PHONE);
    await phone.getByText('Parts of this case').waitFor();
    await fits(phone, 390);
  });

  test('the stages of a case in which much goes on at once fit on a phone', async () => {
    const { flows } = at.installation;
    const flow = `Many${randomUUID().replaceAll('-', '').slice(0, 8)}`;
    const last = { title: 'All is settled', type: 'final' };
    const steps = ['asked', 'answered', 'ordered', 'delivered'];
    const going = Object.fromEntries(
      steps.map((step, index) => [
        step,
        { title: `It is ${step}`, on: { next: steps[index + 1] ?? 'last' } },
      ]),
    );
    const region = { initial: 'asked', states: { ...going, last } };
    const regions = Object.fromEntries(['laptop', 'phone', 'badge', 'keys'].map((name) => [name, region]));
    const many = { type: 'parallel', states: regions, onDone: 'over' };
    const file = {
      name: flow,
      meaning: 'Much goes on.',
      initial: 'many',
      states: { many, over: { type: 'final' } },
    };
    await flows.publish([{ path: 'many.flow.yaml', text: JSON.stringify(file) }]);
    const key = `many-${randomUUID().slice(0, 8)}`;
    await flows.startPublished(flow, key, { request: {} });
    const phone = await at.opened(`/process/${key}`, 'bram', PHONE);
    await expect.poll(() => phone.locator('.progress .present').count(), patience).toBe(4);
    await fits(phone, 390);
    expect(await phone.locator('.progress .present').first().innerText()).toContain('It is asked');
  });

  test('who only looks sees how far it is, and nobody’s name', async () => {
    const page = await at.opened(`/process/${await recalled()}`, 'anna', DESK);
    await says(page, '.answers', /0 of 4 back/);
    const table = page.getByRole('region', { name: 'Parts of this case' });
    await table.getByText('Part 1').waitFor();
    expect(await table.innerText()).not.toContain('laptop-');
  });
});
