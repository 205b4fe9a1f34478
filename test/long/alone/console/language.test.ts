// In which language the console speaks, in a real Chromium on everything real: whatever a page shows is rendered from a catalogue,
// what it says itself as well as what its server says; and in Dutch a person at a desk reads Dutch.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESK, describeInBrowser, PAGE_MS } from '../../../console/in-browser.ts';
import { beginTroubles } from '../../../console/morning-of-troubles.ts';
import { picture } from '../../../support/chromium.ts';

const id = randomUUID().slice(0, 8);
const keys = { late: `late-${id}`, failed: `failed-${id}`, asking: `asking-${id}` };
const asking = `Lamps${id}`;

const flow = `
name: ${asking}
meaning: ⟦It asks one question.⟧
initial: asking
states:
  asking:
    title: ⟦Lamp⟧
    invoke:
      id: whole
      src: ask
      input: { of: desk, question: ⟦Whole?⟧, fields: { whole: { type: yesNo, label: ⟦Whole⟧ } }, within: P2D }
      onDone: over
      onError: over
  over: { type: final, title: ⟦Over⟧ }
`;

/** Of what no catalogue can have: names that people, files and other systems gave. */
const DATA =
  /\b(?:lockerflow|pup-[\w-]+|user-\w+|\w+-[0-9a-f]{8}|Lamps\w*|Central|Harbour|Station|Temporal|Web UI|UTC|CET|min|cm|Anna Jansen|bram|anna|olga|Bram|Anna|Olga|Utrecht|desk)\b|There is no pick up point pup-nowhere/g;

/** For the browser: the texts of the page without what is in brackets, where a word is left. */
const BARE = String.raw`() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('.key, time, bdi, q, code, script, style, [lang]:not(html)')) continue;
    let depth = 0;
    let bare = '';
    for (const each of node.textContent) {
      if (each === '⟦') depth += 1;
      else if (each === '⟧') depth = Math.max(0, depth - 1);
      else if (depth === 0) bare += each;
    }
    if (/\p{L}{2}/u.test(bare)) found.push(bare.trim() + '  (of: ' + node.textContent.trim().slice(0, 120) + ')');
  }
  return found;
}`;

describeInBrowser(
  {
    begin: async (at) => {
      await beginTroubles(at, { file: { flow: asking, text: flow }, keys });
    },
  },
  (at) => {
    async function openedIn(locale: string, path: string): Promise<Page> {
      const page = await at.opened(path, 'bram', DESK);
      await page.evaluate(`localStorage.setItem('lockerflow-language', '${locale}')`);
      await page.reload();
      await page.locator(`html[lang="${locale}"]`).waitFor({ timeout: PAGE_MS });
      await page.locator('main h1').first().waitFor({ timeout: PAGE_MS });
      await page.locator('.sign').filter({ hasNotText: 'Loading…' }).waitFor({ timeout: PAGE_MS });
      return page;
    }

    /** Words that stand in no brackets. */
    const bareIn = (page: Page): Promise<string[]> => page.evaluate(`(${BARE})()`);

    test.each([
      '/',
      '/inbox',
      '/processes',
      '/processes?state=failed',
      '/log',
      '/walls',
      '/walls/pup-central',
      '/walls/pup-away',
      '/desk',
      '/flows',
      '/batches',
      '/search?q=anna',
      `/process/${keys.late}`,
      `/process/${keys.failed}`,
      `/process/${keys.asking}`,
    ])('%s shows nothing that no catalogue has', async (path) => {
      const page = await openedIn('en-XA', path);
      const bare = (await bareIn(page)).filter((text) => {
        const [words = ''] = text.split('  (of: ');
        return /\p{L}{2}/u.test(words.replaceAll(DATA, ''));
      });
      expect([...new Set(bare)]).toEqual([]);
    });

    test('a person chooses Dutch in the menu under their name, and reads Dutch', async () => {
      const page = await at.opened(`/process/${keys.late}`, 'bram', DESK);
      await page.locator('.head-end summary').click();
      await page.getByRole('button', { name: 'Nederlands' }).click();
      await page.getByRole('heading', { name: 'Waar het artikel is' }).waitFor({ timeout: PAGE_MS });
      await page.getByText(/Leg het artikel in vak .+; of verleng de termijn, of annuleer\./).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('nl');
      await picture(page, 'process-in-dutch.png');
      await page.goto(new URL('/inbox', page.url()).href);
      await page.getByRole('heading', { name: 'Werk', level: 1 }).waitFor({ timeout: PAGE_MS });
      await picture(page, 'work-in-dutch.png');
    });
  },
);
