// The multipart body of UploadAccountSuggestions: whatever is sent, the answer is the envelope and says what is wrong.
// In `npm test` the process of the test reads the files.
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { operationRow } from '../../../contract/index.ts';
import { readSettings } from '../../../service/settings.ts';
import { accessToken, callerAs } from '../../support/caller.ts';
import { createTestService, withService } from '../../support/service.ts';
import { useInFile } from '../../support/use.ts';
import { csv, formSenderAs, readFilesInThisProcess } from '../accounts/suggestions/upload.ts';

const FILE_BYTES = 5_000;
const JSON_BYTES = 2_000;

const { upload } = readSettings({ SERVICE_MODE: 'staging', DATABASE_URL: 'postgres://localhost/none' });
const service = useInFile(() =>
  createTestService({ upload: { ...upload, fileBytes: FILE_BYTES }, bodyLimitBytes: JSON_BYTES }),
);
const send = useInFile(() => formSenderAs(service.address));
readFilesInThisProcess(() => service.settings.upload);

const content = csv('cor@example.com;;;Cor;Visser;;');
const BOUNDARY = 'a-boundary-of-the-test';

interface Part {
  readonly name: string;
  readonly value: string;
  readonly fileName?: string;
  readonly contentType?: string;
}

const data: Part = { name: 'data', value: '{"reference":"ref"}' };
const file: Part = { name: 'file', value: content, fileName: 'residents.csv', contentType: 'text/csv' };

const partOf = ({ name, value, fileName, contentType }: Part) =>
  [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    '',
    value,
    '',
  ].join('\r\n');

const bodyOf = (...parts: readonly Part[]) => `${parts.map(partOf).join('')}--${BOUNDARY}--\r\n`;
const contentType = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const sendParts = (...parts: readonly Part[]) => send(bodyOf(...parts), contentType);

test.each([
  ['data, then file', [data, file]],
  ['file, then data', [file, data]],
  ['data as JSON by its content type', [{ ...data, contentType: 'application/json' }, file]],
  ['data as a file of its own', [{ ...data, fileName: 'blob', contentType: 'application/json' }, file]],
  ['data with a byte order mark', [{ ...data, value: `\ufeff${data.value}` }, file]],
  ['data in another casing of its key', [{ ...data, value: '{"Reference":"ref"}' }, file]],
  [
    'part names in another casing',
    [
      { ...data, name: 'Data' },
      { ...file, name: 'FILE' },
    ],
  ],
  ['file of an untrue content type', [data, { ...file, contentType: 'application/pdf' }]],
  ['file without a content type', [data, { ...file, contentType: undefined }]],
  ['file without a file name', [data, { ...file, fileName: undefined, contentType: undefined }]],
  ['parts that nobody asked for', [{ name: 'note', value: 'x' }, data, { name: '', value: 'y' }, file]],
])('%s is taken', async (_, parts) => {
  const { status, body } = await sendParts(...(parts as Part[]));
  expect([status, body]).toMatchObject([200, { success: true, reference: 'ref', importedCount: 1 }]);
});

test('a file name with letters beyond ASCII is the reference as it was sent', async () => {
  const form = new FormData();
  form.append('data', '{}');
  form.append('file', new File([content], 'bewoners één – März.csv'));
  expect((await send(form)).body.reference).toBe('bewoners één – März.csv');
});

test('without a file name and a reference there is no reference', async () => {
  const { body } = await sendParts({ ...data, value: '{}' }, { name: 'file', value: content });
  expect(body).toMatchObject({ success: true, reference: null });
});

test.each([
  ['NoRequestData', 'no part data', [file]],
  ['NoRequestData', 'an empty part data', [{ ...data, value: '  ' }, file]],
  ['NoRequestData', 'data that is null', [{ ...data, value: 'null' }, file]],
  ['NoRequestData', 'data that is an array', [{ ...data, value: '[]' }, file]],
  ['InvalidRequest', 'data that is not JSON', [{ ...data, value: '{reference}' }, file]],
  ['InvalidRequest', 'a reference that is not a text', [{ ...data, value: '{"reference":7}' }, file]],
  ['NoRequestFile', 'no part file', [data]],
  ['MissingFile', 'an empty part file', [data, { ...file, value: '' }]],
  ['MissingFile', 'a form in which no file was chosen', [data, { ...file, value: '', fileName: '' }]],
  ['NoRequestData', 'neither part', [{ name: 'note', value: 'x' }]],
  ['InvalidRequest', 'part data twice', [data, data, file]],
  ['InvalidRequest', 'part file twice', [data, file, { ...file, name: 'File' }]],
  ['InvalidRequest', 'a part named like a property of every object', [data, { ...file, name: '__proto__' }]],
])('%s: %s', async (error, _, parts) => {
  const { status, body } = await sendParts(...(parts as Part[]));
  expect([status, body]).toEqual([400, { success: false, error, message: expect.any(String) }]);
});

