// A person before the kiosk in a real browser, who sees the page and uses a finger alone, or the keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const PAGE_MS = 30_000;
// The page has some 20 places that take the focus.
const MOST_TABS = 60;

export interface PersonAtKiosk {
  readonly page: Page;
  /** Types the code and asks for the door. */
  type(code: string): Promise<void>;
  /** Presses the first button with this text. */
  press(button: string | RegExp): Promise<void>;
}

/** Touches what is on the screen; never the keyboard. */
export function withFinger(page: Page): PersonAtKiosk {
  const press = async (name: string | RegExp) => {
    await named(page, name).tap({ timeout: PAGE_MS });
  };
  return {
    page,
    press,
    async type(code) {
      for (const digit of code) await press(digit);
      await page.locator('#enter').tap();
    },
  };
}

/** Presses keys; never the mouse or the screen. Goes from button to button with Tab, as everybody does. */
export function withKeyboard(page: Page): PersonAtKiosk {
  const { keyboard } = page;
  const tabTo = async (wanted: Locator) => {
    await wanted.waitFor({ timeout: PAGE_MS });
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await hasFocus(wanted)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${wanted} did not get the focus within ${MOST_TABS} presses of Tab`);
  };
  return {
    page,
    async press(name) {
      await tabTo(named(page, name));
      await keyboard.press('Enter');
    },
    async type(code) {
      await tabTo(page.locator('#code'));
      await keyboard.type(code);
      await keyboard.press('Enter');
    },
  };
}

const named = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();

const hasFocus = (wanted: Locator): Promise<boolean> =>
  wanted.evaluate((element) => element.matches(':focus'));

/** The page says it, where a screen reader speaks it at once. */
export async function says(page: Page, role: 'status' | 'alert', words: string): Promise<void> {
  const said = async () => ({
    status: await page.getByRole('status').allInnerTexts(),
    alert: await page.getByRole('alert').allInnerTexts(),
  });
  // With both, a failure tells what the page says instead.
  await expect.poll(said, { timeout: PAGE_MS }).toMatchObject({ [role]: [expect.stringContaining(words)] });
}
