// The blocks of the account search: a signature never passes over a block that has the text, and passes over most others.
// assumptions: Operating, SearchAccounts
import { expect, test } from 'vitest';
import { packed, searchedText, searchTextOf, signatureOf } from '../../../service/accounts/search-blocks.ts';

const texts = Array.from({ length: 5_000 }, (_, row) =>
  searchTextOf([
    row % 3 ? 'Zoë' : 'Łukasz',
    `Family${row.toString(36)}`,
    `p${row * 7}@example.com`,
    `Flat ${row}`,
  ]),
);
const blocks = packed(texts.map((text, key) => ({ key, text })));
const bitsOf = (signature: string) => BigInt(`0${signature}`);
const mayHave = (signature: string, text: string) => {
  const parts = bitsOf(signatureOf([text]));
  return (bitsOf(signature) & parts) === parts;
};

test('every text is in one block, on the line of its key', () => {
  expect(blocks.flatMap(({ keys }) => keys)).toEqual(texts.map((_, key) => key));
  expect(blocks.flatMap(({ text }) => text.split('\n'))).toEqual(texts);
});

test('no part of a text is passed over in its block', () => {
  for (const { keys, signature } of blocks.slice(0, 20))
    for (const key of keys)
      for (let at = 0; at < 20; at += 1)
        expect(mayHave(signature, (texts[key] ?? '').slice(at, at + 3 + (at % 9)))).toBe(true);
});

test('a text of five letters and more passes over nine of ten blocks that do not have it', () => {
  const inVain = ['qqxzz', 'family99z', 'jansen', 'p12345 ex', 'zuidhof'].flatMap((text) =>
    blocks.filter((block) => !block.text.includes(text) && mayHave(block.signature, text)),
  );
  expect(inVain.length / (blocks.length * 5)).toBeLessThan(0.1);
});

test.each([
  ['An', ' an'],
  ['  Zoë', 'zoe'],
  ['é!', ' e'],
  ['💥', ' 💥'],
  ['van  den-Berg', 'van den berg'],
  ['.,-', undefined],
])('%j is searched as %j', (searchText, text) => {
  expect(searchedText(searchText)).toBe(text);
});
