// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What an author can write is read in a time that grows with it: not with its square, nor with the ways through it.
import { expect, test } from 'vitest';
import { partsOf } from '../../flow-files/expressions/template.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { circleFindings } from '../../flow-files/lint/circles.ts';

function tookMs(act: () => unknown): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}

const invoking = (name: string, flows: readonly string[]): FlowFile => ({
  ...{ name, meaning: 'Starts others.', initial: 'all' },
  states: { all: { invoke: flows.map((src, index) => ({ id: `i${index}`, src })) } },
});

test('flows that invoke each other in a circle are found among thirty files of which each invokes all later ones', () => {
  const names = Array.from({ length: 30 }, (_, index) => `Flow${index}`);
  const files = names.map((name, index) => invoking(name, names.slice(index + 1)));
  // There are half a billion ways from the first to the last one.
  expect(tookMs(() => expect(files.flatMap((file) => circleFindings(file, files))).toEqual([]))).toBeLessThan(
    200,
  );
  const circle = [...files.slice(0, -1), invoking('Flow29', ['Flow0'])];
  const found = files.slice(0, 2).map((file) => circleFindings(file, circle).length);
  expect(found).toEqual([29, 28]);
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
