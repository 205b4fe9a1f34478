// The keyboard as a person uses it: a test that says "by keyboard alone" never sets the focus by itself.
import type { Locator, Page } from 'playwright-core';

// More stops than any of the pages has.
const MAX_STOPS = 150;

const isFocused = (each: unknown): boolean =>
  (each as { matches(selector: string): boolean }).matches(':focus');

/** Presses Tab until the element has the focus. */
export async function tabTo(element: Locator): Promise<void> {
  const { keyboard } = element.page();
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await element.evaluate(isFocused)) return;
    await keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element}; the focus is on ${await focused(element.page())}`);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.outerHTML.slice(0, 200)');
