// The console's page in a real Chromium, once through, with everything real behind it. What each view does is tried by the
// files *.long.test.ts.
import { expect, test } from 'vitest';
import { issueRequest, PASSWORD } from './console-world.ts';
import { describeInBrowser, PAGE_MS } from './in-browser.ts';

describeInBrowser({}, (at) => {
  test('a person signs in, finds a process in the list, and sees on its page where it stands', async () => {
    const { flows, people } = at.installation;
    const key = 'page-order-1';
    const flow = await flows.start('Issue', key, { request: issueRequest });

    const page = await at.browser.newPage();
    page.setDefaultTimeout(PAGE_MS);
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));
    // Other files begin processes in the same Temporal: what has just begun and is due last may be on a later page.
    await page.goto(`${at.tested.address}/processes?find=${key}`);
    await page.getByLabel('Name').fill('anna');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const row = page.locator(`tr[data-key="${key}"]`);
    await row.getByText('The desk puts it in').waitFor();
    await row.getByRole('link', { name: key }).click();
    const present = (words: string) => page.locator('.progress .present', { hasText: words }).waitFor();
    await present('dropped off');

    const { shipments } = await flow.progress();
    await people.dropOff(shipments.issue?.shipmentUid ?? '');
    await present('picked up');
    // On a phone, too, what opens is within the window.
    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator('.menu > summary').last().click();
    const box = await page.locator('.menu[open] > div').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    await people.pickUp(shipments.issue?.shipmentUid ?? '');
    await page.locator('h1', { hasText: 'Done' }).waitFor();
    expect(wrong).toEqual([]);
  });
});
