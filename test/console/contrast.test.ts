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

/** What a control can be in. Together: one that is pointed at may have the focus too. A disabled one may be paler by WCAG; a person still reads it. */
const uses = [
  [],
  ['hover'],
  ['focus', 'focus-visible'],
  ['hover', 'focus', 'focus-visible'],
  ['active'],
  ['disabled'],
  ['disabled', 'hover'],
];

const tiles = [
  '',
  'is-booked',
  'is-inside',
  'is-over',
  'is-inside is-over',
  'is-booked loud',
  'is-inside loud ajar',
];
const states = ['', 'is-fault', 'is-late', 'is-booked', 'is-inside', 'is-over', 'is-offline', 'is-verified'];
/** As the components write them. */
const controls = [
  ...['', 'main', 'danger'].map((kind) => `<button class="button ${kind}">Do it</button>`),
  ...['text', 'search', 'password', 'datetime-local', 'date'].map(
    (type) => `<input type="${type}" value="2031-05-01">`,
  ),
  '<select><option>all open</option></select>',
  '<textarea>because</textarea>',
  ...tiles.map(
    (kind) =>
      `<button class="tile ${kind}"><span class="tile-head">7</span> <i class="soft">1 d ago</i> <b class="is-fault tone">open</b></button>`,
  ),
  '<button class="tile" aria-pressed="true">7</button>',
  '<button class="button quiet">Do it</button>',
];
const links = ['<a href="/x">a link</a>', '<summary>more</summary>'];
const surfaces = [
  ...['card', 'refusal', 'soft', 'menu'],
  ...states.flatMap((state) => ['badge', 'note', 'banner', 'sign', 'tone'].map((each) => `${each} ${state}`)),
];
const body = `
  <header class="head"><a class="brand" href="/x">lockerflow</a>
    <nav class="tabs"><ul><li><a href="/x">Walls</a></li><li><a href="/x" aria-current="page">Inbox</a></li></ul></nav>
    <div class="head-end"><span class="sign is-verified">Up to date</span><button class="button">Keys</button></div></header>
  <main><a class="skip" href="#main">Skip</a>
    ${controls.map((each) => `<p>${each}</p>`).join('')}
    <div class="card"><div class="field is-wrong">${controls.join('')}</div></div>
    ${surfaces.map((surface) => `<div class="${surface}">${links.join('')}</div>`).join('')}
    <ol class="step-list events"><li><time>today</time>${links[0]}<p class="did">books</p></li></ol>
    <div class="card figures">${states.map((state) => `<a class="${state}" href="/x"><b class="tone">5</b> late</a>`).join('')}</div>
    <ol class="entries">${states.map((state) => `<li><a class="${state}" href="/x"><b>Door</b><small>7 min</small></a></li>`).join('')}</ol>
    <ol class="inbox"><li><a href="/x" aria-current="true"><span class="soft">2 h</span></a></li></ol>
    <ol class="progress"><li class="past">Booked</li><li class="present is-late">Late <small>(<time>in 0 s</time>)</small></li><li class="failed is-fault">Not</li></ol>
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
    for (const use of uses) {
      const attributes = use.map((name) => ` data-${name}`).join('');
      await page.setContent(`<style>${css}</style>${body.replaceAll(CONTROL, `$&${attributes}`)}`);
      for (const each of await foundByAxe(page, [], ['color-contrast']))
        found.push(`${colorScheme} ${use.join(' and ') || 'at rest'}: ${each}`);
    }
  }
  expect(found).toEqual([]);
});
