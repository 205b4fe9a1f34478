// UploadAccountSuggestions of files that are made to harm or are broken: each gets a clear refusal, and the service
// goes on. The limits are set low where the file would else be large. In `npm test` the process of the test reads.
import { beforeEach, expect, test, vi } from 'vitest';
import { createTestService, withService } from '../../../support/service.ts';
import { eachSampled } from '../../../support/suite.ts';
import { useInFile } from '../../../support/use.ts';
import {
  csv,
  fixture,
  HEADER,
  limits,
  people,
  readFilesInThisProcess,
  type Upload,
  uploaderAs,
} from './upload.ts';
import { rowOf, sharedText, workbookOf, xlsxOf, zipOf } from './zip.ts';

// In the long suite each upload starts a process: on a loaded machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

/** Of the service that the present test asks. */
let present = limits;
readFilesInThisProcess(() => present);
beforeEach(() => {
  present = limits;
});

const service = useInFile(() => createTestService({ upload: limits }));
const upload = useInFile(() => uploaderAs(service.address));

const columns = HEADER.split(';');
const MEGABYTE_OF_ROWS = rowOf(2, 'x'.repeat(50)).repeat(10_000);

async function expectRefusal(content: Upload['content'], error: string, message: RegExp) {
  const { status, body } = await upload({ content });
  expect([status, body]).toEqual([
    error === 'PayloadTooLarge' ? 413 : 400,
    { success: false, error, message: expect.stringMatching(message) },
  ]);
}

test('an upload with errors in all rows is answered with the first ones, and with the number of all', async () => {
  present = { ...limits, rows: 20_000 };
  await withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      const unseen = '\u007f'.repeat(60);
      const rows = (count: number, text: string) => Array.from({ length: count }, () => `${text};;;;;;`);
      const { body: many } = await uploadNow({ content: csv(...rows(5_000, 'no-address')) });
      expect(many).toMatchObject({ totalCount: 5_000, importedCount: 0, errorCount: 5_000 });
      expect(many.errorLogs).toHaveLength(1_000);
      const { body: long } = await uploadNow({
        content: csv(...rows(3_000, `${unseen};${unseen};${unseen};${unseen};${unseen}`)),
      });
      expect(long).toMatchObject({ errorCount: 3_000 });
      expect(JSON.stringify(long).length).toBeLessThan(1_200_000);
      expect(JSON.stringify(long)).not.toContain('\u007f');
    },
    { upload: present },
  );
});

test('a zip bomb is PayloadTooLarge, whether it says its size or lies', async () => {
  const bomb = xlsxOf(MEGABYTE_OF_ROWS.repeat(20));
  expect(bomb.byteLength).toBeLessThan(100_000);
  await expectRefusal(bomb, 'PayloadTooLarge', /once unzipped; the limit is 10,000,000 bytes/);
  const liar = xlsxOf(MEGABYTE_OF_ROWS.repeat(20), { claimedSize: 1_000 });
  await expectRefusal(liar, 'InvalidImportType', /damaged or cut off: it cannot be unzipped/);
});

test('a zip bomb in many parts, or in one part listed many times, is PayloadTooLarge', {
  tags: 'long',
}, async () => {
  const part = { content: '<a/>'.repeat(250_000) };
  const parts = Array.from({ length: 12 }, (_, index) => ({ ...part, name: `xl/part${index}.xml` }));
  await expectRefusal(xlsxOf('', {}, ...parts), 'PayloadTooLarge', /once unzipped/);
  await expectRefusal(xlsxOf('', { listed: 5_000 }), 'PayloadTooLarge', /too many parts; the limit is 1,000/);
});

test('a text that thousands of cells share counts for each of them', { tags: 'long' }, async () => {
  const shared = '<c t="s"><v>0</v></c>';
  const rows = Array.from(
    { length: 1_000 },
    (_, at) =>
      `<row r="${at + 2}"><c t="inlineStr"><is><t>p${at}@example.com</t></is></c><c/><c/>${shared.repeat(3)}</row>`,
  ).join('');
  const content = xlsxOf(rowOf(1, ...columns) + rows, {}, sharedText('€'.repeat(2_000)));
  expect(content.byteLength).toBeLessThan(20_000);
  present = { ...limits, unzippedBytes: 500_000 };
  await withService(
    async ({ address }) => {
      const { status, body } = await (await uploaderAs(address))({ content });
      expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
      expect(body.message).toMatch(/too much text in its cells.*the limit is 500,000 bytes/);
    },
    { upload: present },
  );
});

