// The list of processes in a real browser, with everything real behind it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { ProcessPage } from '../../../console/processes/processes-view.ts';
import { type Installation, ourService, startInstallation } from '../../end-to-end/installation.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../../support/chromium.ts';
import { foundByAxe } from '../../wall/axe.ts';
import { newTestConsole, PASSWORD, type TestConsole } from '../console-world.ts';
import { type CutWay, cutWay } from '../cut-way.ts';
import { tabTo } from '../keys.ts';

const executablePath = chromiumPath();
const PUP = 'pup-console-list';
/** The processes of this file alone: a row more would stand behind what covers the end of the list. */
const OWN = `/processes?state=all&pickUpPoint=${PUP}`;
// Everything, and a browser, on two cores that other tests keep busy.
const PATIENCE_MS = 300_000;
const PAGE_MS = 120_000;
const SCRIPT = "<img src=x onerror=document.title='broken'>";

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let installation: Installation;
  let tested: TestConsole;
  let browser: Browser;
  let way: CutWay;
  let serviceWay: CutWay;

  beforeAll(async () => {
    installation = stack.use(await startInstallation(ourService));
    way = await cutWay(inject('temporalAddress'));
    stack.defer(() => way.cut());
    process.env.TEMPORAL_ADDRESS = way.address;
    serviceWay = await cutWay(new URL(installation.service.address).host);
    stack.defer(() => serviceWay.cut());
    const serviceUrl = `http://${serviceWay.address}`;
    tested = stack.use(
      await newTestConsole({
        LOCKER_API_URL: serviceUrl,
        LOCKER_AUTH_URL: serviceUrl,
        LOCKER_CLIENT_ID: 'demo',
        LOCKER_CLIENT_SECRET: 'demo-secret',
        LOCKERFLOW_TASK_QUEUE: installation.taskQueue,
      }),
    );
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
    await installation.people.newPickUpPoint(PUP, 24);
  }, PATIENCE_MS);
  afterAll(() => stack.disposeAsync());

  /** Gives its shipment, once it waits for its item. */
  async function issue(key: string, input: object = {}, details: object = {}): Promise<string> {
    const request = {
      ...{ pupUid: PUP, allowLargerLockers: true, allowOverflowLockers: false, toUserUid: 'user-anna' },
      dimension: { width: 10, height: 10, length: 10 },
      details,
    };
    const handle = await installation.flows.start('Issue', key, { request, ...input } as never);
    for await (const { shipments } of handle.follow({ everyMs: 50 }))
      if (shipments.issue?.stateCode) return shipments.issue.shipmentUid;
    throw new Error(`${key} has ended before its item was there`);
  }

  const list = `/processes?pickUpPoint=${PUP}`;
  const row = (page: Page, key: string) => page.locator(`tr[data-key="${key.replaceAll('"', '\\"')}"]`);
  const says = (page: Page, key: string, words: string) =>
    expect.poll(() => row(page, key).innerText({ timeout: PAGE_MS })).toContain(words);

  test(
    'what happens at a locker shows at once, and what one searches for is found',
    async () => {
      const shipmentUid = await issue('list-live', { deadlines: { issue: { pickUp: 'P1D' } } });
      const page = await tested.pageOf(browser, 'anna', list);
      await says(page, 'list-live', 'Issue to be dropped off, locker ');
      await installation.people.dropOff(shipmentUid);
      await says(page, 'list-live', 'to be picked up');
      await says(page, 'list-live', 'in 23 h');
      const dutch = await tested.pageOf(browser, 'anna', list, { locale: 'nl-NL' });
      await says(dutch, 'list-live', 'over 23 ');
      for (const text of ['list-li', shipmentUid]) {
        await page.getByLabel('Key, shipment or case number').fill(text);
        await expect.poll(() => page.url()).toContain(`find=${text}`);
        await says(page, 'list-live', 'to be picked up');
      }
      await page.getByLabel('Key, shipment or case number').fill('no-such-key');
      await page.getByText('No process is found').waitFor();
      // A wrong search in the address is told by its field, with what may stand there.
      const wrong = await tested.pageOf(browser, 'anna', '/processes?phase=Late&size=no');
      await expect
        .poll(() => wrong.getByRole('alert').innerText())
        .toContain('phase must be one of Open, Overdue, NeedsPerson; size must be a whole number');
      await page.goBack();
      // A person who only looks can neither choose nor act.
      expect(await page.getByRole('checkbox').count()).toBe(0);
      expect(await page.getByRole('button', { name: /Cancel|Extend/ }).count()).toBe(0);
      await page.goto(`${tested.address}${list}`);
      await installation.people.pickUp(shipmentUid);
      // It has left the list of the open ones.
      await row(page, 'list-live').waitFor({ state: 'detached', timeout: PAGE_MS });
    },
    PATIENCE_MS,
  );

  test(
    'overdue processes are extended with the keyboard alone: sign in, choose, look at the dry run, confirm',
    async () => {
      const keys = ['list-late-1', 'list-late-2', 'list-late-3'];
      for (const key of keys)
        await issue(key, { deadlines: { issue: { dropOff: 'PT1S' } }, onOverdue: 'wait' });
      const context = await browser.newContext({ bypassCSP: true });
      context.setDefaultTimeout(120_000);
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.goto(`${tested.address}${list}&phase=Overdue`);
      const { keyboard } = page;
      await page.getByLabel('Name').waitFor();
      expect(await foundByAxe(page)).toEqual([]);
      await keyboard.press('Tab');
      await keyboard.type('bram');
      await keyboard.press('Tab');
      await keyboard.type(PASSWORD);
      await keyboard.press('Enter');
      for (const key of keys) await says(page, key, 'overdue');
      const button = (name: string) => page.getByRole('button', { name });
      await tabTo(button('Choose all that are found'));
      await keyboard.press('Enter');
      await page.getByText('3 chosen').waitFor();
      await tabTo(button('Extend…'));
      await keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await tabTo(button('Show what would happen'));
      await keyboard.press('Enter');
      await dialog.getByText('Nothing is changed yet').waitFor();
      expect(await dialog.getByRole('row').count()).toBe(4);
      await dialog.getByText('Can be extended (3)').waitFor();
      expect(await dialog.innerText()).toContain('drop-off of issue: ');
      // In the reader's zone, with UTC at hand.
      expect(await dialog.locator('td time').first().getAttribute('title')).toMatch(/; .* UTC$/);
      expect(await foundByAxe(page)).toEqual([]);
      await picture(page, 'console-extend.png');
      await tabTo(button('Extend 3 processes now'));
      await keyboard.press('Enter');
      await dialog.getByText('3 of 3 done').waitFor();
      await keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // They are overdue no more; Temporal keeps who it was.
      await page.getByText('No process is found').waitFor({ timeout: PAGE_MS });
      const { events } = await installation.client.workflow.getHandle('list-late-1').fetchHistory();
      expect(JSON.stringify(events)).toContain('bram (console)');
    },
    PATIENCE_MS,
  );

  test(
    'text that people type is shown as text',
    async () => {
      const key = `list-${SCRIPT}`;
      await issue(key, {}, { referenceCaseNo: SCRIPT, referenceNo: SCRIPT, description: SCRIPT });
      const page = await tested.pageOf(browser, 'bram', `${list}&find=${encodeURIComponent(key)}`);
      await page.getByRole('link', { name: key }).waitFor({ timeout: PAGE_MS });
      await page.getByLabel(`Choose ${key}`).check();
      await page.getByRole('button', { name: 'Cancel…' }).click();
      await page.getByLabel('Why').fill('the season is over');
      await page.getByRole('button', { name: 'Show what would happen' }).click();
      await page.getByText('cancels issue').waitFor();
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.title()).toBe('Processes · lockerflow');
      await page.getByRole('button', { name: 'Cancel 1 process now' }).click();
      await page.getByText('1 of 1 done').waitFor();
      await expect(installation.flows.handle<'Issue'>(key).result()).rejects.toThrow('cancelled');
    },
    PATIENCE_MS,
  );

  test(
    'the console or Temporal gone and back: the page says so, and goes on by itself',
    async () => {
      const shipmentUid = await issue('list-gone');
      const page = await tested.pageOf(browser, 'anna', list);
      const pill = page.locator('.head .pill');
      await says(page, 'list-gone', 'to be dropped off');
      await expect.poll(() => pill.innerText()).toBe('Live');
      await way.cut();
      await expect.poll(() => pill.innerText()).toContain('Temporal does not answer');
      // What was seen last stays.
      await says(page, 'list-gone', 'to be dropped off');
      await way.mend();
      await expect.poll(() => pill.innerText()).toBe('Live');
      await tested.stop();
      await expect.poll(() => pill.innerText()).toContain('the console does not answer');
      await installation.people.dropOff(shipmentUid);
      await tested.start();
      await expect.poll(() => pill.innerText()).toBe('Live');
      await says(page, 'list-gone', 'to be picked up');
    },
    PATIENCE_MS,
  );

  test(
    'the locker service gone and back: the pages that read it say so, and go on by themselves',
    async () => {
      const shipmentUid = await issue('list-served');
      const [wall, desk] = await Promise.all([
        tested.pageOf(browser, 'bram', `/walls/${PUP}`),
        tested.pageOf(browser, 'bram', '/desk'),
      ]);
      const pill = wall.locator('.head .pill');
      const filled = wall.locator('.locker', { hasText: 'to be filled' });
      const free = desk.getByLabel('Pick up point', { exact: true });
      await filled.first().waitFor({ timeout: PAGE_MS });
      const before = await filled.count();
      await expect.poll(() => pill.innerText()).toBe('Live');
      await serviceWay.cut();
      await expect.poll(() => pill.innerText()).toContain('the locker service cannot be reached');
      // What was seen last stays.
      expect(await filled.count()).toBe(before);
      await desk.reload();
      await expect
        .poll(() => desk.getByRole('alert').innerText())
        .toContain('the locker service cannot be reached');
      expect(await free.innerText()).not.toContain(PUP);
      await installation.people.dropOff(shipmentUid);
      await serviceWay.mend();
      await wall.locator('.locker', { hasText: 'to be picked up' }).first().waitFor({ timeout: PAGE_MS });
      await expect.poll(() => filled.count()).toBe(before - 1);
      await expect.poll(() => pill.innerText()).toBe('Live');
      await expect.poll(() => free.innerText()).toContain(PUP);
      expect(await desk.getByRole('alert').count()).toBe(0);
    },
    PATIENCE_MS,
  );

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in the colour scheme %s; the keys are listed; a phone needs no scrolling sideways',
    async (colorScheme) => {
      await issue(`list-axe-${colorScheme}`, {}, { referenceCaseNo: 'order-4711 of the spring campaign' });
      const page = await tested.pageOf(browser, 'bram', OWN, { colorScheme });
      await page.locator('tbody tr').first().waitFor({ timeout: PAGE_MS });
      expect(await foundByAxe(page)).toEqual([]);
      await picture(page, `console-processes-${colorScheme}.png`);
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keys' });
      expect(await dialog.innerText()).toContain('go to processes');
      expect(await foundByAxe(page)).toEqual([]);
      await page.keyboard.press('Escape');
      // As high as the list: axe cannot say what the rows stand on that the bar covers.
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.setViewportSize({ width: 1280, height: height + 600 });
      await page.locator('tbody tr').first().locator('.stands').click();
      await page.locator('.peek dl').waitFor();
      await page.getByLabel('Choose all on this page').check();
      expect(await foundByAxe(page)).toEqual([]);
      await picture(page, `console-peek-${colorScheme}.png`);
      await page.keyboard.press('Escape');
      await page.locator('.peek').waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByRole('button', { name: 'Filters…' }).click();
      await page.getByRole('dialog').getByLabel('Flow').waitFor();
      expect(await foundByAxe(page)).toEqual([]);
      await picture(page, `console-filters-${colorScheme}.png`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Choose none' }).click();
      await page.setViewportSize({ width: 390, height: 844 });
      await picture(page, `console-processes-phone-${colorScheme}.png`);
      await page.setViewportSize({ width: 360, height: 740 });
      const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
      await expect.poll(width).toBeLessThanOrEqual(360);
    },
    PATIENCE_MS,
  );

  /** What the list tells first of a search. */
  async function firstOf(search: string): Promise<ProcessPage> {
    const headers = { cookie: await tested.cookieOf('anna') };
    const path = encodeURIComponent(`/v1/processes?${search}`);
    const answer = await fetch(`${tested.address}/v1/stream?of=${path}`, { headers });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!/^data: .*"of".*$/m.test(text)) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    const [, json = ''] = /^data: (\{"of".*)$/m.exec(text) ?? [];
    return (JSON.parse(json) as { data: ProcessPage }).data;
  }

  test(
    'the first page leads to the filtered list; the search finds a process by a part of its key, by keyboard alone',
    async () => {
      await issue('list-home-1', { deadlines: { issue: { dropOff: 'PT1S' } }, onOverdue: 'wait' });
      await issue('list-home-2', { deadlines: { issue: { dropOff: 'PT10S' } }, onOverdue: 'wait' });
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await tested.pageOf(browser, 'bram', '/', { colorScheme });
        const overdue = page.locator('[data-part=overdue]');
        await overdue.locator('li').first().waitFor({ timeout: PAGE_MS });
        expect(await foundByAxe(page)).toEqual([]);
        await picture(page, `console-home-${colorScheme}.png`);
        await page.setViewportSize({ width: 390, height: 844 });
        await picture(page, `console-home-phone-${colorScheme}.png`);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
        await page.setViewportSize({ width: 1280, height: 720 });
        await overdue.getByRole('link', { name: /^Overdue/ }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?phase=Overdue');
        await says(page, 'list-home-1', 'overdue');
        await page.keyboard.press('Control+k');
        const dialog = page.getByRole('dialog', { name: 'Search' });
        // Typed on at once: no letter is lost.
        await page.keyboard.type('home-1');
        await dialog.getByRole('option', { name: /list-home-1/ }).waitFor();
        expect(await dialog.getByRole('combobox').inputValue()).toBe('home-1');
        expect(await foundByAxe(page)).toEqual([]);
        await picture(page, `console-search-${colorScheme}.png`);
        await page.keyboard.press('Enter');
        await expect.poll(() => new URL(page.url()).pathname).toBe('/process/list-home-1');
      }
    },
    PATIENCE_MS,
  );

  test(
    'a range is chosen by keyboard; a search is saved under a name and found again',
    async () => {
      for (const key of ['list-range-1', 'list-range-2', 'list-range-3']) await issue(key);
      const page = await tested.pageOf(browser, 'bram', `${list}&find=list-range`);
      for (const key of ['list-range-1', 'list-range-3']) await says(page, key, 'to be dropped off');
      for (const pressed of ['j', 'x', 'j', 'j', 'X']) await page.keyboard.press(pressed);
      await page.getByText('3 chosen').waitFor();
      await page.getByLabel('Choose all on this page').uncheck();
      await page.getByText('3 chosen').waitFor({ state: 'detached' });
      await page.locator('.saved-views summary').click();
      await page.getByLabel('Save this search as').fill('My range');
      await page.keyboard.press('Enter');
      await page.goto(`${tested.address}/processes`);
      await page.locator('.saved-views summary').click();
      await page.getByRole('link', { name: 'My range' }).click();
      await expect.poll(() => page.url()).toContain('find=list-range');
      await page.getByRole('button', { name: 'Without: “list-range”' }).click();
      await expect.poll(() => page.url()).not.toContain('find=');
      // A row is as high as a finger needs, and no higher.
      const box = await row(page, 'list-range-1').boundingBox();
      expect(box?.height).toBeLessThanOrEqual(37);
    },
    PATIENCE_MS,
  );

  test(
    'the last page has none after it, also when it is full',
    async () => {
      await issue('list-full-1');
      await issue('list-full-2');
      const own = `pickUpPoint=${PUP}&state=all`;
      await expect
        .poll(async () => (await firstOf(`${own}&size=1`)).count, { timeout: PAGE_MS })
        .toBeGreaterThan(1);
      const { count } = await firstOf(`${own}&size=1`);
      const full = await firstOf(`${own}&size=${count}`);
      expect([full.items.length, full.next]).toEqual([count, null]);
      expect((await firstOf(`${own}&size=1`)).next).not.toBeNull();
    },
    PATIENCE_MS,
  );

  test(
    'thousands of rows come page by page, by Temporal itself',
    async () => {
      const data = await firstOf('state=all&size=2');
      expect(data.items.length).toBe(2);
      expect(data.count).toBeGreaterThan(2);
      const page = await tested.pageOf(browser, 'anna', '/processes?state=all&size=25');
      const next = new URLSearchParams({ state: 'all', size: '2', cursor: data.next ?? '' });
      await page.goto(`${tested.address}/processes?${next}`);
      await page.getByText(`2 on this page`).waitFor({ timeout: PAGE_MS });
      expect(await page.locator(`tr[data-key="${data.items[0]?.key}"]`).count()).toBe(0);
    },
    PATIENCE_MS,
  );

  test(
    'a dry run for thousands of processes shows those that are refused first, and 200 rows at most',
    async () => {
      await issue('list-many');
      const page = await tested.pageOf(browser, 'bram', list);
      await says(page, 'list-many', 'to be dropped off');
      // So many processes as an answer alone: what is tested is the page.
      const keys = Array.from({ length: 3_000 }, (_, number) => `many-${number}`);
      const items = keys.map((key) => ({ key }));
      await page.route('**/v1/processes?*', (route) =>
        route.fulfill({ json: { items, next: null, count: items.length } }),
      );
      await page.route('**/v1/bulk', (route) => {
        const { processes } = route.request().postDataJSON() as { processes: { keys: string[] } };
        const refusal = { code: 'FlowNotFound', message: 'there is no flow' };
        const outcomes = processes.keys.map((key) => ({
          ...{ key, refusal: key === 'many-2999' ? refusal : null, words: 'ends' },
        }));
        return route.fulfill({ json: { id: 'one', state: 'Done', outcomes } });
      });
      await page.getByRole('button', { name: 'Choose all that are found' }).click();
      await page.getByText('3,000 chosen').waitFor();
      await page.getByRole('button', { name: 'Cancel…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Why').fill('the season is over');
      await dialog.getByRole('button', { name: 'Show what would happen' }).click();
      await dialog.getByText('2,999 can be cancelled, and 1 cannot').waitFor({ timeout: 4 * PAGE_MS });
      const rows = dialog.locator('tbody tr[data-key]');
      await dialog.getByText('Refused: there is no flow (1)').waitFor();
      expect(await rows.count()).toBe(200);
      expect(await rows.first().innerText()).toContain('many-2999');
      await dialog.getByText('2,800 more are not shown here').waitFor();
      // It goes on with those that can.
      await dialog.getByRole('button', { name: 'Cancel 2,999 processes now' }).click();
      await dialog.getByText('2,999 of 2,999 done, 1 left as they are').waitFor({ timeout: 4 * PAGE_MS });
    },
    PATIENCE_MS,
  );

  test('the page has asked nobody but the console', () => {
    expect(tested.asked.length).toBeGreaterThan(20);
    expect(tested.asked.filter((url) => !url.startsWith(`${tested.address}/`))).toEqual([]);
  });
});
