// The sign-in by a provider in a real browser, which decides itself which cookies go with a redirect from another site.
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { startConsoleWithProvider } from '../../../console/sign-in/open-id-provider.ts';
import { chromiumPath } from '../../../support/chromium.ts';

const SLOW_MS = 120_000;

test.skipIf(!chromiumPath())(
  'a person comes to the page that was wanted, signs out, and is told why a group is missing',
  { timeout: SLOW_MS },
  async () => {
    await using both = await startConsoleWithProvider('localhost');
    const { provider, tested } = both;
    provider.person = { sub: 'u-1', preferred_username: 'anna.b', groups: ['desk'] };
    // Not as other tests start it: those know no other host than 127.0.0.1.
    const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(`${tested.address}/walls`);
      const signIn = page.getByRole('button', { name: `Sign in by ${new URL(provider.issuer).host}` });
      await signIn.click();
      await page.getByText('anna.b', { exact: true }).waitFor();
      expect(page.url()).toBe(`${tested.address}/walls`);
      await page.locator('.head-end summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${provider.issuer}/session/end?**`);
      provider.person = { ...provider.person, groups: ['nobody'] };
      await page.goto(`${tested.address}/`);
      await signIn.click();
      await page.getByText('anna.b has no group that may use the console').waitFor();
    } finally {
      await browser.close();
    }
  },
);
