// npm run test:quick knows every folder that holds code. It names only tests that exist, and so does what begins first.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longest } from '../longest-first.ts';

const root = join(import.meta.dirname, '../..');
const table = JSON.parse(readFileSync(join(root, 'test/quick.json'), 'utf8')) as Record<
  string,
  readonly string[]
>;
/** Of this project's folders: what tools make beside them, and what holds no code of the product. */
const without = /^\.|^(node_modules|dist|coverage|test|bench)$/;

test('every folder of the product has its row', () => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !without.test(entry.name))
    .map(({ name }) => name);
  const covered = new Set(Object.keys(table).map((folder) => folder.split('/')[0] ?? ''));
  expect([...covered].sort()).toEqual(folders.sort());
  for (const folder of Object.keys(table)) expect(existsSync(join(root, folder)), folder).toBe(true);
});

test('every row names tests, and each of them exists', () => {
  for (const [folder, paths] of Object.entries(table)) {
    expect(paths.length, folder).toBeGreaterThan(0);
    for (const path of paths) expect(existsSync(join(root, path)), `${folder}: ${path}`).toBe(true);
  }
});

test('each file of tests that begins first exists', () => {
  for (const path of longest) expect(existsSync(join(root, path)), path).toBe(true);
});
