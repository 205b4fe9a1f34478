// What names the version of the package names the one in package.json, and the changelog has its notes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, lastRelease } from '../service/storage/last-release.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

test('the lock file has the version of package.json', () => {
  const lock = JSON.parse(read('package-lock.json')) as {
    readonly version: string;
    readonly packages: { readonly '': { readonly version: string } };
  };
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

test.each(['docs/integrate.md', 'docs/flow-files.md'])('%s names the file that npm pack makes', (page) => {
  const named = [...read(page).matchAll(/lockerflow-(\d[\w.-]*)\.tgz/g)].map(([, each]) => each);
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named)).toEqual(new Set([version]));
});

test('the newest release in the changelog is the version of package.json, with its date', () => {
  const [newest] = read('CHANGELOG.md').matchAll(/^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$/gm);
  expect(newest?.[1]).toBe(version);
});

test('the notes of the last release are as its commit has them', async ({ skip }) => {
  const release = await lastRelease().catch((error: Error) => error.message);
  // A copy without its history, like an archive or a shallow clone.
  if (typeof release === 'string') return skip(release);
  const heading = `## [${release.version}] - `;
  const notesIn = (changelog: string) => changelog.slice(changelog.indexOf(heading)).trim();
  // Git may put a line of a branch that is older than the release there, with all that the release has rewritten.
  expect(notesIn(read('CHANGELOG.md'))).toBe(notesIn(await git('show', `${release.commit}:CHANGELOG.md`)));
});
