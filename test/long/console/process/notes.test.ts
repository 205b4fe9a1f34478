// A note on a case, in a real Chromium: a person leaves one by keyboard, and it stands in the timeline and in the list.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { issueRequest } from '../../../console/console-world.ts';
import { DESK, describeInBrowser, fits, foundNothing, PHONE, says } from '../../../console/in-browser.ts';
import { tabTo } from '../../../console/keys.ts';
import { hostileTexts } from '../../../support/hostile-texts.ts';

const text = 'Charger is missing, ask her when she comes, and look whether it is the one of laptop 8.';

describeInBrowser({}, (at) => {
  async function issue() {
    const key = `noted-${randomUUID().slice(0, 8)}`;
    const handle = await at.installation.flows.start('Issue', key, { request: issueRequest });
    await vi.waitUntil(async () => (await handle.progress()).shipments.issue, { timeout: 60_000 });
    return { key, handle };
  }

  test('it is added by keyboard alone, and seen in the timeline and in the list', async () => {
    const { key, handle } = await issue();
    const page = await at.opened(`/process/${key}`, 'bram', DESK);
    const { keyboard } = page;
    const field = page.getByLabel('Note', { exact: true });
    await field.waitFor();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await foundNothing(page, 'compose a note');
    await keyboard.press('n');
    expect(await focused()).toBe('Note');
    // Whoever types writes an n, and what is typed outlasts what the page reads anew.
    await keyboard.type('no');
    expect(await field.inputValue()).toBe('no');
    await keyboard.press('Control+a');
    await keyboard.type(text);
    await handle.extendDeadline({ role: 'issue', stage: 'dropOff', fromNow: 'P2D', by: 'mila' });
    await page.locator('.step-list li', { hasText: 'is extended' }).waitFor();
    expect(await field.inputValue()).toBe(text);
    await keyboard.press('Enter');
    const note = page.locator('.step-list li', { hasText: `Bram notes: ${text}` });
    await note.waitFor();
    expect(await field.inputValue()).toBe('');
    // Its row is at the end of what happened: beside the field it is seen without scrolling, and is said.
    const added = page.getByRole('status').filter({ hasText: `The note is added: “${text}”` });
    await added.waitFor();
    const box = await added.boundingBox();
    expect(box && box.height > 10 && box.y >= 0 && box.y + box.height <= DESK.viewport.height).toBe(true);
    expect(await focused()).toBe('Note');
    expect(await field.getAttribute('aria-describedby')).toBe(await added.getAttribute('id'));
    await page.locator('.head-note', { hasText: text }).waitFor();
    for (const filter of ['Doors', 'People']) {
      await page.getByRole('button', { name: filter, exact: true }).click();
      expect(await note.count(), filter).toBe(filter === 'People' ? 1 : 0);
    }
    await keyboard.press('Alt+n');
    expect(await focused()).not.toBe('Note');
    // Nothing is no note.
    await tabTo(page.getByRole('button', { name: 'Add note' }));
    await keyboard.press('Enter');
    expect(await page.locator('.step-list li', { hasText: 'notes:' }).count()).toBe(1);

    await page.goto(`${at.tested.address}/processes?find=${key}`);
    const row = page.locator(`tr[data-key="${key}"]`);
    await row.getByText('Charger is missing, ask her').waitFor();
    expect(await row.innerText()).not.toContain('laptop 8');
    expect(await row.locator('.row-note').getAttribute('title')).toBe(`bram: ${text}`);
    await foundNothing(page, 'list with a note');
    await handle.cancel();
  });

  test('who only looks reads them and adds none, who comes after the end adds one; a hostile text is a text', async () => {
    const { key, handle } = await issue();
    const hostile = hostileTexts.slice(0, 5).join(' ');
    await handle.note({ text: hostile, by: 'mila' });
    const page = await at.opened(`/process/${key}`, 'anna', PHONE);
    await page.locator('.step-list li', { hasText: `Mila notes: ${hostile}` }).waitFor();
    expect(await page.getByLabel('Note', { exact: true }).count()).toBe(0);
    await page.keyboard.press('n');
    await page.goto(`${at.tested.address}/processes?find=${key}`);
    await page.locator(`tr[data-key="${key}"] .row-note`).waitFor();
    expect(await page.evaluate('window.taken')).toBeUndefined();
    const phone = await at.opened(`/process/${key}`, 'bram', PHONE);
    await phone.getByLabel('Note', { exact: true }).waitFor();
    await fits(phone, PHONE.viewport.width);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    await says(phone, 'h1', 'Cancelled');
    await phone.locator('.step-list li', { hasText: 'Mila notes:' }).waitFor();
    await phone.getByLabel('Note', { exact: true }).fill('came back scratched');
    await phone.getByRole('button', { name: 'Add note' }).click();
    await phone.locator('.step-list li', { hasText: 'Bram notes: came back scratched' }).waitFor();
    await phone.locator('.head-note', { hasText: 'came back scratched' }).waitFor();
    await phone.goto(`${at.tested.address}/processes?state=closed&find=${key}`);
    await phone.locator(`tr[data-key="${key}"] .row-note`, { hasText: 'came back scratched' }).waitFor();
  });
});
