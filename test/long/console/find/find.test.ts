// Who looks for a person, an item or a locker finds it from everywhere, by the keyboard alone.
import { expect, test, vi } from 'vitest';
import { issueRequest } from '../../../console/console-world.ts';
import { DESK, describeInBrowser, foundNothing, PAGE_MS, PHONE, says } from '../../../console/in-browser.ts';
import { foundByAxe } from '../../../service/simulated-wall/axe.ts';
import { picture } from '../../../support/chromium.ts';

const PUP = 'pup-console-find';
const PATIENCE = { timeout: PAGE_MS, interval: 100 };

describeInBrowser({ begin: ({ installation }) => installation.people.newPickUpPoint(PUP, 12) }, (at) => {
  const toUser = {
    emailAddress: 'imke@find.example.com',
    firstName: 'Imke',
    lastName: 'Zonneveld',
    phoneNumber: '+31612349876',
    languageCode: 'nl',
    pickUpPointUid: 'pup-central',
  };

  async function issue(key: string, referenceNo: string, description: string): Promise<string> {
    const { toUserUid: _, ...place } = issueRequest;
    const details = { referenceNo, description };
    const request = { ...place, pupUid: PUP, toUser, details };
    const handle = await at.installation.flows.start('Issue', key, { request } as never);
    const issued = await vi.waitUntil(async () => (await handle.progress()).shipments.issue, PATIENCE);
    return issued.shipmentUid;
  }

  test('by / and a part of a name one comes to the person, the cases, the codes, and the item', async () => {
    await issue('find-drill', '3SLOCK302', 'Drill');
    const shipmentUid = await issue('find-saw', '3SLOCK303', 'Saw');
    await at.installation.people.dropOff(shipmentUid);
    const page = await at.opened('/walls', 'bram', DESK);
    const field = page.getByRole('combobox');
    await field.waitFor();
    const { keyboard } = page;
    const found = page.getByRole('listbox', { name: 'Found' });
    // The search is a moment behind the processes.
    await expect
      .poll(
        async () => {
          await keyboard.press('/');
          await keyboard.type('zonneveld');
          await found.waitFor();
          const text = await found.innerText();
          await keyboard.press('Escape');
          return text;
        },
        { timeout: PAGE_MS },
      )
      .toMatch(/Imke Zonneveld[\s\S]*2 open[\s\S]*Drill[\s\S]*for Imke Zonneveld/);
    await found.waitFor({ state: 'detached' });
    await keyboard.press('/');
    await keyboard.type('zonneveld');
    await found.waitFor();
    await picture(page, 'console-find.png');
    // What it covers axe cannot judge.
    await foundNothing(page, 'what is found', (shown) => foundByAxe(shown, ['main']));
    await keyboard.press('Enter');
    await says(page, 'h1', 'Imke Zonneveld');
    expect(await page.getByRole('link', { name: '+31612349876' }).getAttribute('href')).toBe(
      'tel:+31612349876',
    );
    await page.getByRole('heading', { name: 'Open, 2' }).waitFor({ timeout: PAGE_MS });
    const row = page.locator('tr[data-key="find-saw"]');
    await expect.poll(() => row.innerText()).toMatch(/Saw \(3SLOCK303\)[\s\S]*Locker \d+, [\s\S]*Pick up/);
    await foundNothing(page, 'a person');
    await picture(page, 'console-person.png');
    // Codes are shown only when they are asked for.
    const codes = page
      .getByRole('region', { name: 'Codes' })
      .getByRole('listitem')
      .filter({ hasText: 'Saw' });
    expect(await codes.innerText()).not.toMatch(/To pick up: \S/);
    await codes.getByRole('button', { name: 'Show the codes' }).click();
    await expect.poll(() => codes.innerText()).toMatch(/To pick up: \w+/);

    // A scanner types fast, and ends with Enter.
    await keyboard.press('/');
    await keyboard.type('3SLOCK302');
    await keyboard.press('Enter');
    await says(page, 'h1', 'Drill');
    expect(new URL(page.url()).pathname).toBe('/items/3SLOCK302');
    await page.getByRole('heading', { name: 'Open, 1' }).waitFor({ timeout: PAGE_MS });
    const region = (name: string) => page.getByRole('region', { name });
    // It was never in a locker.
    await region('Who had it').getByText('Nobody has taken it out of a locker.').waitFor();
    await region('Where it is now').getByText('Not put into a locker yet').waitFor();
    await foundNothing(page, 'an item that nobody had');

    await page.goto(`${at.tested.address}/items/3SLOCK303`);
    const now = region('Where it is now');
    await expect.poll(() => now.innerText()).toMatch(/In locker \d+ at \S[\s\S]*since today, \d\d:\d\d/);
    await at.installation.people.pickUp(shipmentUid);
    // It follows what happens.
    await expect
      .poll(() => now.innerText(), PATIENCE)
      .toMatch(/With Imke Zonneveld\s+since today, \d\d:\d\d/);
    const loan = region('Who had it').getByRole('row').nth(1);
    await expect
      .poll(() => loan.innerText(), PATIENCE)
      .toMatch(/^Imke Zonneveld\s+today, \d\d:\d\d\s+now\s+find-saw/);
    await foundNothing(page, 'an item');
    await picture(page, 'console-item.png');
  });

  test('the page of a person says what has failed, what no case knows, and at which wall a locker is', async () => {
    const { flows, people } = at.installation;
    const joost = { ...toUser, emailAddress: 'joost@find.example.com', firstName: 'Joost' };
    const { userUid } = await people.call('CreateOrGetAccount', joost);
    const request = { ...issueRequest, pupUid: PUP, toUserUid: String(userUid) };
    const failed = await flows.start('Issue', 'find-failed', { request: { ...request, pupUid: 'pup-none' } });
    await failed.result().catch(() => undefined);
    const open = await flows.start('Issue', 'find-open', { request });
    await vi.waitUntil(async () => (await open.progress()).shipments.issue, PATIENCE);
    const { shipmentUids } = await people.call('CreateLocalShipmentAsIssue', {
      ...request,
      details: { referenceNo: 'find-901', description: 'Parcel of another shop' },
    });
    const [other = ''] = shipmentUids as readonly string[];
    await people.dropOff(other);
    const page = await at.opened(`/people/${userUid}`, 'bram', DESK);
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    await expect
      .poll(() => region('Failed').innerText(), { timeout: PAGE_MS })
      .toMatch(/Failed, 1[\s\S]*find-failed/);
    await region('Before').getByText('No case has ended.').waitFor();
    await expect.poll(() => region('Codes').innerText()).toMatch(/to be dropped off, locker \d+ at \S/);
    await expect
      .poll(() => region('Without a case').innerText())
      .toMatch(/Without a case, 1\s+Parcel of another shop: To be picked up, locker \d+ at \S.* since today/);
    await foundNothing(page, 'a person with what has failed');
    await open.cancel();
    await open.result().catch(() => undefined);
    await page.reload();
    await expect
      .poll(() => region('Before').innerText(), { timeout: PAGE_MS })
      .toMatch(/Before, 1[\s\S]*find-open/);
  });

  test('Esc leads back to where one was; what is not found is said; a locker is found by its number', async () => {
    const page = await at.opened('/processes', 'bram');
    const narrowed = page.getByLabel('Flow');
    await narrowed.waitFor();
    await page.getByRole('link', { name: /^Late/ }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('nobody has this');
    await page.getByText('Nothing is found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toMatch(/^Late/);
    await page.keyboard.press('/');
    await page.keyboard.type('central 3');
    await page.getByRole('option', { name: 'Central 3' }).click();
    await vi.waitUntil(() => page.url().includes('/walls/pup-central?locker='), PATIENCE);
  });

  test('who may only look finds cases and items by their numbers, and no people', async () => {
    const page = await at.opened('/search?text=3SLOCK303', 'anna', PHONE);
    await page.locator('tr[data-key="find-saw"]').waitFor({ timeout: PAGE_MS });
    expect(await page.locator('main').innerText()).not.toContain('Zonneveld');
    await page.goto(`${at.tested.address}/search?text=zonneveld`);
    await page.getByText('Nothing is found').waitFor();
    await foundNothing(page, 'nothing found, on a phone');
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    await expect.poll(width).toBeLessThanOrEqual(390);
  });
});
