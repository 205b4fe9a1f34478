// What has ended without a result is started again, in a real Chromium: one on its page, many from the list of failed ones.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { issueRequest } from '../../../console/console-world.ts';
import { DESK, describeInBrowser, fits, foundNothing, PHONE, says } from '../../../console/in-browser.ts';

const full = `full-${randomUUID().slice(0, 8)}`;
const empty = `empty-${randomUUID().slice(0, 8)}`;
const patience = { timeout: 60_000, interval: 50 };

const begin = async ({ installation }: Parameters<Parameters<typeof describeInBrowser>[1]>[0]) => {
  const { people } = installation;
  await people.newPickUpPoint(full, 1);
  await people.newPickUpPoint(empty, 30);
  await people.call('CreateLocalShipmentAsIssue', { ...issueRequest, pupUid: full });
};

describeInBrowser({ begin }, (at) => {
  async function failed() {
    const key = `again-${randomUUID().slice(0, 8)}`;
    const request = { ...issueRequest, pupUid: full };
    const handle = await at.installation.flows.start('Issue', key, { request, waitForLocker: 'PT1S' });
    await expect(handle.result()).rejects.toThrow('NoLockerAvailable');
    return key;
  }
  const booked = (key: string) =>
    vi.waitUntil(
      async () => (await at.installation.flows.handle<'Issue'>(key).progress()).shipments.issue,
      patience,
    );
  const statusOf = async (key: string) =>
    (await at.installation.client.workflow.getHandle(key).describe()).status.name;

  test('a start that found no locker is started again at another wall, once the page has said what follows', async () => {
    const key = await failed();
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await page.getByRole('button', { name: 'Start again…' }).click();
    const dialog = page.getByRole('dialog');
    const place = dialog.getByLabel('Pick up point');
    await expect.poll(() => place.inputValue()).toBe(full);
    expect(await dialog.getByLabel('Width').inputValue()).toBe('10');
    expect(await dialog.getByLabel('Wait for a free locker (optional)').inputValue()).toBe('1 second');
    await place.selectOption(empty);
    await dialog.getByLabel('Width').fill('12');
    await dialog.getByLabel('Why').fill('the wall was full');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByRole('row', { name: 'Width 10 12' }).waitFor();
    await dialog.getByRole('row', { name: /^Pick up point/ }).waitFor();
    expect(await dialog.getByRole('row').count()).toBe(3);
    expect(await statusOf(key)).toBe('FAILED');
    await foundNothing(page, 'start again');
    await dialog.getByLabel('Why').fill('the wall is full');
    // What has changed since is shown anew first.
    await dialog.getByRole('button', { name: 'Start it again now' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByRole('button', { name: 'Start it again now' }).click();
    await booked(key);
    await says(page, 'h1', 'In progress');
    await page.getByText('(the wall is full)').waitFor();
    expect(await page.getByRole('button', { name: 'Start again…' }).count()).toBe(0);
  });

  test('one that may still have a locker is started again only by who says that it has none', async () => {
    const { client, flows } = at.installation;
    const key = `again-${randomUUID().slice(0, 8)}`;
    await flows.start('Issue', key, { request: { ...issueRequest, pupUid: empty } });
    await booked(key);
    await client.workflow.getHandle(key).terminate('a test');
    const page = await at.opened(`/process/${key}`, 'bram', PHONE);
    await page.getByRole('button', { name: 'Start again…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why').fill('ended by mistake');
    const show = dialog.getByRole('button', { name: 'Show what would happen' });
    await show.click();
    await dialog.getByText('may still have what it booked').waitFor();
    expect(await dialog.getByRole('button', { name: 'Start it again now' }).count()).toBe(0);
    await fits(page, 390, 'start again');
    await dialog.getByRole('checkbox').check();
    await show.click();
    await dialog.getByRole('button', { name: 'Start it again now' }).click();
    await vi.waitUntil(async () => (await statusOf(key)) === 'RUNNING', patience);
  });

  test('one that has ended with a result is started anew with another key', async () => {
    const { flows, people } = at.installation;
    const key = `again-${randomUUID().slice(0, 8)}`;
    const handle = await flows.start('Issue', key, { request: { ...issueRequest, pupUid: empty } });
    const { shipmentUid } = await booked(key);
    await people.dropOff(shipmentUid);
    await people.pickUp(shipmentUid);
    await handle.result();
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await page.getByRole('button', { name: 'Start again…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('keeps its key').waitFor();
    expect(await dialog.getByLabel('New key').inputValue()).toBe(`${key}-2`);
    await dialog.getByLabel('Why').fill('once more');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByRole('button', { name: 'Start it again now' }).click();
    await page.waitForURL(`**/process/${key}-2`);
    await booked(`${key}-2`);
  });

  test('all failed ones that are found are started again at another wall', async () => {
    const keys = await Promise.all([failed(), failed(), failed()]);
    // Other files of tests have failed ones too.
    const page = await at.opened('/processes?state=failed&flow=Issue&find=again-', 'bram', DESK);
    for (const key of keys) await page.locator(`tr[data-key="${key}"]`).waitFor();
    // Those of the tests before have been started again: nobody has to look after them.
    expect(await page.getByText('Started again since').count()).toBe(0);
    await page.getByRole('button', { name: 'Choose all that are found' }).click();
    const bar = page.getByRole('region', { name: 'What to do with those that are chosen' });
    await bar.getByText('3 chosen').waitFor();
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Start again…', 'Choose none']);
    const dialog = page.getByRole('dialog');
    const show = async (pupUid: string) => {
      await bar.getByRole('button', { name: 'Start again…' }).click();
      await dialog.getByLabel('Pick up point (optional)').selectOption(pupUid);
      await dialog.getByLabel('Why').fill('the wall was full');
      await dialog.getByRole('button', { name: 'Show what would happen' }).click();
      await dialog.getByText('Nothing is changed yet.').waitFor();
    };
    await show(full);
    await dialog.getByText(/: 0 \w+ free, 3 wanted: 3 would find no locker now$/).waitFor();
    await foundNothing(page, 'start many again where none is free');
    await page.keyboard.press('Escape');
    // Places by their names.
    await show('pup-central');
    await dialog.getByText(`Pick up point: ${full} → Central`).first().waitFor();
    await page.keyboard.press('Escape');
    await show(empty);
    expect(await statusOf(keys[0] ?? '')).toBe('FAILED');
    // Named as in the list.
    const row = dialog.locator(`tr[data-key="${keys[0]}"]`);
    expect(await row.innerText()).toMatch(/^Anna Jansen\s+again-/);
    expect(await row.innerText()).toContain(`Pick up point: ${full} → ${empty}`);
    await dialog.getByText(/^empty-\w+: \d+ \w+ free, 3 wanted$/).waitFor();
    await foundNothing(page, 'start many again');
    await dialog.getByRole('button', { name: 'Start again 3 cases now' }).click();
    await dialog.getByText('3 of 3 done').waitFor();
    for (const key of keys) await booked(key);
  });

  test('what has not been put in is moved to another locker; what has been says why not', async () => {
    const { flows, people } = at.installation;
    const key = `move-${randomUUID().slice(0, 8)}`;
    const deadlines = { issue: { dropOff: 'PT5H' } };
    await flows.start('Issue', key, { request: { ...issueRequest, pupUid: 'pup-central' }, deadlines });
    await booked(key);
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    await page.getByRole('button', { name: 'Move to another locker…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Pick up point').selectOption(empty);
    await dialog.getByLabel('Why').fill('the door is stuck');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('once it has one, this one is cancelled').waitFor();
    await dialog.getByText('Delivery to be dropped off: 5 hours').waitFor();
    const place = dialog.locator('tr', { has: page.getByRole('rowheader', { name: 'Locker', exact: true }) });
    expect(await place.innerText()).toMatch(/locker \S+, .+\tany .*locker/);
    expect(await statusOf(key)).toBe('RUNNING');
    await dialog.getByRole('button', { name: 'Move it now' }).click();
    await page.waitForURL(`**/process/${key}-moved`);
    const moved = page.locator('.step-list li', { hasText: 'Moved from locker' });
    expect(await moved.getByRole('link').getAttribute('href')).toBe(`/process/${key}`);
    expect(await moved.innerText()).toMatch(/by bram.*\(the door is stuck\)/s);
    const { shipmentUid } = await booked(`${key}-moved`);
    await vi.waitUntil(async () => (await statusOf(key)) === 'CANCELLED', patience);
    await people.dropOff(shipmentUid);
    await page.getByText('to be picked up').first().waitFor();
    await page.getByRole('button', { name: 'Move to another locker…' }).click();
    await dialog.getByText('only what has not been put in yet is moved').waitFor();
  });

  test('who may only look has no button, and chooses none', async () => {
    const key = await failed();
    const page = await at.opened(`/process/${key}`, 'anna', DESK);
    await says(page, 'h1', 'Failed');
    expect(await page.getByRole('button', { name: 'Start again…' }).count()).toBe(0);
  });
});
