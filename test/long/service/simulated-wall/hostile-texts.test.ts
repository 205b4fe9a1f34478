// Pages of the simulated walls and pictures of charts in a real Chromium, with texts from others that are no mere texts.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Drawing, DrawnState } from '../../../../engine/chart/drawing.ts';
import { svg } from '../../../../engine/chart/svg.ts';
import type { ProtocolPeer } from '../../../service/simulated-wall/protocol-peer.ts';
import { type TestWalls, wallAndPeer } from '../../../service/simulated-wall/start-walls.ts';
import { chromiumPath, launchChromium, noChromium } from '../../../support/chromium.ts';
import { hostileTexts } from '../../../support/hostile-texts.ts';

const executablePath = chromiumPath();
const ENOUGH_MS = 120_000;

describe.skipIf(!executablePath)(`in a browser (${executablePath ?? noChromium})`, () => {
  const stack = new AsyncDisposableStack();
  let walls: TestWalls;
  let peer: ProtocolPeer;
  let browser: Browser;

  beforeAll(async () => {
    ({ walls, peer } = await wallAndPeer(stack));
    browser = await launchChromium(executablePath ?? '');
    stack.defer(() => browser.close());
  }, ENOUGH_MS);
  afterAll(() => stack.disposeAsync());

  test.each(['/', '/walls/pup-1', '/walls/pup-1/doors'])(
    '%s shows them as texts',
    async (path) => {
      // The protocol takes neither NUL nor half a character.
      const texts = hostileTexts.map((text) => text.toWellFormed().replaceAll('\0', '').slice(0, 200));
      peer.lockers = texts.map((lockerName, index) => ({
        lockerUid: `pup-1-${index}`,
        lockerName,
        size: lockerName,
      }));
      peer.say({
        type: 'welcome',
        pupUid: 'pup-1',
        name: texts[0] ?? '',
        now: new Date().toISOString(),
        taken: 0,
        lockers: peer.lockers,
      } as never);
      const page = await browser.newPage();
      const [wrong, elsewhere]: [string[], string[]] = [[], []];
      page.on('pageerror', ({ message }) => wrong.push(message));
      page.on(
        'request',
        (request) => request.url().startsWith(walls.address) || elsewhere.push(request.url()),
      );
      await page.goto(walls.address + path, { waitUntil: 'domcontentloaded' });
      await expect.poll(() => page.title(), { timeout: ENOUGH_MS }).not.toBe('');
      expect(await page.evaluate('window.taken')).toBeUndefined();
      expect(
        await page.evaluate('document.querySelectorAll("iframe,img,base,svg,body script,body style").length'),
      ).toBe(0);
      expect([wrong, elsewhere]).toEqual([[], []]);
      await page.close();
    },
    ENOUGH_MS,
  );

  test(
    'the picture of a chart with them is one that a browser shows, without a script',
    async () => {
      const state = (text: string): DrawnState => ({
        path: [text],
        title: text,
        kind: 'atomic',
        initial: null,
        tags: [text],
        children: [],
      });
      const root: DrawnState = {
        path: [],
        title: null,
        kind: 'parallel',
        initial: null,
        tags: [],
        children: hostileTexts.map(state),
      };
      const [first = '', second = ''] = hostileTexts;
      const drawing: Drawing = {
        root,
        arrows: hostileTexts.map((words) => ({ from: [first], to: [second], label: words, words })),
      };
      const page = await browser.newPage();
      const picture = await svg(drawing);
      const found = await page.evaluate(`(() => {
        const parsed = new DOMParser().parseFromString(${JSON.stringify(picture)}, 'image/svg+xml');
        const isHandler = ({ name }) => name.startsWith('on');
        return [
          parsed.querySelector('parsererror')?.textContent ?? null,
          parsed.querySelectorAll('script,iframe,img').length,
          [...parsed.querySelectorAll('*')].filter((each) => [...each.attributes].some(isHandler)).length,
        ];
      })()`);
      expect(found).toEqual([null, 0, 0]);
      await page.close();
    },
    ENOUGH_MS,
  );
});
