// Home, in a real Chromium, on everything real: the morning after somebody else's shift, with a wall that is cut off, a late case, one
// that failed and a question.
import { randomUUID } from 'node:crypto';
import type { APIResponse, Page, Route } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import type { LogPage } from '../../../console/processes/processes-view.ts';
import {
  DESK,
  describeInBrowser,
  fits,
  foundNothing,
  PAGE_MS,
  PHONE,
  says,
} from '../../console/in-browser.ts';
import { tabTo } from '../../console/keys.ts';
import { beginTroubles } from '../../console/morning-of-troubles.ts';
import { picture } from '../../support/chromium.ts';

const id = randomUUID().slice(0, 8);
const keys = { late: `late-${id}`, failed: `failed-${id}`, asking: `asking-${id}` };
const asking = `Home${id}`;
const backOnline: LogPage['atWalls'][number] = {
  id: 'over 1',
  at: new Date().toISOString(),
  kind: 'online',
  pupUid: 'pup-central',
  lockerName: null,
  key: null,
  words: 'Central is online again, after 12 min.',
  by: null,
  why: null,
  isBad: false,
};
const SOON = { timeout: PAGE_MS, interval: 250 };

const flow = `
name: ${asking}
meaning: It asks one question.
initial: asking
states:
  asking:
    invoke:
      id: whole
      src: ask
      input: { of: desk, question: Is the lamp whole?, fields: { whole: { type: yesNo } }, within: P2D }
      onDone: over
      onError: over
  over: { type: final }
`;

