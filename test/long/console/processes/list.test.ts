// The list of processes in a real browser, with everything real behind it.
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { issueRequest, PASSWORD } from '../../../console/console-world.ts';
import { describeInBrowser, type InBrowser, PAGE_MS } from '../../../console/in-browser.ts';
import { tabTo } from '../../../console/keys.ts';
import { foundByAxe } from '../../../service/simulated-wall/axe.ts';
import { picture } from '../../../support/chromium.ts';

const PUP = 'pup-console-list';
/** The processes of this file alone: a row more would stand behind what covers the end of the list. */
const OWN = `/processes?state=all&pickUpPoint=${PUP}`;
const SCRIPT = "<img src=x onerror=document.title='broken'>";

const begin = ({ installation }: InBrowser) => installation.people.newPickUpPoint(PUP, 24, 'Town hall');

describeInBrowser({ begin }, (at) => {
  /** Gives its shipment, once it waits for its item. */
  async function issue(key: string, input: object = {}, details: object = {}): Promise<string> {
    const request = { ...issueRequest, pupUid: PUP, details };
    const handle = await at.installation.flows.start('Issue', key, { request, ...input } as never);
    for await (const { shipments } of handle.follow({ everyMs: 50 }))
      if (shipments.issue?.stateCode) return shipments.issue.shipmentUid;
    throw new Error(`${key} has ended before its item was there`);
  }

  const list = `/processes?pickUpPoint=${PUP}`;
  const row = (page: Page, key: string) => page.locator(`tr[data-key="${key.replaceAll('"', '\\"')}"]`);
  const rowSays = (page: Page, key: string, words: string) =>
    expect.poll(() => row(page, key).innerText({ timeout: PAGE_MS })).toContain(words);

  test('what happens at a locker shows at once, and what one searches for is found', async () => {
    const shipmentUid = await issue('list-live', { deadlines: { issue: { pickUp: 'P1D' } } });
    const page = await at.opened(list, 'anna');
    await rowSays(page, 'list-live', 'Not in locker ');
    await rowSays(page, 'list-live', 'The desk puts it in');
    await at.installation.people.dropOff(shipmentUid);
    await rowSays(page, 'list-live', 'Pick up');
    await rowSays(page, 'list-live', 'tomorrow, ');
    // Who may only look sees nobody's name.
    expect(await row(page, 'list-live').innerText()).not.toContain('Anna');
    for (const text of ['list-li', shipmentUid]) {
      await page.getByLabel('Key, shipment or case number').fill(text);
      await expect.poll(() => page.url()).toContain(`find=${text}`);
      await rowSays(page, 'list-live', 'Pick up');
    }
    await page.getByLabel('Key, shipment or case number').fill('no-such-key');
    await page.getByText('No case is found').waitFor();
    // A wrong search in the address is told by its field, with what may stand there.
    const wrong = await at.opened('/processes?phase=Late&size=no', 'anna');
    await expect
      .poll(() => wrong.getByRole('alert').innerText())
      .toContain('phase must be one of Open, Overdue, NeedsPerson; size must be a whole number');
    await page.goBack();
    // A person who only looks can neither choose nor act.
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Cancel|Extend/ }).count()).toBe(0);
    await page.goto(`${at.tested.address}${list}`);
    await at.installation.people.pickUp(shipmentUid);
    // It has left the list of the open ones.
    await row(page, 'list-live').waitFor({ state: 'detached', timeout: PAGE_MS });
  });

  test('overdue processes are extended with the keyboard alone: sign in, choose, look at the dry run, confirm', async () => {
    const keys = ['list-late-1', 'list-late-2', 'list-late-3'];
    for (const key of keys)
      await issue(key, { deadlines: { issue: { dropOff: 'PT1S' } }, onOverdue: 'wait' });
    const context = await at.browser.newContext({ bypassCSP: true });
    context.setDefaultTimeout(120_000);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${at.tested.address}${list}&phase=Overdue`);
    const { keyboard } = page;
    await page.getByLabel('Name').waitFor();
    expect(await foundByAxe(page)).toEqual([]);
    await keyboard.press('Tab');
    await keyboard.type('bram');
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    for (const key of keys) await rowSays(page, key, 'late, ');
    const button = (name: string) => page.getByRole('button', { name });
    await tabTo(button('Choose all that are found'));
    await keyboard.press('Enter');
    await page.getByText('3 chosen').waitFor();
    await tabTo(button('Extend…'));
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await tabTo(dialog.getByLabel('Why'));
    await keyboard.type('closed on Friday');
    await tabTo(button('Show what would happen'));
    await keyboard.press('Enter');
    await dialog.getByText('Nothing is changed yet').waitFor();
    expect(await dialog.getByRole('row').count()).toBe(4);
    expect(await dialog.locator('tr[data-key="list-late-1"] th').innerText()).toMatch(
      /^Anna Jansen\s+list-late-1$/,
    );
    expect(await dialog.innerText()).toContain('delivery to be dropped off: ');
    // In the reader's zone, with UTC at hand.
    expect(await dialog.locator('td time').first().getAttribute('title')).toMatch(/; .* UTC$/);
    expect(await foundByAxe(page)).toEqual([]);
    await picture(page, 'console-extend.png');
    await tabTo(button('Extend 3 cases now'));
    await keyboard.press('Enter');
    await dialog.getByText('3 of 3 done').waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // They are overdue no more; Temporal keeps who it was.
    await page.getByText('No case is found').waitFor({ timeout: PAGE_MS });
    const { events } = await at.installation.client.workflow.getHandle('list-late-1').fetchHistory();
    expect(JSON.stringify(events)).toContain('bram (console)');
  });

  test('many deadlines are extended by a day, never made shorter, and put back', async () => {
    const keys = ['list-far-1', 'list-far-2'];
    const ends = async () =>
      (await Promise.all(keys.map((key) => at.installation.flows.handle<'Issue'>(key).progress()))).map(
        ({ deadlines }) => deadlines[0]?.until,
      );
    for (const key of keys) await issue(key, { deadlines: { issue: { dropOff: 'P14D' } } });
    const page = await at.opened(`${list}&find=list-far`, 'bram');
    for (const key of keys) await page.getByLabel(`Choose ${key}`).check();
    const before = await ends();
    const dialog = page.getByRole('dialog');
    const show = async (verb: string, length: string) => {
      await page.getByRole('button', { name: `${verb}…`, exact: true }).click();
      await dialog.getByLabel('By how much').selectOption(length);
      await dialog.getByLabel('Why').fill('closed on Friday');
    };
    await show('Extend', 'Until a date…');
    await dialog.getByLabel('Until').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('0 can be extended, and 2 cannot').waitFor();
    expect(await dialog.innerText()).toContain('is not later than the present one');
    await page.keyboard.press('Escape');
    await show('Extend', '1 day');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByRole('button', { name: 'Extend 2 cases now' }).click();
    await dialog.getByText('2 of 2 done').waitFor();
    const later = await ends();
    for (const [index, end] of later.entries())
      expect(Date.parse(end ?? '') - Date.parse(before[index] ?? '')).toBe(86_400_000);
    await dialog.getByRole('button', { name: 'Undo 2 cases' }).click();
    await dialog.getByText('2 of 2 taken back').waitFor();
    expect(await ends()).toEqual(before);
    await page.keyboard.press('Escape');
    for (const key of keys) await page.getByLabel(`Choose ${key}`).check();
    await show('Shorten', '2 days');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    const now = dialog.getByRole('button', { name: 'Shorten 2 cases now' });
    await now.waitFor();
    // What takes time away is red, before it is done.
    expect(await now.getAttribute('class')).toContain('danger');
    expect(await dialog.locator('td.is-fault').count()).toBe(2);
    expect(await foundByAxe(page)).toEqual([]);
    expect(await ends()).toEqual(before);
  });

  test('text that people type is shown as text', async () => {
    const key = `list-${SCRIPT}`;
    await issue(key, {}, { referenceCaseNo: SCRIPT, referenceNo: SCRIPT, description: SCRIPT });
    const page = await at.opened(`${list}&find=${encodeURIComponent(key)}`, 'bram');
    await row(page, key).waitFor({ timeout: PAGE_MS });
    await page.getByLabel(`Choose ${key}`).check();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByLabel('Why').fill('the season is over');
    await page.getByRole('button', { name: 'Show what would happen' }).click();
    await page.getByText('cancels the delivery').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Cases · lockerflow');
    await page.getByRole('button', { name: 'Cancel 1 case now' }).click();
    await page.getByRole('dialog').getByText('1 of 1 done').waitFor();
    await expect(at.installation.flows.handle<'Issue'>(key).result()).rejects.toThrow('cancelled');
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in the colour scheme %s; a phone needs no scrolling sideways',
    async (colorScheme) => {
      await issue(`list-axe-${colorScheme}`, {}, { referenceCaseNo: 'order-4711 of the spring campaign' });
      const page = await at.opened(OWN, 'bram', { colorScheme });
      await page.locator('tbody tr').first().waitFor({ timeout: PAGE_MS });
      expect(await foundByAxe(page)).toEqual([]);
      await picture(page, `console-processes-${colorScheme}.png`);
      // As high as the list: axe cannot say what the rows stand on that the bar covers.
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.setViewportSize({ width: 1280, height: height + 600 });
      await page.getByLabel('Choose all on this page').check();
      expect(await foundByAxe(page)).toEqual([]);
      await page.getByRole('button', { name: 'Choose none' }).click();
      await page.setViewportSize({ width: 390, height: 844 });
      // Of what is scrolled out of sight axe cannot say what it stands on.
      expect(await foundByAxe(page, ['.tabs', '.table-frame'])).toEqual([]);
      await picture(page, `console-processes-phone-${colorScheme}.png`);
      await page.setViewportSize({ width: 360, height: 740 });
      const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
      await expect.poll(width).toBeLessThanOrEqual(360);
    },
  );

  test('a page of the list is chosen; and the list has pages', async () => {
    for (const key of ['list-range-1', 'list-range-2', 'list-range-3']) await issue(key);
    const page = await at.opened(`${list}&find=list-range`, 'bram');
    for (const key of ['list-range-1', 'list-range-3']) await rowSays(page, key, 'The desk puts it in');
    await page.getByLabel('Choose all on this page').check();
    await page.getByText('3 chosen').waitFor();
    await page.getByLabel('Choose all on this page').uncheck();
    await page.getByText('3 chosen').waitFor({ state: 'detached' });
    await page.goto(`${at.tested.address}${list}&find=list-range&size=2`);
    await page.getByText('2 on this page').waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('1 on this page').waitFor();
    // A row has two lines, and no more.
    const box = await page.locator('tbody tr').first().boundingBox();
    expect(box?.height).toBeLessThanOrEqual(58);
  });

  test('a dry run for many processes shows those that are refused first, and 200 rows at most', async () => {
    await issue('list-many');
    const page = await at.opened(list, 'bram');
    await rowSays(page, 'list-many', 'The desk puts it in');
    // So many processes as an answer alone: what is tested is the page.
    const keys = Array.from({ length: 250 }, (_, number) => `many-${number}`);
    const items = keys.map((key) => ({ key }));
    await page.route('**/v1/processes?*', (route) =>
      route.fulfill({ json: { items, next: null, count: items.length } }),
    );
    await page.route('**/commands/cancel*', (route) => {
      const [, key] = /processes\/([^/]+)/.exec(route.request().url()) ?? [];
      if (key !== 'many-249') return route.fulfill({ json: { key, refusal: null, words: 'ends' } });
      return route.fulfill({ status: 404, json: { code: 'FlowNotFound', detail: 'there is no flow' } });
    });
    await page.getByRole('button', { name: 'Choose all that are found' }).click();
    await page.getByText('250 chosen').waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why').fill('the season is over');
    await dialog.getByRole('button', { name: 'Show what would happen' }).click();
    await dialog.getByText('249 can be cancelled, and 1 cannot').waitFor({ timeout: 4 * PAGE_MS });
    const rows = dialog.locator('tbody tr[data-key]');
    expect(await rows.count()).toBe(200);
    expect(await rows.first().innerText()).toContain('there is no flow');
    await dialog.getByText('50 more are not shown here').waitFor();
    // A batch does those that can.
    const done = keys
      .slice(0, 249)
      .map((key) => ({ key, outcome: 'done', refusal: null, consequence: null }));
    await page.route('**/v1/batches/many/outcomes?*', (route) => {
      const isDone = new URL(route.request().url()).searchParams.get('only') === 'done';
      return route.fulfill({ json: { outcomes: isDone ? done.slice(0, 200) : [], next: 200 } });
    });
    await page.route('**/v1/batches/many', (route) =>
      route.fulfill({
        json: {
          ...{ id: 'many', command: 'cancel', closedAt: '2031-05-01T12:00:00Z' },
          status: { phase: 'done', total: 249, done: 249, refused: 0, unknown: 0 },
        },
      }),
    );
    await page.route('**/v1/batches', (route) => route.fulfill({ json: { id: 'many', batches: [] } }));
    await dialog.getByRole('button', { name: 'Cancel 249 cases now' }).click();
    await dialog.getByText('249 of 249 done, 1 left as they are').waitFor({ timeout: 4 * PAGE_MS });
    await dialog.getByText('49 more are not shown here').waitFor();
  });

  test('a batch that is stopped says what has not begun; a dialog that is closed under way asks no more', async () => {
    await issue('list-early');
    const page = await at.opened(list, 'bram');
    await rowSays(page, 'list-early', 'The desk puts it in');
    const items = ['early-1', 'early-2', 'early-3'].map((key) => ({ key }));
    await page.route('**/v1/processes?*', (route) =>
      route.fulfill({ json: { items, next: null, count: 3 } }),
    );
    await page.route('**/commands/cancel*', (route) =>
      route.fulfill({ json: { key: 'early-1', refusal: null, words: 'ends' } }),
    );
    let asked = 0;
    let phase = 'running';
    const batch = () => ({
      ...{ id: 'early', command: 'cancel', closedAt: phase === 'running' ? null : '2031-05-01T12:00:00Z' },
      status: { phase, total: 3, done: 1, refused: 0, unknown: 0 },
    });
    await page.route('**/v1/batches', (route) => route.fulfill({ json: { id: 'early', batches: [] } }));
    await page.route('**/v1/batches/early', (route) => {
      asked++;
      return route.fulfill({ json: batch() });
    });
    await page.route('**/v1/batches/early/outcomes?*', (route) =>
      route.fulfill({ json: { outcomes: [], next: null } }),
    );
    await page.route('**/v1/batches/early/cancel', (route) => {
      phase = 'cancelled';
      return route.fulfill({ json: batch() });
    });
    const dialog = page.getByRole('dialog');
    const begin = async () => {
      phase = 'running';
      await page.getByRole('button', { name: 'Choose all that are found' }).click();
      await page.getByRole('button', { name: 'Cancel…' }).click();
      await dialog.getByLabel('Why').fill('the season is over');
      await dialog.getByRole('button', { name: 'Show what would happen' }).click();
      await dialog.getByRole('button', { name: 'Cancel 3 cases now' }).click();
      await dialog.getByText('Running: 1 of 3 done').waitFor();
    };
    await begin();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('1 of 3 done, 2 not begun').waitFor();
    await page.keyboard.press('Escape');

    // The time of the page is the test's from here on.
    await page.clock.install();
    await begin();
    const before = asked;
    await page.clock.runFor(2_000);
    await expect.poll(() => asked).toBeGreaterThan(before);
    await dialog.getByRole('button', { name: 'Let it go on' }).click();
    await dialog.waitFor({ state: 'detached' });
    // What was asked before it was closed has come.
    await page.clock.runFor(2_000);
    const closed = asked;
    for (let look = 0; look < 5; look++) await page.clock.runFor(2_000);
    expect(asked).toBe(closed);
  });

  test('the page has asked nobody but the console', () => {
    expect(at.tested.asked.length).toBeGreaterThan(20);
    expect(at.tested.asked.filter((url) => !url.startsWith(`${at.tested.address}/`))).toEqual([]);
  });
});
