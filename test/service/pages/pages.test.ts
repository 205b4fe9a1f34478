// What a person sees who opens the service in a browser: what it is, and the description of its API, from which calls can be
// made in staging.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sandboxRoutes } from '../../../service/sandbox/sandbox.ts';
import { chromiumPath, launchChromium, noChromium } from '../../support/chromium.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let staging: TestService;
let production: TestService;
beforeAll(async () => {
  [staging, production] = await Promise.all([createTestService(), createTestService({ mode: 'production' })]);
});
afterAll(() =>
  Promise.all([staging[Symbol.asyncDispose](), production[Symbol.asyncDispose]()]).then(() => undefined),
);

const text = async (address: string) => (await fetch(address)).text();

test('the page at / says what the service is, whether it is staging, and where the description is', async () => {
  const answer = await fetch(staging.address);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await answer.text();
  expect(page).toContain('<h1>Locker Shipment and Account Integration Service</h1>');
  expect(page).toContain('This is <strong>staging</strong>');
  expect(await text(production.address)).toContain('This is <strong>production</strong>');
  const links = [...page.matchAll(/<a href="([^"]+)">/g)].map(([, href]) => `${href}`);
  expect(links).toContain('/docs');
  for (const href of links) expect((await fetch(staging.address + href)).status, href).toBe(200);
});

test('no page loads anything from elsewhere or has a script or a style of its own', async () => {
  for (const path of ['/', '/docs']) {
    const answer = await fetch(staging.address + path);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    const page = await answer.text();
    expect(page).not.toMatch(/style=|<style|<script>| on\w+=/);
    const loaded = [...page.matchAll(/(?:src|<link rel="stylesheet" href)="([^"]+)"/g)].map(
      ([, each]) => `${each}`,
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const each of loaded) {
      expect(each).toMatch(/^\//);
      expect((await fetch(staging.address + each)).status, each).toBe(200);
    }
  }
});

test('the description of staging has the paths below /sandbox, that of production has not', async () => {
  const json = await text(`${staging.address}/openapi.json`);
  const { paths } = JSON.parse(json) as { paths: Record<string, Record<string, unknown>> };
  for (const { path, method } of sandboxRoutes)
    expect(paths[path], path).toHaveProperty(method.toLowerCase());
  expect(await text(`${production.address}/openapi.json`)).not.toContain('/sandbox/');
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: json, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

test('every example of a path below /sandbox is a valid input', () => {
  for (const { path, input, example } of sandboxRoutes)
    expect(input.safeParse(example).error, path).toBeUndefined();
});

test('nothing that an API client reads cites a document that it cannot open', async () => {
  for (const path of ['/', '/openapi.json'])
    expect(await text(staging.address + path)).not.toMatch(
      /assumptions:|interface: |architecture:|docs\/\w+\.md/,
    );
});

// assumptions: The wire, Pages for people
test('in a browser: log in, call an operation of staging, read its answer', { timeout: 120_000 }, async ({
  skip,
}) => {
  const path = chromiumPath();
  if (path === undefined) return skip(noChromium);
  const browser = await launchChromium(path);
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
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
