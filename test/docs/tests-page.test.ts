// docs/tests.md is what the tests say today, and no rule of ours is without a test.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { rulesWithTests, testFiles, testsPage } from '../../docs/tests.ts';

test('the page of the tests is current (npm run docs writes it)', async () => {
  const page = await readFile(new URL('../../docs/tests.md', import.meta.url), 'utf8');
  expect(page).toBe(testsPage());
});

test('every rule of our assumptions has a test that cites it', () => {
  const without = [...rulesWithTests()].filter(([, paths]) => paths.length === 0).map(([rule]) => rule);
  expect(without).toEqual([]);
});

test('the first comment of every test file says what it shows', () => {
  const silent = testFiles().filter(({ about }) => about === '');
  expect(silent.map(({ path }) => path)).toEqual([]);
});
