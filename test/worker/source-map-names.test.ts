// The names in a bundle's source map: those that a stack trace shows.
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { expect, test } from 'vitest';
import { withNamesOfCalls } from '../../worker/source-map-names.ts';

const INLINE = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';
const inline = (map: object) => `${INLINE}${Buffer.from(JSON.stringify(map)).toString('base64')}`;
const mapIn = (bundle: string) =>
  JSON.parse(Buffer.from(bundle.slice(bundle.indexOf(INLINE) + INLINE.length), 'base64').toString());

const line = 'const a=b(c.d,e?.(f),g`h`);throw a';
const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a'];
const names = ['result', 'book', 'request', 'legs', 'notify', 'person', 'text', 'unused'];
const columns = [6, 8, 10, 12, 14, 18, 21, 33];

test('names of calls stay, all others go, and so do names that nothing has; each place of the sources stays', () => {
  expect(columns.map((column) => line[column])).toEqual(words);
  const map = {
    version: 3,
    file: 'bundle.js',
    sources: ['flow.ts'],
    sourceRoot: '',
    names,
    mappings: encode([
      [],
      columns.map((column, index): [number, number, number, number, number] => [column, 0, index, 3, index]),
    ]),
  };
  const lean = withNamesOfCalls(`"use strict";\n${line}${inline(map)}`);
  expect(lean).toMatch(/^"use strict";\nconst a=b/);
  expect(mapIn(lean).names).toEqual(['book', 'notify', 'text']);
  const segments = decode(mapIn(lean).mappings)[1] ?? [];
  expect(segments.map(([column, , ofSource, place]) => [column, ofSource, place])).toEqual(
    columns.map((column, index) => [column, index, 3]),
  );
  expect(segments.map(([, , , , name]) => mapIn(lean).names[name ?? -1])).toEqual(
    names.map((name, index) => ([1, 4, 6].includes(index) ? name : undefined)),
  );
});

test('a bundle without its source map is refused', () => {
  expect(() => withNamesOfCalls('const a = 1;')).toThrow('no inline source map');
});
