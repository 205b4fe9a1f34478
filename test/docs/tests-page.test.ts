// No rule of ours is without a test, and docs/tests.md (npm run docs:tests) lists each.
import { expect, test } from 'vitest';
import { rulesWithTests, testFiles, testsPage } from '../../docs/tests.ts';

test('the page of the tests has a row for each rule, and each test file', () => {
  const lines = testsPage().split('\n');
  for (const rule of rulesWithTests().keys()) {
    expect(lines.filter((line) => line.startsWith(`| ${rule} | `))).toHaveLength(1);
  }
  for (const { path } of testFiles()) {
    expect(lines).toContain(`### [${path.replace('test/', '')}](../${path})`);
  }
});

test('every rule of our assumptions has a test that cites it', () => {
  const without = [...rulesWithTests()].filter(([, paths]) => paths.length === 0).map(([rule]) => rule);
  expect(without).toEqual([]);
});

test('the first comment of every test file says what it shows', () => {
  const silent = testFiles().filter(({ about }) => about === '');
  expect(silent.map(({ path }) => path)).toEqual([]);
});
