// The page in the languages of its readers, in a real browser: by the browser's own, and as chosen in the user's menu.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { foundByAxe } from '../../service/simulated-wall/axe.ts';
import { picture } from '../../support/chromium.ts';
import { issueRequest, PASSWORD } from '../console-world.ts';
import { describeInBrowser, fits, foundNothing, type InBrowser, PHONE } from '../in-browser.ts';
import { tabTo } from '../keys.ts';

/** They scroll on a phone: axe cannot tell what is behind that of them which is beside the screen. */
const SIDEWAYS = ['.tabs', '.table-frame'];

/** What every page has of some sentences, and no other language has. */
const ENGLISH =
  /\b(?:the|its|which|needs|waits|nobody|nothing|since|booked|locker|process|processes|receiver|goes)\b/i;
/** The names that authors gave their flows, and that this installation gave its places, stay. */
const NAMES = /order-of-languages|pup-central|Central|Issue(?: from stock)?[^\n]*/g;

function expectNoEnglish(text: string): void {
  const found = text
    .replaceAll(NAMES, '')
    .split('\n')
    .filter((line) => ENGLISH.test(line));
  expect(found).toEqual([]);
}

const sentences = [
  {
    locale: 'nl-NL',
    process: ['Waar het is', 'De balie legt', 'Wat er is gebeurd'],
    cancel: 'Het proces maakt ongedaan wat het heeft geboekt',
    '/processes': 'Hoe het ervoor staat',
    '/inbox': 'Niets wacht op iemand.',
    '/walls': 'kluizen vrij',
  },
  {
    locale: 'de-DE',
    process: ['Wo der Gegenstand ist', 'Schalter legt den Gegenstand ins Fach', 'Was geschehen ist'],
    cancel: 'Der Vorgang macht rückgängig, was er gebucht hat',
    '/processes': 'Wo er steht',
    '/inbox': 'Nichts wartet auf jemanden.',
    '/walls': 'Fächern frei',
  },
] as const;

/** Nothing in its title lets a line end, as in a name that a program has made. */
const LONG_NAME = `Long${randomUUID().slice(0, 8)}`;
const LONG = `
name: ${LONG_NAME}
title: ${'A'.repeat(60)}
meaning: It ends when it is told to.
initial: waiting
states: { waiting: { on: { stop: over } }, over: { type: final } }
`;

async function begin({ installation: { flows } }: InBrowser): Promise<void> {
  await flows.start('Issue', 'order-of-languages', { request: issueRequest });
  await flows.publish([{ path: 'long.flow.yaml', text: LONG }]);
  await flows.startPublished(LONG_NAME, `order-of-${LONG_NAME}`, {});
}

describeInBrowser({ begin }, (at) => {
  // Other tests have flows of their own on the server.
  const card = (page: Page) => page.locator('tr[data-flow="Issue"]');

  /** The languages of which a page has loaded its own words. */
  function wordsLoadedBy(page: Page): string[] {
    const loaded: string[] = [];
    page.on('request', (request) => {
      const [, language] = /\/assets\/(en|nl|de)-[^/]*\.js$/.exec(request.url()) ?? [];
      if (language) loaded.push(language);
    });
    return loaded;
  }

  test('the browser’s language is taken, and no other is loaded; another one is chosen by keyboard, and kept', async () => {
    const page = await at.opened('/flows', 'bram', { locale: 'nl-BE' });
    const loaded = wordsLoadedBy(page);
    await page.reload();
    await page.getByRole('link', { name: 'Kluiswanden' }).waitFor();
    await card(page).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('nl');
    expect(await page.getByText('Loading').count()).toBe(0);
    expect([...new Set(loaded)]).toEqual(['nl']);

    await tabTo(page.locator('.user-menu summary'));
    await page.keyboard.press('Enter');
    await tabTo(page.getByLabel('Taal'));
    await page.keyboard.type('Deutsch');
    await page.getByRole('link', { name: 'Schließfachwände' }).waitFor();
    await card(page).waitFor();
    expect(await page.title()).toBe('Abläufe · lockerflow');
    await page.reload();
    await page.getByRole('heading', { name: 'Abläufe' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });

  test('who is not signed in is asked in the browser’s language', async () => {
    const context = await at.browser.newContext({ locale: 'de-AT' });
    try {
      const page = await context.newPage();
      await page.goto(at.tested.address);
      await page.getByLabel('Name').fill('anna');
      await page.getByLabel('Passwort').fill('wrong');
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByText('Der Name oder das Passwort ist falsch. Versuchen Sie es noch einmal.').waitFor();
      await page.getByLabel('Passwort').fill(PASSWORD);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByRole('heading', { name: 'Aufgaben' }).waitFor();
    } finally {
      await context.close();
    }
  });

  test.each(sentences)('the pages in $locale have no English sentence', async ({ locale, ...own }) => {
    const page = await at.opened('/process/order-of-languages', 'bram', { locale });
    const shown = async () => await page.locator('main').innerText();
    for (const text of own.process) await expect.poll(shown).toContain(text);
    expectNoEnglish(await shown());
    await page.locator('.acting summary').click();
    await page.locator('.acting .danger').last().click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.innerText()).toContain(own.cancel);
    expectNoEnglish(await dialog.innerText());
    await page.keyboard.press('Escape');
    await picture(page, `words-${locale}-process.png`);
    for (const path of ['/processes', '/inbox', '/walls'] as const) {
      // Other tests have processes of their own on the server, with words of their authors.
      const search = path === '/processes' ? '?find=order-of-languages' : '';
      await page.goto(`${at.tested.address}${path}${search}`);
      await expect.poll(shown).toContain(own[path]);
      expectNoEnglish(await shown());
      await picture(page, `words-${locale}${path.replaceAll('/', '-')}.png`);
    }
  });

  test.each(['nl-NL', 'de-DE'])(
    'in %s nothing is clipped on a phone, and axe finds nothing',
    async (locale) => {
      for (const [path, ready] of [
        ['/flows', 'tr[data-flow]'],
        ['/flows/Issue', 'tr[data-flow]'],
        ['/processes', 'tr[data-key]'],
        ['/process/order-of-languages', '.step-list li'],
        ['/inbox', '.card:visible'],
        ['/walls', '.wall-card'],
        ['/walls/pup-central', '.wall .locker'],
        ['/desk', 'dl a'],
        ['/desk/start/Issue', 'fieldset input'],
      ] as const) {
        const page = await at.opened(path, 'bram', { ...PHONE, locale });
        await page.locator(ready).first().waitFor();
        await fits(page, 390, path);
        await foundNothing(page, `words ${locale} ${path}`, (shown) => foundByAxe(shown, SIDEWAYS));
      }
    },
  );
});
