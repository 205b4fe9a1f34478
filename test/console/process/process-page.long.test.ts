// One process on the console, with everything real behind it, in a real Chromium: the flagship flow is watched on its chart
// from start to end, stepped through, and acted on; by keyboard alone where a person does something. With SCREENSHOTS=<folder>
// it leaves the picture for the docs there.
import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Installation, ourService, startInstallation } from '../../end-to-end/installation.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../../support/chromium.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { foundByAxe } from '../../wall/axe.ts';
import { newConsoleOf, type TestConsole } from '../console-world.ts';
import { tabTo } from '../keys.ts';
import { foundWithChart } from './axe-with-chart.ts';

const executablePath = chromiumPath();
const FLOW = 'IssueFromStockAndSubsequentIntakeAndCircularStock';
// Everything, and a browser, on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let installation: Installation;
  let testConsole: TestConsole;
  let browser: Browser;

  beforeAll(async () => {
    vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
    installation = stack.use(await startInstallation(ourService));
    testConsole = stack.use(await newConsoleOf(installation));
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
  }, PATIENCE_MS);
  afterAll(async () => {
    await stack.disposeAsync();
    vi.unstubAllEnvs();
  });

  async function started(key: string) {
    const device = await installation.people.newStock();
    const flow = await installation.flows.start(FLOW, key, {
      request: { priorShipmentUid: device, toUserUid: 'user-anna' },
      deadlines: { issue: { pickUp: 'P3D' }, intake: { dropOff: 'P14D' } },
    });
    return { device, flow };
  }

  const opened = (key: string, name: 'anna' | 'bram' = 'bram') =>
    testConsole.pageOf(browser, name, `/process/${encodeURIComponent(key)}?machine=whole`, {
      viewport: { width: 1280, height: 1400 },
    });

  const says = (page: Page, selector: string, words: RegExp | string) =>
    expect.poll(() => page.locator(selector).innerText(), { timeout: 180_000 }).toMatch(words);

  /** The innermost active states on the chart. */
  const activeOn = (page: Page) =>
    page
      .locator('.state.active:not(.has-states)')
      .evaluateAll((states) => states.map((state) => state.getAttribute('data-path') ?? '').toSorted());
  const isIn = (page: Page, path: string) =>
    expect.poll(() => activeOn(page), { timeout: 180_000 }).toContain(path);

  test(
    'the flagship flow is watched on its chart from start to end, and stepped through afterwards',
    async () => {
      const key = 'loan-4711';
      const { device, flow } = await started(key);
      // From the list to its chart, by keyboard.
      const page = await testConsole.pageOf(browser, 'bram', `/processes?find=${key}`, {
        viewport: { width: 1280, height: 1400 },
      });
      const wrong: string[] = [];
      page.on('pageerror', (error) => wrong.push(error.message));
      await page.getByRole('link', { name: key }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Show the machine' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/process/${key}`);
      await page.keyboard.press('m');
      await isIn(page, 'following.issue.ReadyForPickup');
      await page.getByRole('button', { name: 'With all its states' }).click();
      const technical = page.locator('.technical-facts > summary');
      await technical.click();
      const waiting = page.locator('[data-path="following.issue.ReadyForPickup"]');
      await expect.poll(() => waiting.innerHTML()).toMatch(/2 d 23 h left/);
      expect(await page.locator('main').innerText()).toContain('issue.Completed');
      // In words, by where it comes from; the names stand with them.
      expect(await page.locator('.takes').allInnerTexts()).toEqual([
        expect.stringMatching(/^Callbacks from the wall\n.*the issue is reported Completed/s),
        expect.stringMatching(/^What a person may do\n.*extend a deadline extendDeadline if/s),
        expect.stringMatching(/^Deadlines and times\n.*the deadline of the issue to be picked up/s),
        expect.stringMatching(/^What it finds out itself\n/),
      ]);
      // The door of its locker, as the wall tells: closed, out of reach, open once the device is taken out.
      const row = page.locator('.locker-shown', { hasText: 'Issue' });
      await expect.poll(() => row.innerText()).toContain('door closed');
      const { items } = await installation.people.call('GetShipments', {
        ...{ pageNo: 1, pageSize: 1, shipmentUid: device },
      });
      const [{ pupUid, lockerName } = { pupUid: '', lockerName: '' }] = items as Record<string, string>[];
      const lockerUid = `${pupUid}-${lockerName}`;
      const sandbox = await sandboxAs(installation.service.address);
      await sandbox('POST', 'faults', { lockerUid, fault: 'offline' });
      await expect.poll(() => row.innerText()).toContain('door out of reach');
      await sandbox('POST', 'faults', { lockerUid, fault: null });
      await installation.people.pickUp(device);
      await isIn(page, 'following.intake.ReadyForDropoff');
      // A simulated door closes by itself after a moment; this one stays open.
      const { database } = installation.service;
      await sql`update simulated_doors set opened_at = now() + interval '1 hour'`.execute(database);
      await expect
        .poll(() => page.locator('.locker-shown', { hasText: 'Return' }).innerText())
        .toContain('door open');
      await expect
        .poll(() => page.locator('.step-list').innerText())
        .toContain('The return is to be dropped off');
      await technical.click();
      await page.evaluate('scrollTo(0, 0)');
      await picture(page, 'console-process.png');
      await technical.click();
      const { shipments } = await flow.progress();
      await installation.people.dropOff(shipments.intake?.shipmentUid ?? '');
      await expect
        .poll(() => page.locator('.process-head .pill').innerText(), { timeout: 180_000 })
        .toBe('Done');
      await flow.result();
      // The way that it came is on the chart.
      const lines = page.locator('.line.taken');
      await expect.poll(() => lines.count(), { timeout: 180_000 }).toBeGreaterThan(5);
      await expect
        .poll(() => page.locator('[data-path="following.intake.Completed"]').getAttribute('class'))
        .toMatch(/visited|active/);

      // Back through the history, by keyboard.
      await page.keyboard.press('[');
      await expect.poll(() => new URL(page.url()).searchParams.get('step')).toMatch(/^\d+$/);
      for (let step = 0; step < 30; step++) {
        if ((await activeOn(page)).includes('following.issue.ReadyForPickup')) break;
        await page.keyboard.press('[');
      }
      await isIn(page, 'following.issue.ReadyForPickup');
      await says(page, '.at-step', /^As it was .*Back to now$/s);
      expect(await page.locator('.track .present').first().innerText()).toContain('picked up');
      expect(await page.locator('.sides').innerText()).toContain('ReadyForPickup');
      await expect.poll(() => waiting.innerHTML()).toMatch(/\d+ [dhms] \d+ [hms] left/);
      const there = page.url();
      await page.keyboard.press('n');
      await expect.poll(() => new URL(page.url()).searchParams.has('step')).toBe(false);
      // Each step has an address of its own.
      await page.goto(there);
      await isIn(page, 'following.issue.ReadyForPickup');
      expect(wrong).toEqual([]);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await foundWithChart(page), scheme).toEqual([]);
      }
      for (const url of testConsole.asked) expect(new URL(url).origin).toBe(testConsole.address);
    },
    PATIENCE_MS,
  );

  test(
    'a person extends a deadline and cancels, by keyboard alone; the history names the person',
    async () => {
      const key = 'loan <b>4711</b> <script>document.title="x"</script>';
      const { flow } = await started(key);
      const page = await opened(key);
      // What people type is shown as text.
      await says(page, '.about', key);
      expect(await page.title()).toContain('<b>4711</b>');
      await isIn(page, 'following.issue.ReadyForPickup');
      const choose = async (label: string) => {
        await page.keyboard.press('a');
        await tabTo(page.locator('.choices').getByRole('button', { name: label, exact: true }));
        await page.keyboard.press('Enter');
        await expect.poll(() => page.locator('dialog h2').innerText()).toBe(label);
      };
      await choose('Extend a deadline');
      expect(await page.locator('dialog').innerText()).toContain('no longer overdue');
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await foundByAxe(page), scheme).toEqual([]);
      }
      // Its first field has the focus.
      const chosen = page.locator('dialog select:focus');
      // The deadline that runs.
      expect(await chosen.inputValue()).toBe('issue.pickUp');
      await tabTo(page.locator('dialog button.main'));
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.done-words').innerText()).toBe('Done: extend a deadline.');
      await expect
        .poll(() => page.locator('[data-path="following.issue.ReadyForPickup"]').innerHTML())
        .toMatch(/3 d 23 h left/);
      await expect
        .poll(() => page.locator('.step-list').innerText(), { timeout: 180_000 })
        .toContain('by bram');

      await choose('Cancel');
      expect(await page.locator('dialog').innerText()).toMatch(/Cancels issue, intake/);
      // Without a reason it is not done.
      await tabTo(page.locator('dialog textarea'));
      await page.keyboard.type('<img src=x> lost');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.locator('.process-head .pill').innerText(), { timeout: 180_000 })
        .toMatch(/^Cancelled$/);
      const { events } = await installation.client.workflow.getHandle(key).fetchHistory();
      const cancelling = events?.find((each) => each.workflowExecutionCancelRequestedEventAttributes);
      expect(cancelling?.workflowExecutionCancelRequestedEventAttributes).toMatchObject({
        identity: 'bram (console)',
        cause: JSON.stringify({ by: 'bram', why: '<img src=x> lost' }),
      });
      expect((await flow.progress()).outcome).toBe('Cancelled');
    },
    PATIENCE_MS,
  );

  test('the chart of a flow shows how many processes stand in each state', async () => {
    const flows = await Promise.all(['counted-1', 'counted-2'].map((key) => started(key)));
    const page = await testConsole.pageOf(browser, 'anna', `/flows/${FLOW}`);
    await page.getByText('Show the machine').click();
    await page.getByText('Technical facts').click();
    const waiting = page.locator('[data-path="following.issue.ReadyForPickup"] .beside');
    // Others of this file may still be there.
    await expect
      .poll(async () => Number(await waiting.textContent()), { timeout: 180_000 })
      .toBeGreaterThan(1);
    const told = () => page.locator('main').innerText();
    await expect.poll(told, { timeout: 180_000 }).toContain('issue.pickUp');
    await expect.poll(told, { timeout: 180_000 }).toMatch(/To be picked up\s+[2-9]/);
    await expect
      .poll(() => page.locator('tr[data-version="1"]').innerText(), { timeout: 180_000 })
      .toMatch(/^1\s+[2-9]$/);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await foundWithChart(page), scheme).toEqual([]);
    }
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page
      .locator(`li[data-flow="${FLOW}"]`)
      .getByRole('link', { name: /^Open: [2-9]$/ })
      .waitFor();
    expect(await foundByAxe(page)).toEqual([]);
    for (const { flow } of flows) await flow.cancel();
  });

  test('who may only look is offered no action, and a hand-made request is refused', async () => {
    const key = 'looked-at';
    const { flow } = await started(key);
    const page = await opened(key, 'anna');
    await isIn(page, 'following.issue.ReadyForPickup');
    expect(await page.locator('.choices').count()).toBe(0);
    const cookie = await testConsole.cookieOf('anna');
    const answer = await testConsole.post(`/v1/processes/${key}/commands/cancel`, { why: 'no' }, { cookie });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'RoleMissing' });
    expect((await flow.progress()).activity).toBe('Following');
    await flow.cancel();
  });

  test('what cannot be done says why, at its field; and there is no process by a wrong key', async () => {
    const cookie = await testConsole.cookieOf('bram');
    const page = await opened('no-such-key');
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('no-such-key');
    const none = await testConsole.post(
      '/v1/processes/no-such-key/commands/cancel',
      { why: 'x' },
      { cookie },
    );
    expect(none.status).toBe(404);
    const { flow } = await started('refusing');
    const wrong = { role: 'issue', stage: 'never', until: 'soon' };
    const path = '/v1/processes/refusing/commands';
    const answer = await testConsole.post(`${path}/extend`, wrong, { cookie });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: expect.arrayContaining([
        { field: 'stage', message: expect.any(String) },
        { field: 'until', message: expect.stringContaining('2031-05-01') },
      ]),
    });
    // Said at the field that stands for it.
    const refusing = await opened('refusing');
    await isIn(refusing, 'following.issue.ReadyForPickup');
    await refusing.locator('.choices summary').click();
    await refusing.locator('.choices').getByRole('button', { name: 'Extend a deadline' }).click();
    await refusing.locator('dialog').getByLabel('Until').fill('');
    await refusing.locator('dialog button.main').click();
    await expect.poll(() => refusing.locator('dialog .is-wrong').innerText()).toContain('Until');
    const unknown = await testConsole.post(`${path}/toString`, {}, { cookie });
    expect(unknown.status).toBe(404);
    await flow.cancel();
  });
});
