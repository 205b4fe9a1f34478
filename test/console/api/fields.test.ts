// The fields of the API mean the same to the server and to whoever reads the document.
import { expect, test } from 'vitest';
import { searchable } from '../../../console/api/fields.ts';
import { schemaOf } from '../../../processes/views/flow-schemas.ts';

test('a text to search for is valid to the document as it is to the server, whatever its characters', () => {
  // As JSON Schema reads it: a character beyond U+FFFF is one.
  const pattern = new RegExp(String(schemaOf(searchable, 'input').pattern), 'u');
  const texts = ['desk', 'Schlüssel 🔑', '\u{ca573}', '끄={', 'a\u00a0b', 'a"b', 'a\\b', 'a\nb', 'a\u009fb'];
  const said = texts.map((text) => [text, pattern.test(text)]);
  expect(said).toEqual(texts.map((text) => [text, searchable.safeParse(text).success]));
  expect(said.filter(([, isValid]) => isValid)).toHaveLength(5);
});
