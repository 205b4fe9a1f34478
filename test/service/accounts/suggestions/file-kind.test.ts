// What an uploaded file is, by its first bytes.
import { expect, test } from 'vitest';
import { fileKindOf, requireCsvText } from '../../../../service/accounts/suggestions/file-kind.ts';

test.each([
  ['a zip', [0x50, 0x4b, 0x03, 0x04], 'zip'],
  ['an empty zip', [0x50, 0x4b, 0x05, 0x06], 'zip'],
  ['a compound file', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 'compound'],
  ['what only begins like a zip', [0x50, 0x4b, 0x03, 0x05], 'text'],
  ['a part of a signature', [0xd0, 0xcf, 0x11, 0xe0], 'text'],
  ['nothing', [], 'text'],
])('%s', (_, bytes, kind) => {
  expect(fileKindOf(new Uint8Array([...bytes, 0x0a]))).toBe(kind);
});

test('text may have tabs and breaks of lines and pages, and no other control character', () => {
  expect(() => requireCsvText('emailAddress;a\tb\v\f\r\nc')).not.toThrow();
  for (const code of [0, 8, 14, 31])
    expect(() => requireCsvText(`emailAddress${String.fromCharCode(code)}`)).toThrow('unknown binary format');
});

test.each([
  ['a PDF document', '%PDF-1.7'],
  ['an RTF document', '{\\rtf1'],
  ['an HTML or XML page', '  <html>'],
  ['a JSON document', ' [{}]'],
])('%s is named in the refusal', (name, text) => {
  expect(() => requireCsvText(text)).toThrow(name);
});
