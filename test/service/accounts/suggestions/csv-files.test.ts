// UploadAccountSuggestions of CSV files: how they are written, their header, and the rule of every column. In
// `npm test` the process of the test reads them.
import { expect, test } from 'vitest';
import { createTestService } from '../../../support/service.ts';
import { useInFile } from '../../../support/use.ts';
import { csv, HEADER, readFilesInThisProcess, type Upload, uploaderAs } from './upload.ts';

const service = useInFile(() => createTestService());
const upload = useInFile(() => uploaderAs(service.address));
readFilesInThisProcess(() => service.settings.upload);

async function imported(content: Upload['content']) {
  const { body } = await upload({ content });
  const rows = await service.database
    .selectFrom('account_suggestions as suggestion')
    .innerJoin('account_suggestion_uploads as upload', 'upload.upload_id', 'suggestion.upload_id')
    .selectAll('suggestion')
    .orderBy('suggestion.email_address')
    .execute();
  return { body, rows };
}

const utf16 = (text: string, littleEndian: boolean, mark: boolean): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
  return new Uint8Array(littleEndian ? bytes : bytes.swap16());
};
const accented = csv('zoe@example.com;;;Zoë;Müller;Déjà vu — “ok” €5;');

test.each([
  ['UTF-8', new TextEncoder().encode(accented)],
  ['UTF-8 with a byte order mark', new TextEncoder().encode(`\ufeff${accented}`)],
  ['UTF-16 LE with a byte order mark', utf16(accented, true, true)],
  ['UTF-16 BE with a byte order mark', utf16(accented, false, true)],
  ['UTF-16 LE', utf16(accented, true, false)],
  ['UTF-16 BE', utf16(accented, false, false)],
  ['Windows-1252', windows1252(accented)],
])('a file in %s is read letter by letter', async (_, content) => {
  const { body, rows } = await imported(content);
  expect(body).toMatchObject({ success: true, importedCount: 1 });
  expect(rows).toMatchObject([{ first_name: 'Zoë', last_name: 'Müller', remarks: 'Déjà vu — “ok” €5' }]);
});

test('quoted cells may have delimiters, quotes and line breaks; rows are numbered as in a spreadsheet', async () => {
  const { body, rows } = await imported(
    csv(
      '"quoted@example.com";"+31612345678";nl;"Jan ""the man""";"de Wit; jr";"two\r\nlines";',
      'wrong;;;;;;',
      'loose@example.com;;;Jan "the" man;  spaced  ;;',
    ),
  );
  expect(rows).toMatchObject([
    { email_address: 'loose@example.com', first_name: 'Jan "the" man', last_name: 'spaced' },
    { first_name: 'Jan "the man"', last_name: 'de Wit; jr', remarks: 'two\r\nlines' },
  ]);
  expect(body.errorLogs).toMatchObject([{ id: '3' }]);
});

test.each(['\n', '\r\n', '\r'])('lines may end with %j', async (end) => {
  const { body } = await imported(csv('a@example.com;;;;;;', 'b@example.com;;;;;;').replaceAll('\r\n', end));
  expect(body).toMatchObject({ totalCount: 2, importedCount: 2 });
});

test('empty rows are not rows, but count in the numbers of the others', async () => {
  const { body } = await imported(
    csv('a@example.com;;;;;;', '', ';;;;;;', '  ; ;;;;;', 'wrong;;;;;;', '', ''),
  );
  expect(body).toMatchObject({ totalCount: 2, importedCount: 1, errorCount: 1 });
  expect(body.errorLogs).toMatchObject([{ id: '6' }]);
});

test('columns come in any order and casing, with spaces around them and empty ones after them', async () => {
  const { rows } = await imported(
    'pickuppoint; REMARKS;LastName;firstname;LANGUAGECODE;PhoneNumber;emailAddress;;\r\n' +
      'pup-station;r;L;F;nl;+31612345678;order@example.com;;\r\n',
  );
  expect(rows).toMatchObject([
    {
      email_address: 'order@example.com',
      remarks: 'r',
      last_name: 'L',
      first_name: 'F',
      pup_uid: 'pup-station',
    },
  ]);
});

test('rows may end before their last columns', async () => {
  const { rows } = await imported(csv('short@example.com;+31612345678'));
  expect(rows).toMatchObject([{ email_address: 'short@example.com', language_code: null, pup_uid: null }]);
});

test.each([
  ['a column is missing', HEADER.replace(';Remarks', ''), /missing: Remarks/],
  ['a column comes twice', `${HEADER};emailaddress`, /more than once: emailaddress/],
  ['a column is unknown', `${HEADER};Extra`, /unknown: Extra/],
  ['a column has no name', HEADER.replace('Remarks', ';Remarks'), /unknown: \(no name\)/],
  ['commas stand between the columns', HEADER.replaceAll(';', ','), /each once, with ; between them/],
  ['the first row is empty', `\r\n${HEADER}`, /missing: EmailAddress/],
  ['there is only a row of data', 'a@example.com;;;;;;', /missing: EmailAddress/],
  ['there is nothing but spaces', '   \r\n  ', /missing: EmailAddress/],
])('InvalidHeader when %s', async (_, content, message) => {
  const { status, body } = await upload({ content });
  expect([status, body.error]).toEqual([400, 'InvalidHeader']);
  expect(body.message).toMatch(message);
});

