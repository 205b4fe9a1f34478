// A person before the kiosk in a real browser, who sees the page and uses a finger alone, or the keyboard alone.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const PAGE_MS = 30_000;
// The page has some 20 places that take the focus.
const MAX_TABS = 60;

export interface PersonAtKiosk {
  readonly page: Page;
  /** Types the code and asks for the door. */
  type(code: string): Promise<void>;
  /** Presses the first button with this text. */
  press(button: string | RegExp): Promise<void>;
}

/** Opens the page with a clock that stands: no screen goes by itself, however slow the machine is. */
export async function openWithoutHaste(page: Page, url: string): Promise<void> {
  await page.clock.setFixedTime(Date.now());
  await page.goto(url);
}

export async function advanceClock(page: Page, seconds: number): Promise<void> {
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + seconds * 1_000);
}

/** From the outcome before. */
async function backAtStart(page: Page, goBack: () => Promise<void>): Promise<void> {
  await page.locator('#typing, #again').locator('visible=true').first().waitFor({ timeout: PAGE_MS });
  if (!(await page.locator('#typing').isVisible())) await goBack();
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
      await backAtStart(page, () => page.locator('#again').tap());
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
    for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
      if (await hasFocus(wanted)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${wanted} did not get the focus within ${MAX_TABS} presses of Tab`);
  };
  return {
    page,
    async press(name) {
      await tabTo(named(page, name));
      await keyboard.press('Enter');
    },
    async type(code) {
      await backAtStart(page, () => keyboard.press('Escape'));
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
