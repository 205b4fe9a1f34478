// The steps that .ci/first-hour types: every block of commands of its pages is one, and every file that they have the reader write.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'docs/run.md',
  'docs/integrate.md',
  'docs/flow-files.md',
  'docs/operate.md',
  'docs/declare-a-flow.md',
];

interface Step {
  readonly kind: 'commands' | 'file';
  readonly page: string;
}

const steps = JSON.parse(
  execFileSync(process.execPath, [join(root, '.ci/first-hour.mjs'), '--list'], { encoding: 'utf8' }),
) as Step[];
const of = (page: string, kind: Step['kind']) =>
  steps.filter((step) => step.page === page && step.kind === kind);

test.each(pages)('%s: every block of commands is a step', (page) => {
  const blocks = readFileSync(join(root, page), 'utf8').match(/^```sh$/gm) ?? [];
  expect(of(page, 'commands')).toHaveLength(blocks.length);
  expect(of(page, 'commands').length).toBeGreaterThan(0);
});

test('the files that a page has its reader write are steps too', () => {
  expect(of('docs/flow-files.md', 'file').length).toBeGreaterThan(1);
  expect(of('docs/declare-a-flow.md', 'file').length).toBeGreaterThan(7);
});
