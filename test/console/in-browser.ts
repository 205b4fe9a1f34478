// The console in a real browser, with everything real behind it, for one file of tests; and what holds for every page.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, vi } from 'vitest';
import {
  type Installation,
  type InstallationOptions,
  ourService,
  startInstallation,
  type Vendor,
} from '../end-to-end/installation.ts';
import { foundByAxe } from '../service/simulated-wall/axe.ts';
import { chromiumPath, launchChromium, noChromium, picture } from '../support/chromium.ts';
import { type Name, newConsoleOf, type TestConsole } from './console-world.ts';

const executablePath = chromiumPath();
// Everything, and a browser, on two cores that other tests keep busy.
const TEST_MS = 400_000;
export const PAGE_MS = 120_000;
export const PHONE = { viewport: { width: 390, height: 844 } };
export const DESK = { viewport: { width: 1280, height: 900 } };

export interface InBrowser {
  readonly installation: Installation;
  readonly tested: TestConsole;
  readonly browser: Browser;
  opened(path: string, name?: Name, options?: BrowserContextOptions): Promise<Page>;
}

interface InBrowserOptions {
  readonly vendor?: Vendor;
  readonly installed?: InstallationOptions;
  /** Gives the settings of the console that differ. */
  variables?(installation: Installation): Promise<Readonly<Record<string, string>>>;
  begin?(at: InBrowser): Promise<unknown>;
}

/** @param tests declares them; what it is given is there from the first test on */
export function describeInBrowser(options: InBrowserOptions, tests: (at: InBrowser) => void): void {
  const { vendor = ourService, installed = {}, variables, begin } = options;
  const name = `in a browser (${executablePath ?? noChromium})`;
  describe.skipIf(!executablePath)(name, { timeout: TEST_MS }, () => {
    const stack = new AsyncDisposableStack();
    const at = {} as { -readonly [Part in keyof InBrowser]: InBrowser[Part] };
    at.opened = (path, who = 'bram', context = {}) => at.tested.pageOf(at.browser, who, path, context);
    beforeAll(async () => {
      vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
      at.installation = stack.use(await startInstallation(vendor, installed));
      at.tested = stack.use(await newConsoleOf(at.installation, await variables?.(at.installation)));
      at.browser = await launchChromium(executablePath ?? '');
      stack.defer(() => at.browser.close());
      await begin?.(at);
    }, TEST_MS);
    afterAll(async () => {
      await stack.disposeAsync();
      vi.unstubAllEnvs();
    });
    tests(at);
  });
}

export const says = (page: Page, selector: string, words: string | RegExp, timeout = PAGE_MS) =>
  expect
    .poll(() => page.locator(selector).first().innerText({ timeout: PAGE_MS }), { timeout })
    .toMatch(words);

/** For axe, in both colour schemes. */
export async function foundNothing(page: Page, what: string, find = foundByAxe): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await find(page), `${what}, ${colorScheme}`).toEqual([]);
    await picture(page, `console-${what.replaceAll(/\W+/g, '-')}-${colorScheme}.png`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Nothing sticks out at the side. */
export const fits = async (page: Page, width: number, what = '') =>
  expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBe(width);