test('a text that no cell can hold is PayloadTooLarge, before a reader has it; an add-in may have one', async () => {
  const rows = rowOf(1, ...columns) + rowOf(2, 'a@example.com');
  const text = 'x'.repeat(400_001);
  const tooLong = /text that is too long for a cell; the limit is 400,000 bytes/;
  await expectRefusal(xlsxOf(rows, {}, sharedText(text)), 'PayloadTooLarge', tooLong);
  await expectRefusal(xlsxOf(`${rows}<row a="${text}"/>`), 'PayloadTooLarge', tooLong);
  const longest = rowOf(3, 'b@example.com', '', '', '', '', '&#1114111;'.repeat(32_767));
  const addIn = { name: 'customXml/item1.xml', content: `<a>${text}</a>` };
  const { body } = await upload({ content: xlsxOf(rows + longest, {}, addIn) });
  expect(body).toMatchObject({ totalCount: 2, importedCount: 1, errorCount: 1 });
});

test('a zip within a zip stays packed', { tags: 'long' }, async () => {
  const inner = zipOf({ name: 'bomb.xml', content: ' '.repeat(30_000_000) });
  const content = xlsxOf(rowOf(1, ...columns), {}, { name: 'xl/media/bomb.zip', content: inner });
  expect((await upload({ content })).body).toMatchObject({ success: true, totalCount: 0 });
});

test('entities that would grow without end are not expanded', async () => {
  const lol = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>';
  const content = `${lol}<worksheet><sheetData>${rowOf(1, ...columns)}${rowOf(2, '&b;@example.com')}</sheetData></worksheet>`;
  const { body } = await upload({ content: xlsxOf('', { content }) });
  expect(body).toMatchObject({ totalCount: 1, errorCount: 1 });
});

test('as many rows as the limit are taken, one more is PayloadTooLarge', async () => {
  expect((await upload({ content: csv(...people(1_000)) })).body.importedCount).toBe(1_000);
  await expectRefusal(csv(...people(1_001)), 'PayloadTooLarge', /too many rows; the limit is 1,000 rows/);
  const sheet = (count: number) =>
    xlsxOf(
      rowOf(1, ...columns) +
        people(count)
          .map((row, at) => rowOf(at + 2, row.slice(0, -6)))
          .join(''),
    );
  expect((await upload({ content: sheet(1_000) })).body.importedCount).toBe(1_000);
  await expectRefusal(sheet(1_001), 'PayloadTooLarge', /too many rows; the limit is 1,000 rows/);
});

test('a cell at the far end of a sheet is counted as its last row', async () => {
  const far = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>';
  await expectRefusal(xlsxOf(rowOf(1, ...columns) + far), 'PayloadTooLarge', /too many rows/);
});

eachSampled(
  test,
  ['libreoffice.xlsx', 'openpyxl.xlsx', 'libreoffice.xls', 'xlwt.xls'],
  2,
)('%s that is cut off is InvalidImportType', async (name) => {
  const whole = await fixture(name);
  for (const part of [0.1, 0.5, 0.9]) {
    const content = whole.slice(0, Math.floor(whole.length * part));
    await expectRefusal(content, 'InvalidImportType', /damaged or cut off/);
  }
});

test.each([
  ['random bytes', Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 256), /binary|damaged/],
  ['the beginning of a zip and nothing else', new Uint8Array([0x50, 0x4b, 3, 4]), /cannot be unzipped/],
  ['an empty zip', zipOf(), /no .xlsx workbook/],
  ['a zip of a text', zipOf({ name: 'residents.csv', content: csv() }), /no .xlsx workbook/],
  ['a zip that is encrypted', xlsxOf('', { encrypted: true }), /encrypted/],
  [
    'the beginning of an .xls file and nothing else',
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    /damaged/,
  ],
  ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), /binary/],
  ['an RTF document', '{\\rtf1', /RTF/],
  ['a control character', 'EmailAddress;a\u0008b', /binary/],
  ['a JSON document', '[{"EmailAddress":"a@example.com"}]', /JSON/],
  ['a sheet that is not XML', xlsxOf('', { content: 'no XML at all' }), /./],
])('%s is refused', async (_, content, message) => {
  const { status, body } = await upload({ content });
  expect(status).toBe(400);
  expect(['InvalidImportType', 'InvalidHeader']).toContain(body.error);
  expect(body.message).toMatch(message);
});

test('half of a surrogate pair and control characters in a workbook do no harm', async () => {
  const rows = rowOf(1, ...columns) + rowOf(2, 'odd@example.com', '', '', '&#xD800;', 'a&#1;b', 'c\ufffe');
  expect((await upload({ content: xlsxOf(rows) })).body).toMatchObject({ success: true, importedCount: 1 });
});

const sheetRows = rowOf(1, ...columns) + rowOf(2, 'p1@example.com');

test.each(['chart', 'dialog', 'macro', 'work'] as const)(
  'a workbook whose first sheet is a %s sheet without cells is read from the first one with cells',
  async (kind) => {
    const { body } = await upload({ content: workbookOf([kind, 'chart', 'work'], sheetRows) });
    expect(body).toMatchObject({ totalCount: 1, importedCount: 1 });
    await expectRefusal(
      workbookOf([kind], ''),
      'InvalidImportType',
      /^The workbook has no sheet with cells$/,
    );
  },
);
