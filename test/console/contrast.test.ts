// The text of every control of the console, in each of its states and in both colour schemes, is told from what it stands on:
// computed in a real Chromium from the style sheets of the page. axe sees the controls only as they are when nobody uses them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumPath, launchChromium, noChromium } from '../support/chromium.ts';

const folder = join(import.meta.dirname, '../../console/page');
const styles = globSync(['style/*.css', '**/*.css'], { cwd: folder, exclude: ['dist/**'] });
// A state as an attribute, which has the same weight: so all controls are in it at once.
const css = [...new Set(styles)]
  .map((path) => readFileSync(join(folder, path), 'utf8'))
  .join('\n')
  .replaceAll(/:(hover|focus-visible|focus|active)\b(?!-)/g, '[data-$1]');

/** WCAG 2.2, 1.4.3. It lets disabled controls be paler; a person still reads them. */
const LEAST = 4.5;
/** Together: one that is pointed at may have the focus too. */
const states = [[], ['hover'], ['focus', 'focus-visible'], ['hover', 'focus', 'focus-visible'], ['active']];

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
    ${controls.map((each) => `<p>${each}${each.replace('>', ' disabled>')}</p>`).join('')}
    <div class="card"><div class="field is-wrong">${controls.join('')}</div></div>
    ${surfaces.map((surface) => `<div class="${surface}">${links.join('')}</div>`).join('')}
    <ol class="step-list"><li>${links[0]}</li></ol>
    <div class="table-frame"><table><thead><tr><th>${links[0]}</th></tr></thead></table></div>
    <div role="option">Zelda</div><div role="option" aria-selected="true">Zelda</div>
  </main>`;
const SELECTOR = 'a, button, input, select, textarea, summary, [role=option]';

interface Pale {
  readonly control: string;
  readonly ratio: number;
}

/** As far as it is used here: tests are checked without the types of a browser. */
interface PageElement {
  readonly parentElement: PageElement | null;
  readonly outerHTML: string;
  getAttributeNames(): string[];
  removeAttribute(name: string): void;
  setAttribute(name: string, value: string): void;
}
interface Painter {
  fillStyle: string;
  clearRect(...box: number[]): void;
  fillRect(...box: number[]): void;
  getImageData(...box: number[]): { readonly data: Iterable<number> };
}
interface InBrowser {
  readonly document: { querySelectorAll(selector: string): Iterable<PageElement> };
  readonly getComputedStyle: (element: PageElement) => {
    readonly color: string;
    readonly backgroundColor: string;
  };
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => { getContext(kind: '2d', options: object): Painter };
}

/** Those whose text has a lower contrast to what is behind it. */
const paleOnes = (page: Page): Promise<Pale[]> =>
  page.evaluate(
    ({ selector, least }) => {
      const { document, getComputedStyle, OffscreenCanvas } = globalThis as unknown as InBrowser;
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      const rgba = (color: string): readonly number[] => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const behind = (element: PageElement | null): readonly number[] => {
        if (!element) return [255, 255, 255, 255];
        const own = rgba(getComputedStyle(element).backgroundColor);
        const share = (own[3] ?? 0) / 255;
        if (share === 1) return own;
        const below = behind(element.parentElement);
        return own.map((value, index) => value * share + (below[index] ?? 0) * (1 - share));
      };
      const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      const luminance = ([r = 0, g = 0, b = 0]: readonly number[]) =>
        0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
      return [...document.querySelectorAll(selector)].flatMap((element) => {
        const [one, other] = [rgba(getComputedStyle(element).color), behind(element)].map(luminance);
        const [dark = 0, light = 0] = [one ?? 0, other ?? 0].sort((a, b) => a - b);
        const ratio = Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100;
        return ratio < least ? [{ control: element.outerHTML.slice(0, 80), ratio }] : [];
      });
    },
    { selector: SELECTOR, least: LEAST },
  );

const putInto = (page: Page, state: readonly string[]) =>
  page.evaluate(
    ({ selector, names }) => {
      const { document } = globalThis as unknown as InBrowser;
      for (const element of document.querySelectorAll(selector)) {
        for (const name of element.getAttributeNames())
          if (name.startsWith('data-')) element.removeAttribute(name);
        for (const name of names) element.setAttribute(`data-${name}`, '');
      }
    },
    { selector: SELECTOR, names: [...state] },
  );

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
    await page.setContent(`<style>${css}</style>${body}`);
    for (const state of states) {
      await putInto(page, state);
      for (const { control, ratio } of await paleOnes(page))
        found.push(`${colorScheme} ${state.join(' and ') || 'at rest'}: ${ratio}: ${control}`);
    }
  }
  expect(found).toEqual([]);
});
