import fc from 'fast-check';
import { expect, test } from 'vitest';
import { code, shownAsText } from '../../../shared/markdown/shown-as-text.ts';
import { escapeControlCharacters } from '../../../shared/terminal/escape-control-characters.ts';
import { hostileMarkdown, hostileTexts, textInCode } from '../../support/hostile-texts.ts';

const texts = fc.oneof(
  fc.constantFrom(...hostileMarkdown, ...hostileTexts),
  fc.string({ unit: fc.constantFrom(...'` \\|*_[]<>&\n\ra#-1.') }),
  fc.string({ unit: 'binary' }),
);
const shown = (text: string) => escapeControlCharacters(text).replaceAll('|', '\\u007c');

test('any text in code is one code span with that text, in one line and without a pipe', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(textInCode(code(text))).toBe(text === '' ? null : shown(text));
    }),
  );
});

test('ordinary words stay as they are, and everything else is code', () => {
  for (const words of ['Ada Lovelace', 'Full: so no.', 'Größe (neu)', '収納庫', '2031-01-02T10:00:00.000Z'])
    expect(shownAsText(words)).toBe(words);
  for (const text of hostileMarkdown) expect(shownAsText(text)).toBe(code(text));
});
