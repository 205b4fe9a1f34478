// UploadAccountSuggestions: the answer's counts, and what is active after it (interface; assumptions: Accounts and upload).
// In `npm test` the process of the test reads the files.
import { beforeEach, expect, test } from 'vitest';
import { createTestService } from '../../../support/service.ts';
import { useInFile } from '../../../support/use.ts';
import { envelope } from '../support.ts';
import { csv, HEADER, readFilesInThisProcess, uploaderAs } from './upload.ts';

const service = useInFile(() => createTestService());
const upload = useInFile(() => uploaderAs(service.address, 'demo'));
const uploadAsOther = useInFile(() => uploaderAs(service.address, 'other'));
readFilesInThisProcess(() => service.settings.upload);

beforeEach(async () => {
  await upload({ content: csv() });
});

// assumptions: Accounts and upload, Counts of an upload
test('a file is imported, and the answer has every count', async () => {
  const before = Date.now();
  const { status, body } = await upload({
    data: { reference: 'march' },
    content: csv(
      'anna@example.com;+31612345678;nl;Anna;Jansen;Known already;pup-central',
      'cor@example.com;0032470123456;nl-BE;Cor;Visser;;central',
      'dirk@example.com;;;;;;',
      'no-address;+31612345678;nl;No;Address;;',
    ),
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...envelope,
    reference: 'march',
    totalCount: 4,
    importedCount: 3,
    existedCount: 1,
    removedCount: 0,
    errorCount: 1,
    dateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    errorLogs: [{ id: '5', message: 'EmailAddress "no-address" is not an e-mail address' }],
  });
  expect(Date.parse(String(body.dateTime))).toBeGreaterThanOrEqual(before - 1_000);
  expect(await active('demo')).toEqual([
    suggestion('anna@example.com', '+31612345678', 'nl', 'Anna', 'Jansen', 'Known already', 'pup-central'),
    suggestion('cor@example.com', '+32470123456', 'nl-BE', 'Cor', 'Visser', null, 'pup-central'),
    suggestion('dirk@example.com', null, null, null, null, null, null),
  ]);
});

test('without a reference the file name is the reference', async () => {
  expect((await upload({ content: csv(), fileName: 'bewoners maart.csv' })).body.reference).toBe(
    'bewoners maart.csv',
  );
  expect((await upload({ content: csv(), data: { reference: null } })).body.reference).toBe('residents.csv');
});

test('the next upload replaces the former; e-mail addresses that it lacks are removed', async () => {
  await upload({ content: csv('a@example.com;;;;;;', 'b@example.com;;;;;;', 'c@example.com;;;;;;') });
  const { body } = await upload({ content: csv('B@Example.com;;;Changed;;;', 'd@example.com;;;;;;') });
  expect(body).toMatchObject({ totalCount: 2, importedCount: 2, existedCount: 0, removedCount: 2 });
  expect(await active('demo')).toEqual([
    suggestion('B@Example.com', null, null, 'Changed', null, null, null),
    suggestion('d@example.com', null, null, null, null, null, null),
  ]);
});

test('an upload does not change the suggestions of another tenant', async () => {
  await uploadAsOther({ content: csv('shared@example.com;;;Of;Other;;pup-other') });
  const { body } = await upload({ content: csv('shared@example.com;;;Of;Demo;;') });
  expect(body).toMatchObject({ importedCount: 1, removedCount: 0 });
  expect(await active('other')).toEqual([
    suggestion('shared@example.com', null, null, 'Of', 'Other', null, 'pup-other'),
  ]);
});

test('an upload makes no accounts', async () => {
  await upload({ content: csv('never-registered@example.com;;;;;;') });
  const account = await service.database
    .selectFrom('accounts')
    .select('account_id')
    .where('email_address', '=', 'never-registered@example.com')
    .executeTakeFirst();
  expect(account).toBeUndefined();
});

test('a file that is refused leaves the former upload active', async () => {
  await upload({ content: csv('stays@example.com;;;;;;') });
  expect((await upload({ content: 'Wrong;Header' })).body.error).toBe('InvalidHeader');
  expect((await active('demo')).map(({ email_address }) => email_address)).toEqual(['stays@example.com']);
});

