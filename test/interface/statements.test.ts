// Every statement of the published interface is in statements.md, and names test files that exist, the row of
// docs/assumptions.md that decides what it leaves open, or the reason why it needs no test. Whether the tests show what the
// statement says is for whoever adds the row to read.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sectionsOf = (path: string) =>
  readFileSync(join(root, path), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ heading: text.split('\n')[0] ?? '', text }));

const rowsOf = (text: string) =>
  [...text.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1).map(([, says = '', by = '']) => ({ says, by }));
const statements = sectionsOf('test/interface/statements.md').map(({ heading, text }) => ({
  heading,
  rows: rowsOf(text),
}));
const assumptions = new Map(
  sectionsOf('docs/assumptions.md').map(({ heading, text }) => [heading, text] as const),
);

function faultsOf(by: string): string[] {
  const [, rule] = /^assumptions: (.+)$/.exec(by) ?? [];
  if (rule !== undefined) {
    const [heading = '', ...row] = rule.split(', ');
    const text = assumptions.get(heading) ?? '';
    const isThere = text !== '' && (row.length === 0 || text.includes(`| ${row.join(', ')} |`));
    return isThere ? [] : [`docs/assumptions.md has no ${rule}`];
  }
  if (/^no test: ./.test(by)) return [];
  const files = [...by.matchAll(/`([^`]+)`/g)].map(([, file]) => `test/${file}.test.ts`);
  if (files.length === 0) return ['it names no test'];
  return files.filter((file) => !existsSync(join(root, file))).map((file) => `there is no ${file}`);
}

test('each section has statements, none of them twice', () => {
  expect(statements).toHaveLength(27);
  for (const { heading, rows } of statements) {
    expect(rows.length, heading).toBeGreaterThan(0);
    expect(new Set(rows.map(({ says }) => says)).size, heading).toBe(rows.length);
  }
});

test.each(statements)('each statement under $heading has its tests', ({ rows }) => {
  const faults = rows.map(({ says, by }) => [says, faultsOf(by)] as const);
  expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
});

test.each([
  '`service/none`',
  'some test',
  'assumptions: Nothing',
  'assumptions: States, Nothing',
  'no test: ',
])('a statement shown by %s is found', (by) => {
  expect(faultsOf(by)).toHaveLength(1);
});
