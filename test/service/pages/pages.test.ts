// The pages for people: what the service is, and the description of its API. They are used in a browser in
// pages.long.test.ts.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { sandboxRoutes } from '../../../service/sandbox/sandbox.ts';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';

const staging = useInFile(() => createTestService());
const production = useInFile(() => createTestService({ mode: 'production' }));

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