describeInBrowser(
  {
    begin: async (at) => {
      await beginTroubles(at, { file: { flow: asking, text: flow }, keys });
      const headers = { cookie: await at.tested.cookieOf('olga') };
      const path = `/v1/processes/${keys.late}/commands/note`;
      const noted = await at.tested.post(path, { text: 'Key of locker 20 is at reception.' }, headers);
      expect(noted.status).toBe(200);
    },
  },
  (at) => {
    const part = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
    const figure = (page: Page, words: RegExp) =>
      page.getByRole('navigation', { name: 'What waits' }).getByRole('link', { name: words });

    /** Its first page, and the entries of all: what others do may fill the first one. */
    async function wholeLog(route: Route, response: APIResponse) {
      const log = (await response.json()) as LogPage;
      const all = [...log.entries];
      for (let { next } = log; next !== null; ) {
        const url = new URL(route.request().url());
        url.searchParams.set('cursor', next);
        const more = (await (await route.fetch({ url: url.href })).json()) as LogPage;
        all.push(...more.entries);
        next = more.next;
      }
      return { log, all };
    }

    /** Other files act in the same Temporal: of what happened, only what is of these processes. */
    async function ofThese(page: Page): Promise<void> {
      await page.route('**/v1/log*', async (route) => {
        // A page may be closed while it reads.
        const answer = await route
          .fetch()
          .then(async (response) => ({ response, ...(await wholeLog(route, response)) }))
          .catch(() => undefined);
        if (!answer) return;
        const { response, log, all } = answer;
        const entries = all.filter(({ key }) => Object.values(keys).includes(key));
        await route.fulfill({ response, json: { ...log, next: null, entries, atWalls: [backOnline] } });
      });
    }

    /** Temporal's search is seconds behind. */
    async function opened(options = {}, name: 'anna' | 'bram' = 'bram'): Promise<Page> {
      const page = await at.opened('/walls', name, options);
      await ofThese(page);
      await vi.waitUntil(async () => {
        await page.goto(at.tested.address);
        const log = part(page, /^Since/);
        await log.waitFor();
        await log.getByText('Reading what happened').waitFor({ state: 'detached' });
        const said = await log.innerText();
        return [keys.failed, keys.late, 'came to be late'].every((each) => said.includes(each));
      }, SOON);
      return page;
    }

    test('what is expected at lockers leads to the cases that are counted', async () => {
      const page = await opened(DESK);
      await part(page, 'Expected')
        .getByRole('link', { name: /^\d+ for the desk to put in$/ })
        .click();
      await page.locator(`tr[data-key="${keys.late}"]`).waitFor(SOON);
      expect(new URL(page.url()).search).toBe('?step=deskPutsIn');
      expect(await page.getByLabel('Expected').inputValue()).toBe('deskPutsIn');
      for (const next of await page.locator('tbody td.next').allInnerTexts())
        expect(next).toContain('The desk puts it in');
      // What it is narrowed to can be taken away.
      await page.getByLabel('Expected').selectOption('anything');
      await page.waitForURL((url) => !url.searchParams.has('step'));
      // What others have in the same Temporal may fill the first page.
      await page.getByLabel('Flow').selectOption(asking);
      await page.locator(`tr[data-key="${keys.asking}"]`).waitFor(SOON);
    });

    test('it says what waits, how the walls are, what is urgent, what happened, and what is due today', async () => {
      const page = await opened(DESK);
      await says(page, 'h1', /^Good (morning|afternoon|evening), bram$/);
      await figure(page, /^[1-9]\d* needs? us$/).waitFor();
      await figure(page, /^[1-9]\d* (is|are) late$/).waitFor();
      await figure(page, /^[1-9]\d* failed$/).waitFor();
      await figure(page, /^1 question$/).waitFor();

      const walls = part(page, 'Walls');
      await walls
        .locator('[data-wall="pup-central"]')
        .getByText(/\d+ of 24 free/)
        .waitFor();
      await walls
        .locator('[data-wall="pup-away"]')
        .getByText(/^Offline/)
        .waitFor(SOON);

      const now = part(page, 'Now');
      await now.locator(`a[href*="${keys.late}"]`).waitFor();
      expect(await now.getByRole('link', { name: /^All work, \d+$/ }).getAttribute('href')).toBe('/inbox');

      const log = part(page, /^Since/);
      await log.getByText('Olga notes: Key of locker 20 is at reception.').waitFor();
      await expect
        .poll(() => log.innerText(), SOON)
        .toMatch(/^1 note, .*\d failures?, 1 or more came to be late, 1 thing at the walls$/m);
      await log.getByRole('region', { name: 'What failed by itself' }).getByText(keys.failed).waitFor();
      await part(page, /^Today$/).waitFor();

      await foundNothing(page, 'home');
      await fits(page, 1_280);
      await picture(page, 'console-home.png');
      await now.locator(`a[href*="${keys.late}"]`).click();
      await page.getByRole('region', { name: 'The chosen entry' }).getByText(keys.late).first().waitFor();
    });

    test('on a phone and at 200 % nothing sticks out, and what one goes to is at the bottom', async () => {
      const phone = await opened(PHONE);
      await fits(phone, PHONE.viewport.width);
      const nav = await phone.getByRole('navigation', { name: 'Console' }).boundingBox();
      expect((nav?.y ?? 0) + (nav?.height ?? 0)).toBeCloseTo(PHONE.viewport.height, 0);
      await foundNothing(phone, 'home on a phone');
      // A page of 1280 pixels at 200 % has 640.
      const large = await opened({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
      await fits(large, 640);
      await picture(large, 'console-home-200.png');
    });

    test('the keys g h lead home from everywhere, but not while somebody types', async () => {
      const page = await at.opened('/walls', 'bram', DESK);
      await page.getByRole('heading', { name: 'Walls' }).waitFor();
      // The g alone does nothing, and an h without it neither.
      await page.keyboard.press('h');
      await page.keyboard.press('g');
      await page.keyboard.press('x');
      await page.keyboard.press('h');
      expect(new URL(page.url()).pathname).toBe('/walls');
      await page.keyboard.press('/');
      await page.keyboard.type('gh');
      expect(new URL(page.url()).pathname).toBe('/walls');
      expect(await page.getByRole('combobox').inputValue()).toBe('gh');
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.waitForURL(`${at.tested.address}/`);
      await page.getByRole('heading', { name: /^Good/ }).waitFor();
      expect(await page.getByRole('link', { name: 'Home', exact: true }).getAttribute('aria-current')).toBe(
        'page',
      );
      await tabTo(page.getByRole('link', { name: /^All work/ }));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/inbox**');
    });

    test('whoever may only look sees the same, and nobody’s question is theirs', async () => {
      const page = await opened(DESK, 'anna');
      await figure(page, /^0 questions for you$/).waitFor();
      await part(page, 'Now').locator(`a[href*="${keys.late}"]`).waitFor();
    });

    test('what could not be read is said in its place, and nothing is said to be nothing', async () => {
      const page = await at.opened('/log', 'bram', DESK);
      const refused = { status: 503, json: { code: 'Unavailable', detail: 'Temporal does not answer.' } };
      for (const path of ['**/v1/counts', '**/v1/inbox/entries*', '**/api/walls', '**/v1/log*'])
        await page.route(path, (route) => route.fulfill(refused));
      await page.goto(at.tested.address);
      await figure(page, /need us could not be read$/).waitFor();
      for (const name of ['Walls', 'Now', /^Since/])
        await part(page, name).getByText('Temporal does not answer.').waitFor();
      await part(page, /^Today$/)
        .getByText('Could not be read')
        .waitFor();
      expect(await page.locator('main').innerText()).not.toMatch(/Nothing|Nobody|\b0\b/);
      await foundNothing(page, 'home that could not be read');
    });
  },
);
