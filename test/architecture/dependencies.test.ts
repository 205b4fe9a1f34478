// Every dependency is named in docs/dependencies.md with its reason, and nothing is named that is none.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const names = z.record(z.string(), z.string());
const packageFile = z
  .object({ dependencies: names, devDependencies: names })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');

/** Names in the first column of the tables under a heading. */
function named(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => `${name}`),
  );
}

test.each([
  ['At run time', packageFile.dependencies],
  ['To develop', packageFile.devDependencies],
] as const)('%s: the page names the dependencies of package.json', (heading, dependencies) => {
  expect(named(heading).sort()).toEqual(Object.keys(dependencies).sort());
});
