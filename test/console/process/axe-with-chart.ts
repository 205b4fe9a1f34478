// What axe finds on a page with a chart. It cannot tell what stands behind a text in a picture, so the contrast of those is
// measured here: of each text and of the box that it stands in.
import type { Page } from 'playwright-core';
import { foundByAxe } from '../../service/simulated-wall/axe.ts';

const LEAST_CONTRAST = 4.5;

interface Coloured {
  readonly words: string;
  readonly fill: string;
  readonly back: string;
}

/** Runs in the page. */
const COLOURS = `[...document.querySelectorAll('.chart text')].map((text) => ({
  words: text.textContent,
  fill: getComputedStyle(text).fill,
  back: getComputedStyle(text.parentElement.querySelector('rect') ?? document.querySelector('.chart rect')).fill,
}))`;

async function withoutTexts<Answer>(page: Page, run: () => Promise<Answer>): Promise<Answer> {
  const show = (value: string) =>
    page.evaluate(
      `for (const text of document.querySelectorAll('.chart text')) text.style.visibility = '${value}'`,
    );
  await show('hidden');
  const answer = await run();
  await show('');
  return answer;
}

/** In words; empty if it finds nothing. */
export async function foundWithChart(page: Page): Promise<string[]> {
  const colours = await page.evaluate<readonly Coloured[]>(COLOURS);
  if (colours.length === 0) throw new Error('there is no chart on the page');
  const faint = colours.filter(({ fill, back }) => contrast(fill, back) < LEAST_CONTRAST);
  const found = await withoutTexts(page, () => foundByAxe(page));
  return [...faint.map(({ words, fill, back }) => `${words} is ${fill} on ${back}`), ...found];
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const channels = [...colour.matchAll(/[\d.]+/g)].slice(0, 3).map(([value]) => Number(value) / 255);
  if (channels.length < 3) throw new Error(`${colour} is not a colour`);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