test.each([
  ['the file', [data, { ...file, value: content + 'x'.repeat(FILE_BYTES) }], '5,000 bytes'],
  ['the data', [{ ...data, value: `{"reference":"${'x'.repeat(JSON_BYTES)}"}` }, file], '2,000 bytes'],
  [
    'the number of parts',
    [data, ...Array.from({ length: 30 }, () => ({ name: 'x', value: 'y' })), file],
    '20 parts: send data and file',
  ],
])('%s over its limit is PayloadTooLarge, which names the limit', async (_, parts, limit) => {
  const { status, body } = await sendParts(...(parts as Part[]));
  expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
  expect(body.message).toContain(limit);
});

test('a body far over the limit is answered as well', async () => {
  const { status, body } = await sendParts(data, { ...file, value: 'x'.repeat(20_000_000) });
  expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
});

test.each([
  ['cut off in the file', bodyOf(data, file).slice(0, -100), contentType],
  ['cut off in a header', bodyOf(data, file).slice(0, 60), contentType],
  ['with another boundary', bodyOf(data, file), { 'content-type': 'multipart/form-data; boundary=other' }],
  ['without a boundary', bodyOf(data, file), { 'content-type': 'multipart/form-data' }],
  ['that is not multipart', '{"data":{},"file":"x"}', { 'content-type': 'application/json' }],
  ['of another type', content, { 'content-type': 'text/csv' }],
  ['without a type', new Uint8Array([1, 2, 3]), {}],
])('a body %s is InvalidRequest', async (_, body, headers) => {
  const reply = await send(body, headers);
  expect([reply.status, reply.body.error]).toEqual([400, 'InvalidRequest']);
  expect(reply.body.message).toMatch(/multipart/i);
});

// assumptions: Accounts and upload, Files, and the part that names none
test('an empty multipart body lacks both parts', async () => {
  const { status, body } = await send('', contentType);
  expect([status, body.error]).toEqual([400, 'NoRequestData']);
  expect(body.message).toMatch(/data.*file/);
});

test('an upload over the limit gets RateLimitExceeded, and succeeds when another has ended', () =>
  withService(
    async ({ address }) => {
      const token = await accessToken(address);
      const [one, two] = [slowUpload(address, token), slowUpload(address, token)];
      // Neither ends by itself: the first answer is the refusal of the one that came second.
      const [refused, taken, other] = await Promise.race([
        one.answer.then((answer) => [answer, two, one] as const),
        two.answer.then((answer) => [answer, one, two] as const),
      ]);
      other.end();
      expect([refused.status, refused.error]).toEqual([429, 'RateLimitExceeded']);
      expect(Number(refused.retryAfter)).toBeGreaterThan(0);
      expect((await (await callerAs(address))('GetAccount', {})).status).toBe(200);
      taken.end();
      expect((await taken.answer).status).toBe(200);
      const sendNow = await formSenderAs(address);
      expect((await sendNow(bodyOf(data, file), contentType)).status).toBe(200);
    },
    { upload: { ...service.settings.upload, concurrent: 1 } },
  ));

test('one tenant that sends as slowly as it may keeps no other from uploading', () =>
  withService(
    async ({ address }) => {
      const token = await accessToken(address);
      const slow = Array.from({ length: 9 }, () => slowUpload(address, token));
      // The last two of the eight places are for tenants that have none yet.
      const refused = await Promise.race(slow.map(({ answer }) => answer));
      expect([refused.status, refused.error]).toEqual([429, 'RateLimitExceeded']);
      const sendAsOther = await formSenderAs(address, 'other');
      expect((await sendAsOther(bodyOf(data, file), contentType)).status).toBe(200);
      for (const { end } of slow) end();
      const statuses = (await Promise.all(slow.map(({ answer }) => answer))).map(({ status }) => status);
      expect(statuses.sort()).toEqual([...Array(6).fill(200), ...Array(3).fill(429)]);
    },
    { upload: { ...service.settings.upload, concurrent: 8 } },
  ));

/** An upload of which the first part is sent and the rest is still to come. */
function slowUpload(address: string, token: string) {
  const path = operationRow('UploadAccountSuggestions').path;
  const headers = { ...contentType, authorization: `Bearer ${token}` };
  const request = httpRequest(address + path, { method: 'POST', headers });
  request.write(partOf(data));
  return {
    answer: answerTo(request),
    end: () => request.end(`${partOf(file)}--${BOUNDARY}--\r\n`),
  };
}

async function answerTo(request: ClientRequest) {
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('Expected a response');
  const { error } = Object(await json(response));
  return { status: response.statusCode, error, retryAfter: response.headers['retry-after'] };
}
