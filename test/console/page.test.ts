// The console's page in a real Chromium, once through, with everything real behind it. What each view does is tried by the
// files *.long.test.ts.
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { ourService, startInstallation } from '../end-to-end/installation.ts';
import { chromiumPath, launchChromium, noChromium } from '../support/chromium.ts';
import { issueRequest, newConsoleOf, PASSWORD } from './console-world.ts';

const PATIENCE_MS = 120_000;

test(
  'a person signs in, finds a process in the list, and sees on its page where it stands',
  async ({ skip }) => {
    const executablePath = chromiumPath();
    if (executablePath === undefined) return skip(noChromium);
    await using stack = new AsyncDisposableStack();
    vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const installation = stack.use(await startInstallation(ourService));
    const { address } = stack.use(await newConsoleOf(installation));
    const browser = await launchChromium(executablePath);
    stack.defer(() => browser.close());
    const key = 'page-order-1';
    const flow = await installation.flows.start('Issue', key, { request: issueRequest });

    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const wrong: string[] = [];
    page.on('pageerror', ({ message }) => wrong.push(message));
    await page.goto(`${address}/processes`);
    await page.getByLabel('Name').fill('anna');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const row = page.locator(`tr[data-key="${key}"]`);
    await row.getByText('to be dropped off').waitFor();
    await row.getByRole('link', { name: key }).click();
    const present = (words: string) => page.locator('.track .present', { hasText: words }).waitFor();
    await present('dropped off');

    const { shipments } = await flow.progress();
    await installation.people.dropOff(shipments.issue?.shipmentUid ?? '');
    await present('picked up');
    await installation.people.pickUp(shipments.issue?.shipmentUid ?? '');
    await page.locator('h1', { hasText: 'Done' }).waitFor();
    expect(wrong).toEqual([]);
  },
  PATIENCE_MS,
);