const wrongRows: readonly (readonly [what: string, row: string, message: RegExp])[] = [
  ['no e-mail address', ';+31612345678;;;;;', /^EmailAddress is required$/],
  ['an e-mail address without a domain', 'anna@;;;;;;', /^EmailAddress "anna@" is not an e-mail address$/],
  ['a phone number without + or 00', '1@example.com;0612345678;;;;;', /starting with \+ or 00/],
  ['a phone number that lost its +', '2@example.com;31612345678;;;;;', /drops both from a cell/],
  ['a phone number in scientific notation', '3@example.com;3.16123E+10;;;;;', /shortened by a spreadsheet/],
  ['the same with a comma', '4@example.com;3,16E+10;;;;;', /shortened by a spreadsheet/],
  ['a phone number that is too short', '5@example.com;+3161;;;;;', /6 to 15 digits/],
  ['a phone number that is too long', '6@example.com;+3161234567890123;;;;;', /6 to 15 digits/],
  ['a phone number that is text', '7@example.com;+31 call me;;;;;', /6 to 15 digits/],
  [
    'a pick up point that is unknown',
    '10@example.com;;;;;;pup-nowhere',
    /"pup-nowhere" is not a pick up point/,
  ],
  ["another tenant's pick up point", '11@example.com;;;;;;pup-other', /"pup-other" is not a pick up point/],
  ["another tenant's by name", '12@example.com;;;;;;Other', /PickUpPoint "Other" is not a pick up point/],
  ['a text that is too long', `13@example.com;;;${'x'.repeat(2_001)};;;`, /FirstName "x{60}…" .*2,000/],
  ['a NUL character', '14@example.com;;;;a\0b;;', /LastName .*NUL/],
  ['a ; without quotes', '15@example.com;;;Jan;de Wit; jr;;;pup-central', /more cells than the 7/],
];

// assumptions: Accounts and upload, The id of an error log
test('every wrong row is an entry with its number and its errors, and is not imported', async () => {
  const { body, rows } = await imported(csv(...wrongRows.map(([, row]) => row)));
  expect(body).toMatchObject({ success: true, totalCount: 15, importedCount: 0, errorCount: 15 });
  const logs = body.errorLogs as { id: string; message: string }[];
  wrongRows.forEach(([what, , message], index) => {
    expect(logs[index], what).toEqual({ id: String(index + 2), message: expect.stringMatching(message) });
  });
  expect(rows).toEqual([]);
});

test('an unreadable language is an entry, and its row is imported without it', async () => {
  const { body, rows } = await imported(
    csv('word@example.com;+31612345678;Dutch;Anna;;;pup-central', 'good@example.com;;nl;;;;'),
  );
  expect(body).toMatchObject({ totalCount: 2, importedCount: 2, errorCount: 1 });
  expect(body.errorLogs).toEqual([
    {
      id: '2',
      message:
        'LanguageCode "Dutch" must be a language code like nl or nl-NL; the row is imported without it',
    },
  ]);
  expect(rows).toMatchObject([
    { email_address: 'good@example.com', language_code: 'nl' },
    {
      email_address: 'word@example.com',
      phone_number: '+31612345678',
      language_code: null,
      first_name: 'Anna',
      pup_uid: 'pup-central',
    },
  ]);
});

test('a row with several errors is one entry with all of them', async () => {
  const { body } = await imported(csv('wrong;06;Dutch;;;;nowhere'));
  expect(body.errorCount).toBe(1);
  expect(body.errorLogs).toEqual([
    { id: '2', message: expect.stringMatching(/EmailAddress.*PhoneNumber.*LanguageCode.*PickUpPoint/) },
  ]);
});

// assumptions: Accounts and upload, Odd rows
test('a repeated e-mail address is a row error that names the first row; of a wrong row it is no repetition', async () => {
  const { body, rows } = await imported(
    csv('twice@example.com;06;;Wrong;;;', 'twice@example.com;;;First;;;', 'TWICE@example.com;;;Second;;;'),
  );
  expect(rows).toMatchObject([{ first_name: 'First' }]);
  expect(body.errorLogs).toEqual([
    { id: '2', message: expect.stringContaining('PhoneNumber') },
    { id: '4', message: 'EmailAddress is the same as that of row 3' },
  ]);
});

// assumptions: Accounts and upload, What a phone number is
// assumptions: Accounts and upload, What a phone number is
test('phone numbers are stored in one form, however they are written', async () => {
  const given = [
    '+31612345678',
    '0031612345678',
    '+31 6 1234 5678',
    '+31 (0)6-12345678',
    '+1 (415) 555-0132',
  ];
  const { rows } = await imported(
    csv(...given.map((number, index) => `${index}@example.com;${number};;;;;`)),
  );
  expect(rows.map(({ phone_number }) => phone_number)).toEqual([
    ...Array(4).fill('+31612345678'),
    '+14155550132',
  ]);
});

test.each([
  [
    'a quote that never ends',
    csv('a@example.com;;;"never;;;', 'b@example.com;;;;;;'),
    /damaged.*quoted cell/,
  ],
  ['a row without an end', csv(`"${'x'.repeat(200_000)}";;;;;;`), /damaged.*100,000 characters/],
])('%s is reported as damage', async (_, content, message) => {
  const { status, body } = await upload({ content });
  expect([status, body.error]).toEqual([400, 'InvalidImportType']);
  expect(body.message).toMatch(message);
});

/** Of the characters that these tests use. */
function windows1252(text: string): Uint8Array<ArrayBuffer> {
  const above = new Map([
    ['—', 0x97],
    ['“', 0x93],
    ['”', 0x94],
    ['€', 0x80],
  ]);
  return Uint8Array.from(text, (character) => above.get(character) ?? character.charCodeAt(0));
}
