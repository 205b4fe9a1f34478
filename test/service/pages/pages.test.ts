// The page for people: the description of the API. It is used in a browser in long/service/pages/pages.test.ts.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { sandboxRoutes } from '../../../service/sandbox/sandbox.ts';
import { createTestService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';

const staging = useInFile(() => createTestService());
const production = useInFile(() => createTestService({ mode: 'production' }));

const text = async (address: string) => (await fetch(address)).text();

test('the address alone leads to the description', async () => {
  const answer = await fetch(staging.address);
  expect([answer.url, answer.status]).toEqual([`${staging.address}/docs`, 200]);
});

test('the page loads nothing from elsewhere, and has no script or style of its own', async () => {
  const answer = await fetch(`${staging.address}/docs`);
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
  expect(await text(`${staging.address}/openapi.json`)).not.toMatch(
    /assumptions:|interface: |architecture:|docs\/\w+\.md/,
  );
});
