// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Texts as YAML: keys that a map has twice, and what a text costs that is wrong everywhere.
import { afterAll, expect, test } from 'vitest';
import { partsOf } from '../../../../flows/language/expressions/template.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import { circleFindings } from '../../../../flows/language/lint/invokes.ts';
import { readFlowFile } from '../../../../flows/language/reading/read-flow-file.ts';
import { formatFinding } from '../../../../flows/language/reading/report.ts';
import { CountedWork } from '../../../support/counted-work.ts';
import { namesForTests } from '../names.ts';

const work = new CountedWork();
afterAll(() => work[Symbol.dispose]());
const { parsedText } = await import('../../../../flows/language/reading/yaml.ts');

const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `k${index}`).join(',')}}`;

test.each([
  ['a: 1\nb: { c: 1, "c": 2 }\na: 2', ['2:12', '3:1']],
  ['{ 1: a, 1.0: b }', ['1:9']],
  ['? a\n? a\n: 1', ['2:3']],
  ['- { a: 1 }\n- { a: 1 }', []],
  ['{ ? { b, b } : 1 }', ['1:10']],
])('a key that a map has twice is found at its place: %s', (text, places) => {
  const found = parsedText(text).findings.filter(({ code }) => code === 'DuplicateKey');
  expect(found.map(({ line, column }) => `${line}:${column}`).sort()).toEqual(places);
  for (const each of found) expect(each).toMatchObject({ path: '', what: 'a key' });
});

test('the work for different keys grows with their number', () => {
  const few = work.stepsOf(() => parsedText(keys(2_000)));
  const many = work.stepsOf(() => parsedText(keys(8_000)));
  expect(many / few).toBeLessThan(6);
});

test.each([
  ['quotes', '"'.repeat(60_000), 30_000],
  ['keys that are no texts', `{${Array.from({ length: 9_000 }, (_, index) => index).join(',')}}`, 9_000],
  ['the same key', 'a: 1\n'.repeat(8_000), 7_999],
  ['fields under a long name', `${'x'.repeat(20_000)}: { ${'1: a, '.repeat(5_000)} }`, 9_999],
])('of a text that is wrong everywhere the first findings are listed: %s', (_, text, atLeast) => {
  const { findings } = parsedText(text);
  expect(findings.length).toBeLessThanOrEqual(51);
  const last = findings.at(-1);
  expect(last?.code).toBe('MoreFindings');
  const more = Number(/^(\d+) more findings$/.exec(last?.what ?? '')?.[1]);
  expect(findings.length - 1 + more).toBeGreaterThanOrEqual(atLeast - 1);
  expect(findings.map(formatFinding).join('\n').length).toBeLessThan(150_000);
});

test('of a file with thousands of unknown fields the first findings are listed', () => {
  const long = 'x'.repeat(10_000);
  const states = `{ ${long}: { ${Array.from({ length: 4_000 }, (_, index) => `f${index}: 1`).join(', ')} } }`;
  const { findings } = readFlowFile(
    `name: Loan\nmeaning: A test.\ninitial: a\nstates: ${states}`,
    namesForTests,
  );
  expect(findings.at(-1)?.code).toBe('MoreFindings');
  expect(findings.map(formatFinding).join('\n').length).toBeLessThan(150_000);
});

function tookMs(act: () => unknown): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}

const invoking = (name: string, flows: readonly string[]): FlowFile => ({
  name,
  meaning: 'Starts others.',
  initial: 'all',
  states: { all: { invoke: flows.map((src, index) => ({ id: `i${index}`, src })) } },
});

test('flows that invoke each other in a circle are found among thirty files of which each invokes all later ones', () => {
  const names = Array.from({ length: 30 }, (_, index) => `Flow${index}`);
  const files = names.map((name, index) => invoking(name, names.slice(index + 1)));
  // There are half a billion ways from the first to the last one.
  expect(tookMs(() => expect(files.flatMap((file) => circleFindings(file, files))).toEqual([]))).toBeLessThan(
    3_000,
  );
  const circle = [...files.slice(0, -1), invoking('Flow29', ['Flow0'])];
  const found = files.slice(0, 2).map((file) => circleFindings(file, circle).length);
  expect(found).toEqual([29, 28]);
});

test('a file whose states are all misshapen is read in one pass', () => {
  const states = (count: number) =>
    `states: {${Array.from({ length: count }, (_, index) => `s${index}: x`).join(',')}}`;
  expect(tookMs(() => readFlowFile(states(6_000), namesForTests))).toBeLessThan(3_000);
});

test('a text of 64 kB is split into its expressions in one pass, however its quotes are', () => {
  const texts = {
    'a quote that nothing closes, and escaped ones': `\${"${'\\"'.repeat(32_000)}`,
    expressions: '${a}'.repeat(16_000),
    'both quotes': `\${${`"'`.repeat(32_000)}`,
  };
  for (const [which, text] of Object.entries(texts))
    expect(
      tookMs(() => {
        try {
          partsOf(text);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
      which,
    ).toBeLessThan(1_000);
});

test('a quote that nothing closes stands for itself, and later ones of its kind too', () => {
  expect(partsOf(`\${a + "} and \${b'}`)).toEqual([{ source: 'a + "' }, { text: ' and ' }, { source: "b'" }]);
  expect(partsOf(`\${"}" + '{'} $\${c} \${"\\"}"}`)).toEqual([
    { source: `"}" + '{'` },
    { text: ' ${c} ' },
    { source: '"\\"}"' },
  ]);
});
