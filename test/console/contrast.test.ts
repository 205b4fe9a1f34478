// The text of every control of the console, in each of its states and in both colour schemes, is told from what it stands on (WCAG
// 2.2, 1.4.3), by the style sheets of the page. On the pages themselves axe sees the controls only as they are when nobody uses them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foundByAxe } from '../service/simulated-wall/axe.ts';
import { chromiumPath, launchChromium, noChromium } from '../support/chromium.ts';

const root = join(import.meta.dirname, '../..');
const styles = globSync(['shared/styles/*.css', 'console/page/**/*.css'], {
  cwd: root,
  exclude: ['console/page/dist/**'],
});
// A state as an attribute, which has the same weight: so all controls are in it at once.
const css = [...styles]
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')
  .replaceAll(/:(hover|focus-visible|focus|active|disabled)\b(?!-)/g, '[data-$1]');

/** Together: one that is pointed at may have the focus too. A disabled one may be paler by WCAG; a person still reads it. */
const states = [
  [],
  ['hover'],
  ['focus', 'focus-visible'],
  ['hover', 'focus', 'focus-visible'],
  ['active'],
  ['disabled'],
  ['disabled', 'hover'],
];

const lockers = ['free', 'booked', 'tobeemptied', 'outoforder', 'free is-open', 'booked is-stuck'];
/** As the components write them. */
const controls = [
  ...['', 'main', 'danger'].map((kind) => `<button class="button ${kind}">Do it</button>`),
  ...['text', 'search', 'password', 'datetime-local', 'date'].map(
    (type) => `<input type="${type}" value="2031-05-01">`,
  ),
  '<select><option>all open</option></select>',
  '<textarea>because</textarea>',
  ...lockers.map((kind) => `<button class="locker ${kind}"><b class="locker-name">7</b></button>`),
  '<button class="locker" aria-pressed="true">7</button>',
];
const links = ['<a href="/x">a link</a>', '<summary>more</summary>'];
const surfaces = ['card', 'pill', 'pill good', 'pill warn', 'pill bad', 'note', 'refusal', 'strip', 'soft'];
const body = `
  <header class="head"><a class="brand" href="/x">lockerflow</a>
    <nav><ul><li><a href="/x">Walls</a></li><li><a href="/x" aria-current="page">Inbox</a></li></ul></nav>
    <div class="head-end"><button class="button">Keys</button></div></header>
  <main><a class="skip" href="#main">Skip</a>
    ${controls.map((each) => `<p>${each}</p>`).join('')}
    <div class="card"><div class="field is-wrong">${controls.join('')}</div></div>
    ${surfaces.map((surface) => `<div class="${surface}">${links.join('')}</div>`).join('')}
    <ol class="step-list"><li>${links[0]}</li></ol>
    <div class="table-frame"><table><thead><tr><th>${links[0]}</th></tr></thead></table></div>
    <div role="option">Zelda</div><div role="option" aria-selected="true">Zelda</div>
  </main>`;
const CONTROL = /<(?:a|button|input|select|textarea|summary|div role="option")\b/g;

test('each control has a contrast of at least 4.5 when it rests, is pointed at, has the focus or is disabled', async ({
  skip,
}) => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) return skip(noChromium);
  await using stack = new AsyncDisposableStack();
  const browser = await launchChromium(executablePath);
  stack.defer(() => browser.close());
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme });
    for (const state of states) {
      const attributes = state.map((name) => ` data-${name}`).join('');
      await page.setContent(`<style>${css}</style>${body.replaceAll(CONTROL, `$&${attributes}`)}`);
      for (const each of await foundByAxe(page, [], ['color-contrast']))
        found.push(`${colorScheme} ${state.join(' and ') || 'at rest'}: ${each}`);
    }
  }
  expect(found).toEqual([]);
});
