// One process on the console, with everything real behind it, in a real Chromium: the flagship flow is watched on its chart
// from start to end, and acted on; by keyboard alone where a person does something. With SCREENSHOTS=<folder>
// it leaves the picture for the docs there.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser, foundNothing, says } from '../../../console/in-browser.ts';
import { tabTo } from '../../../console/keys.ts';
import { picture } from '../../../support/chromium.ts';

const FLOW = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
const TALL = { viewport: { width: 1280, height: 1400 } };

describeInBrowser({}, (at) => {
  async function started(key: string) {
    const device = await at.installation.people.newStock({ description: 'Laptop 7' }, 'Town hall');
    const flow = await at.installation.flows.start(FLOW, key, {
      request: { priorShipmentUid: device, toUserUid: 'user-anna' },
      deadlines: { issue: { pickUp: 'P3D' }, intake: { dropOff: 'P14D' } },
    });
    return { device, flow };
  }

  const opened = (key: string, name: 'anna' | 'bram' = 'bram') =>
    at.opened(`/process/${encodeURIComponent(key)}?machine=open`, name, TALL);

  /** The picture says it in words, and shows it. */
  async function isIn(page: Page, path: string): Promise<void> {
    const chart = page.getByRole('img', { name: path });
    await chart.waitFor();
    const picture = await page.request.get(new URL((await chart.getAttribute('src')) ?? '', page.url()).href);
    expect(await picture.text()).toMatch(new RegExp(`class="state active" data-path="${path}"`));
    const width = () =>
      chart.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(width).toBeGreaterThan(100);
  }

  test('the flagship flow is watched on its chart from start to end', async () => {
    const key = 'loan-4711';
    const { device, flow } = await started(key);
    // From the list to its chart, by keyboard.
    const page = await at.opened(`/processes?find=${key}`, 'bram', TALL);
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    const link = page.locator(`tr[data-key="${key}"]`).getByRole('link');
    await link.waitFor();
    await tabTo(link);
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('button', { name: 'Show the machine' }));
    expect(new URL(page.url()).pathname).toBe(`/process/${key}`);
    await page.keyboard.press('Enter');
    await isIn(page, 'following.issue.ReadyForPickup');
    await says(page, '.progress .present', /in 3 days/);
    await at.installation.people.pickUp(device);
    await isIn(page, 'following.intake.ReadyForDropoff');
    await expect
      .poll(() => page.locator('.step-list').innerText())
      .toContain('The return is to be dropped off');
    await page.evaluate('scrollTo(0, 0)');
    await picture(page, 'console-process.png');
    const { shipments } = await flow.progress();
    await at.installation.people.dropOff(shipments.intake?.shipmentUid ?? '');
    await expect.poll(() => page.locator('.process-head .badge').innerText()).toBe('Done');
    await flow.result();
    expect(wrong).toEqual([]);
    await foundNothing(page, 'the whole page');
    const none = await opened('no-such-key');
    await says(none, '[role=alert]', 'no-such-key');
    for (const url of at.tested.asked) expect(new URL(url).origin).toBe(at.tested.address);
  });

  test('a person extends a deadline and cancels, by keyboard alone; the history names the person', async () => {
    const key = 'loan <b>4711</b> <script>document.title="x"</script>';
    const { flow } = await started(key);
    const page = await opened(key);
    // What people type is shown as text.
    await says(page, '.process-head', key);
    expect(await page.title()).toContain('<b>4711</b>');
    await isIn(page, 'following.issue.ReadyForPickup');
    const choose = async (label: string) => {
      await page.locator('.acting summary').click();
      await tabTo(page.locator('.action-forms').getByRole('button', { name: label, exact: true }));
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('dialog h2').innerText()).toBe(label);
    };
    await choose('Extend a deadline');
    expect(await page.locator('dialog').innerText()).toContain('not late any more');
    await says(page, 'dialog [role=status]', /→/);
    await foundNothing(page, 'a dialog');
    // Its first field has the focus.
    const chosen = page.locator('dialog select:focus');
    // The deadline that runs.
    expect(await chosen.inputValue()).toBe('issue.pickUp');
    await tabTo(page.locator('dialog textarea'));
    await page.keyboard.type('she is ill');
    await tabTo(page.locator('dialog button.main'));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.done-words').innerText()).toBe('Done: extend a deadline.');
    await says(page, '.progress .present', /in 4 days/);
    await expect.poll(() => page.locator('.step-list').innerText()).toContain('by bram');
    // Who opened its door stands there too, and can be looked at alone.
    await tabTo(page.locator('.side-steps').getByRole('button', { name: 'Doors', exact: true }));
    await page.keyboard.press('Enter');
    await says(page, '.step-list', /was opened with the code/);
    expect(await page.locator('.step-list').innerText()).not.toContain('extended');
    await tabTo(page.locator('.side-steps').getByRole('button', { name: 'All', exact: true }));
    await page.keyboard.press('Enter');
    // For ten minutes it can be put back.
    const undo = page.locator('.step-list').getByRole('button', { name: /^Undo/ });
    await tabTo(undo);
    await page.keyboard.press('Enter');
    await says(page, 'dialog', /Ends now[\s\S]*Then again/);
    await tabTo(page.locator('dialog').getByRole('button', { name: 'Put it back' }));
    await page.keyboard.press('Enter');
    await says(page, '.step-list', /is put back/);
    expect(await page.locator('.done-words').innerText()).toBe('The end is put back.');
    await undo.waitFor({ state: 'detached' });
    await says(page, '.progress .present', /in 3 days/);

    // Less time is shown, too, before it is confirmed.
    await choose('Shorten a deadline');
    await page.locator('dialog select').last().selectOption('PT4H');
    await says(page, 'dialog [role=status]', /→/);
    await page.locator('dialog').getByRole('button', { name: 'Do nothing' }).click();

    await choose('Cancel the case');
    expect(await page.locator('dialog').innerText()).toMatch(/Cancels the delivery, the return/);
    // Without a reason it is not done.
    await tabTo(page.locator('dialog textarea'));
    await page.keyboard.type('<img src=x> lost');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.process-head .badge').innerText()).toMatch(/^Cancelled$/);
    const { events } = await at.installation.client.workflow.getHandle(key).fetchHistory();
    const cancelling = events?.find((each) => each.workflowExecutionCancelRequestedEventAttributes);
    expect(cancelling?.workflowExecutionCancelRequestedEventAttributes).toMatchObject({
      identity: 'bram (console)',
      cause: JSON.stringify({ by: 'bram', why: '<img src=x> lost' }),
    });
    expect((await flow.progress()).outcome).toBe('Cancelled');
  });
});
