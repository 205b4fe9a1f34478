// What names the version of the package names the one in package.json, and the changelog has its notes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

test.each(['docs/integrate.md', 'docs/flow-files.md'])('%s names the file that npm pack makes', (page) => {
  const named = [...read(page).matchAll(/lockerflow-(\d[\w.-]*)\.tgz/g)].map(([, each]) => each);
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set([version]));
});

test('the newest release in the changelog is the version of package.json, with its date', () => {
  const [newest] = read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$/gm);
  expect(newest?.[1]).toBe(version);
});
