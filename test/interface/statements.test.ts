// Every statement of the published interface names a test that exists, or says why it needs none. Whether a test shows what
// the statement says is for whoever adds the row to read: the test must fail if the statement does not hold.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFiles } from '../../docs/tests.ts';
import type { Statement } from './statement.ts';
import { statements } from './statements.ts';

/** The sections of the interface, in its order, typed by hand. */
const headings = [
  'Locker Shipment and Account Integration Service: Interface Specification',
  'What the service does',
  'Resources and their fields',
  'Shipment',
  'Dimension',
  'Shipment object',
  'Account',
  'Account mutation configuration',
  'Account suggestion upload result',
  'Pick up point and locker',
  'States and transitions',
  'Endpoints',
  'Shipment creation: general rules',
  'CreateLocalShipment',
  'Flow-specific local operations',
  'CreateCollectOnlyShipment',
  'CreateCollectOnlyShipmentAsCollectByDispatcher',
  'CreateCollectOnlyShipmentAsCollectByUser',
  'Shipment management',
  'Account management',
  'UploadAccountSuggestions',
  'Authentication',
  'Events',
  'ShipmentStatusUpdate',
  'Errors',
  'Limits',
  'Versioning',
];

const titles = new Map(
  testFiles().map(({ path, titles: each }) => [path, new Set(each.map(({ title }) => title))]),
);
const assumptions = new Map(
  readFileSync(join(import.meta.dirname, '../../docs/assumptions.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n')[0], text]),
);

function isDecided(rule: string): boolean {
  const [heading, row] = rule.split(': ');
  const text = assumptions.get(heading);
  return text !== undefined && (row === undefined || text.includes(`| ${row} |`));
}

function faultsOf(statement: Statement): string[] {
  if ('leftOpen' in statement)
    return isDecided(statement.leftOpen) ? [] : [`docs/assumptions.md has no ${statement.leftOpen}`];
  if ('notTested' in statement) return statement.notTested === '' ? ['the reason is missing'] : [];
  if (statement.shownBy.length === 0) return ['it names no test'];
  return statement.shownBy
    .filter(({ path, title }) => !titles.get(path)?.has(title))
    .map(({ path, title }) => `${path} has no test "${title}"`);
}

test('every section of the interface is here, in its order, with statements', () => {
  expect(statements.map(({ heading }) => heading)).toEqual(headings);
  const empty = statements.filter(({ statements: each }) => each.length === 0);
  expect(empty.map(({ heading }) => heading)).toEqual([]);
});

test.each(statements)(
  'each statement under $heading names a test, and the test exists',
  ({ statements: each }) => {
    const faults = each.map((statement) => [statement.says, faultsOf(statement)] as const);
    expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
  },
);

test('a statement without a test, with a test or an assumption that does not exist, or without a reason is found', () => {
  const says = 'The service does it.';
  const [path, [title = ''] = []] = [...titles][0] ?? [];
  const shownBy = (name: string) => ({ says, shownBy: [{ path: String(path), title: name }] });
  expect(faultsOf(shownBy(title))).toEqual([]);
  for (const wrong of [
    { says, shownBy: [] },
    shownBy(`${title} in another way`),
    { says, shownBy: [{ path: 'test/none.test.ts', title }] },
    { says, leftOpen: 'No such heading' },
    { says, leftOpen: 'States: No such row' },
    { says, notTested: '' },
  ])
    expect(faultsOf(wrong), JSON.stringify(wrong)).toHaveLength(1);
});

test('no statement is there twice in its section', () => {
  for (const { heading, statements: each } of statements)
    expect(new Set(each.map(({ says }) => says)).size, heading).toBe(each.length);
});
