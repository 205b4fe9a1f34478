// The description of the API in a real browser: calls can be made from it in staging, and cannot in production.
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath, launchChromium, noChromium } from '../../../support/chromium.ts';
import { createTestService } from '../../../support/service.ts';

// assumptions: The wire, Pages for people
test('in a browser: log in, call an operation of staging, read its answer', { timeout: 300_000 }, async ({
  skip,
}) => {
  const path = chromiumPath();
  if (path === undefined) return skip(noChromium);
  await using staging = await createTestService();
  await using production = await createTestService({ mode: 'production' });
  const browser = await launchChromium(path);
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(180_000);
  const wrong: string[] = [];
  const elsewhere: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(staging.address))
      elsewhere.push(request.url());
  });
  await page.goto(`${staging.address}/docs`);
  await page.locator('button.authorize').first().click();
  const dialog = page.locator('.auth-container', { hasText: 'clientCredentials' });
  await dialog.locator('input[name="client_id"], input#client_id_clientCredentials').first().fill('demo');
  await dialog.locator('input#client_secret_clientCredentials').first().fill('demo-secret');
  await dialog.getByRole('button', { name: /^(Apply|Authorize)/ }).click();
  await dialog.getByRole('button', { name: /Logout|Remove/ }).waitFor();
  await page.locator('.btn-done').first().click();
  const operation = page.locator('#operations-Logistics-GetPickUpPoints');
  await operation.locator('.opblock-summary-control').first().click();
  await operation.locator('button.execute').click();
  const answered = operation
    .locator('.live-responses-table .response-col_description .highlight-code')
    .first();
  await answered.waitFor();
  expect(await answered.textContent()).toContain('pup-central');
  expect(wrong).toEqual([]);
  expect(elsewhere).toEqual([]);
  await page.goto(`${production.address}/docs`);
  await page.locator('#operations-Logistics-GetPickUpPoints .opblock-summary-control').first().click();
  await page.locator('#operations-Logistics-GetPickUpPoints .opblock-body').waitFor();
  expect(await page.locator('button.execute').count()).toBe(0);
});