test('a file with only wrong rows replaces the former upload with no suggestions', async () => {
  await upload({ content: csv('goes@example.com;;;;;;') });
  const { body } = await upload({ content: csv('wrong;;;;;;', ';;;;;;x') });
  expect(body).toMatchObject({ totalCount: 2, importedCount: 0, removedCount: 1, errorCount: 2 });
  expect(await active('demo')).toEqual([]);
});

test('after concurrent uploads exactly one is active, complete, without rows of the others', async () => {
  const files = Array.from({ length: 6 }, (_, file) =>
    Array.from({ length: 50 }, (_each, row) => `u${row}@example.com;;;File ${file};;;`),
  );
  const replies = await Promise.all(files.map((rows) => upload({ content: csv(...rows) })));
  expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(replies.map(({ body }) => body.importedCount)).toEqual(Array(6).fill(50));
  const rows = await active('demo');
  expect(rows).toHaveLength(50);
  expect(new Set(rows.map(({ first_name }) => first_name)).size).toBe(1);
  const stored = await service.database
    .selectFrom('account_suggestions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('email_address', 'like', 'u%@example.com')
    .executeTakeFirstOrThrow();
  expect(stored.count).toBe(50);
});

test('the same upload with the same Idempotency-Key gets its answer again, another file is refused', async () => {
  const send = (content: string) => upload({ content, headers: { 'idempotency-key': 'one-upload' } });
  const first = await send(csv('once@example.com;;;;;;'));
  await upload({ content: csv('twice@example.com;;;;;;') });
  expect((await send(csv('once@example.com;;;;;;'))).body).toEqual(first.body);
  expect((await active('demo')).map(({ email_address }) => email_address)).toEqual(['twice@example.com']);
  expect((await send(csv('other@example.com;;;;;;'))).body.error).toBe('InvalidRequest');
});

// assumptions: Accounts and upload, Files, and the part that names none
test.each([
  'residents.pdf',
  'residents.csv.PDF',
  'residents.txt',
  'residents.ods',
  'residents.xlsm',
  'a b.docx',
])(
  'a file with the name %s is InvalidImportType, whatever is in it, and replaces nothing',
  async (fileName) => {
    await upload({ content: csv('stays@example.com;;;;;;') });
    const { status, body } = await upload({ content: csv('comes@example.com;;;;;;'), fileName });
    expect([status, body.error]).toEqual([400, 'InvalidImportType']);
    expect(body.message).toContain(fileName.slice(fileName.lastIndexOf('.')));
    expect((await active('demo')).map(({ email_address }) => email_address)).toEqual(['stays@example.com']);
  },
);

test.each(['RESIDENTS.CSV', 'residents', 'residents 2.0', 'residents.2031', '.csv'])(
  'a file with the name %s is known by its content',
  async (fileName) => {
    expect((await upload({ content: csv('a@example.com;;;;;;'), fileName })).body).toMatchObject({
      success: true,
      importedCount: 1,
      reference: fileName,
    });
  },
);

test('a header without rows is an empty upload', async () => {
  expect((await upload({ content: HEADER })).body).toMatchObject({ success: true, totalCount: 0 });
});

async function active(tenantUid: string) {
  return service.database
    .selectFrom('account_suggestions as suggestion')
    .innerJoin('account_suggestion_uploads as upload', 'upload.upload_id', 'suggestion.upload_id')
    .innerJoin('tenants as tenant', 'tenant.tenant_id', 'upload.tenant_id')
    .where('tenant.tenant_uid', '=', tenantUid)
    .selectAll('suggestion')
    .orderBy('suggestion.email_address')
    .execute()
    .then((rows) => rows.map(({ upload_id, search_text, ...rest }) => rest));
}

const suggestion = (
  email_address: string,
  phone_number: string | null,
  language_code: string | null,
  first_name: string | null,
  last_name: string | null,
  remarks: string | null,
  pup_uid: string | null,
) => ({ email_address, phone_number, language_code, first_name, last_name, remarks, pup_uid });
