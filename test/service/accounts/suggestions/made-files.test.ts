// UploadAccountSuggestions of files that other programs made, and of files that are no such file.
// In `npm test` the process of the test reads them.
import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { createTestService } from '../../../support/service.ts';
import { useInFile } from '../../../support/use.ts';
import { fixture, HEADER, readFilesInThisProcess, suggestionsIn, uploaderAs } from './upload.ts';

const service = useInFile(() => createTestService());
const upload = useInFile(() => uploaderAs(service.address));
readFilesInThisProcess(() => service.settings.upload);

const suggestion = (emailAddress: string, fields: object = {}) => ({
  emailAddress,
  phoneNumber: null,
  languageCode: null,
  firstName: null,
  lastName: null,
  remarks: null,
  pupUid: null,
  ...fields,
});

test.each([
  'libreoffice-utf-8.csv',
  'libreoffice-utf-16.csv',
  'libreoffice-windows-1252.csv',
  'libreoffice.xlsx',
  'libreoffice.xls',
])('we read the same from %s as LibreOffice', async (name) => {
  const { body } = await upload({ content: await fixture(name), fileName: name });
  expect(body).toMatchObject({
    success: true,
    reference: name,
    totalCount: 7,
    importedCount: 5,
    errorCount: 2,
  });
  expect(body.errorLogs).toEqual([
    { id: '3', message: expect.stringMatching(/"31612345678" must be .* drops both from a cell/) },
    { id: '8', message: 'EmailAddress is the same as that of row 2' },
  ]);
  expect(await suggestionsIn(service.database)).toEqual([
    suggestion('format@example.com', { phoneNumber: '+31612345670' }),
    suggestion('formula@example.com', { remarks: '2026-03-01' }),
    suggestion('injected@example.com', { firstName: '=1+1', remarks: '@SUM(1)' }),
    suggestion('odd@example.com', { firstName: 'TRUE', lastName: '#DIV/0!', remarks: '25%' }),
    suggestion('zoe@example.com', {
      phoneNumber: '+31612345678',
      languageCode: 'nl-NL',
      firstName: 'Zoë',
      lastName: 'Müller; jr',
      remarks: 'says "hi"\nand €5',
      pupUid: 'pup-central',
    }),
  ]);
});

test.each(['openpyxl.xlsx', 'xlsxwriter.xlsx', 'xlwt.xls'])('%s is read', async (name) => {
  const { body } = await upload({ content: await fixture(name), fileName: name });
  expect(body).toMatchObject({ success: true, totalCount: 3, importedCount: 2 });
  expect(body.errorLogs).toMatchObject([{ id: '3' }]);
  expect(await suggestionsIn(service.database)).toEqual([
    suggestion('date@example.com', {
      phoneNumber: '+31612345679',
      remarks: '2026-03-01',
      pupUid: 'pup-station',
    }),
    suggestion('zoe@example.com', {
      phoneNumber: '+31612345678',
      languageCode: 'nl-NL',
      firstName: 'Zoë',
      lastName: 'Müller',
      remarks: '€5',
      pupUid: 'pup-central',
    }),
  ]);
});

test('a workbook of Excel 95 is read by the code page that it names', async () => {
  const row = ['cyr@example.com', '', '', 'Placeholder', '', '', ''];
  const book = utils.book_new(utils.aoa_to_sheet([HEADER.split(';'), row]));
  const content: Buffer = write(book, { bookType: 'biff5', type: 'buffer' });
  // No program at hand writes such files with letters beyond ASCII: they are put in, as Windows-1251 has them.
  Buffer.from('cff0e8e2e5f22120202020', 'hex').copy(content, content.indexOf('Placeholder'));
  content.writeUInt16LE(1251, content.indexOf(Buffer.from('42000200', 'hex')) + 4);
  await upload({ content: new Uint8Array(content) });
  expect(await suggestionsIn(service.database)).toEqual([
    suggestion('cyr@example.com', { firstName: 'Привет!' }),
  ]);
});

test.each([
  ['libreoffice.xlsx', 'residents.csv'],
  ['libreoffice.xls', 'residents.xlsx'],
  ['libreoffice-utf-8.csv', 'residents.xls'],
  ['libreoffice.xlsx', ''],
])('%s is known by its content under the name "%s"', async (file, fileName) => {
  expect((await upload({ content: await fixture(file), fileName })).body.importedCount).toBe(5);
});

test.each([
  ['libreoffice.pdf', /is a PDF document/],
  ['libreoffice-html.xls', /HTML or XML page/],
  ['libreoffice-flat.fods', /HTML or XML page/],
  ['libreoffice.ods', /no .xlsx workbook/],
  ['libreoffice.docx', /no .xlsx workbook/],
  ['libreoffice.doc', /not an .xls workbook/],
  ['libreoffice-encrypted.xlsx', /encrypted/],
  ['libreoffice-encrypted.xls', /encrypted/],
])('%s is InvalidImportType under the name of a workbook too', async (file, message) => {
  const content = await fixture(file);
  for (const fileName of ['residents', 'residents.xlsx', file]) {
    const { status, body } = await upload({ content, fileName });
    expect([status, body.error]).toEqual([400, 'InvalidImportType']);
    const isSupported = !/\.(pdf|fods|ods|docx?)$/.test(fileName);
    expect(body.message).toMatch(isSupported ? message : /^The name of the file ends in /);
  }
});
