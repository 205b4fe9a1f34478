// The process that reads an uploaded file, with files that keep it busy: it may use so much memory, ends with its starter, and
// holds up nobody else.
import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { SuggestionFileReader } from '../../../../../service/accounts/suggestions/suggestion-file-reader.ts';
import { readSettings } from '../../../../../service/settings.ts';
import { csv, HEADER, limits, people, uploaderAs } from '../../../../service/accounts/suggestions/upload.ts';
import { sharedTexts, xlsxOf } from '../../../../service/accounts/suggestions/zip.ts';
import { callerAs } from '../../../../support/caller.ts';
import { nodeProgramOfTest } from '../../../../support/processes/node-program.ts';
import { withService } from '../../../../support/service.ts';

vi.setConfig({ testTimeout: 300_000 });

test('the process that reads a file ends by itself if its starter is gone', async () => {
  // It adds 2 s of grace.
  const settings = { pickUpPoints: [], limits: { ...limits, rows: 1_000_000, seconds: -1.9 } };
  const module = 'service/accounts/suggestions/suggestion-file-process.ts';
  const input = `${JSON.stringify(settings)}\n${csv(people(200_000).join('\r\n'))}`;
  const reading = nodeProgramOfTest([module], { input });
  const KILLED = 128 + 9;
  expect(await reading.exitCode).toBe(KILLED);
});

test('the process that reads a file loads nothing that speaks to a database', async () => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
    'service/accounts/suggestions/read-file.ts',
  ]);
  const loaded = stdout.split('\n').filter((url) => url.startsWith('file:'));
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter((url) => /\/node_modules\/(?:kysely|pg)|\/service\/storage\//.test(url))).toEqual([]);
});

const columns = HEADER.split(';');
/** A row as LibreOffice writes it; each cell is a shared text. */
const libreOfficeRow = (number: number, texts: readonly number[]) =>
  `<row r="${number}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">${texts
    .map((text, at) => `<c r="${'ABCDEFG'[at]}${number}" s="0" t="s"><v>${text}</v></c>`)
    .join('')}</row>`;

function honestWorkbook(rows: number): Uint8Array<ArrayBuffer> {
  const places = new Map<string, number>();
  const placeOf = (text: string) => places.get(text) ?? places.set(text, places.size).size - 1;
  const person = (at: number) => [
    ...[`person.${at}@residents.example.com`, `+316${String(at).padStart(8, '0')}`, 'nl-NL'],
    ...[`Zoë ${at % 4_000}`, `van der Familienaam ${at % 30_000}`, `Door ${at % 50_000}`, 'pup-central'],
  ];
  const cells = [columns, ...Array.from({ length: rows }, (_, at) => person(at))];
  const sheet = cells.map((texts, at) => libreOfficeRow(at + 1, texts.map(placeOf))).join('');
  return xlsxOf(sheet, {}, sharedTexts([...places.keys()].map((text) => [text])));
}

const LOOK_EVERY_MS = 50;

/** As its starter sees it at its largest, MB, by what `ps` tells. */
async function largestWhile(reading: Promise<unknown>): Promise<number> {
  let isRead = false;
  const end = () => {
    isRead = true;
  };
  void reading.then(end, end);
  let largest = 0;
  for (; !isRead; await setTimeout(LOOK_EVERY_MS)) {
    const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'ppid=,rss=,args=']);
    for (const [, ppid, kilobytes] of stdout.matchAll(/^ *(\d+) +(\d+) .*suggestion-file-process/gm))
      if (Number(ppid) === process.pid) largest = Math.max(largest, Number(kilobytes) / 1_024);
  }
  return Math.round(largest);
}

const DEFAULT = readSettings({ SERVICE_MODE: 'staging', DATABASE_URL: 'postgres://localhost/none' }).upload;
/** Between two looks of the process at itself, on a machine with much else to do. */
const MAX_BEYOND = 100;
const mostTexts = (count: number, text: string) => Array.from({ length: count }, () => [text]);

test('100,000 honest rows as LibreOffice writes them, in all columns, are read within the default memory', {
  timeout: 400_000,
}, async () => {
  const reader = new SuggestionFileReader({ ...DEFAULT, seconds: 300 });
  const content = honestWorkbook(100_000);
  const reading = reader.read(1, content, [{ pupUid: 'pup-central', name: 'Central' }]);
  const megabytes = await largestWhile(reading);
  console.info(`100,000 rows: ${megabytes} MB, file of ${content.byteLength} bytes`);
  expect(await reading).toMatchObject({ importedCount: 100_000, errorLogs: [] });
  expect(megabytes).toBeLessThanOrEqual(DEFAULT.memoryMegabytes);
});

test.each([
  ['one text of 200 MB', [['x'.repeat(200_000_000)]], /a text that is too long for a cell/],
  ['many texts, each as long as may be', mostTexts(700, 'x'.repeat(300_000)), /too much memory to read/],
  ['one text of many pieces', [Array<string>(700).fill('x'.repeat(300_000))], /too much memory to read/],
  ['millions of short texts', mostTexts(8_000_000, 'x'), /too much memory to read/],
] as const)(
  'a small file with %s takes no more than the memory that it may',
  {
    timeout: 400_000,
  },
  async (what, texts, message) => {
    const reader = new SuggestionFileReader({ ...DEFAULT, seconds: 300 });
    const cells = libreOfficeRow(1, [0, 1, 2, 3, 4, 5, 6]);
    const content = xlsxOf(cells, {}, sharedTexts([...columns.map((column) => [column]), ...texts]));
    expect(content.byteLength).toBeLessThan(DEFAULT.fileBytes);
    const reading = reader.read(1, content, []);
    const megabytes = await largestWhile(reading);
    console.info(`${what}: ${megabytes} MB, file of ${content.byteLength} bytes`);
    await expect(reading).rejects.toMatchObject({
      code: 'PayloadTooLarge',
      message: expect.stringMatching(message),
    });
    expect(megabytes).toBeLessThanOrEqual(DEFAULT.memoryMegabytes + MAX_BEYOND);
  },
);

test('a file that takes too much memory to read is PayloadTooLarge, which names the limit', () =>
  withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      const { status, body } = await uploadNow({ content: csv(people(400_000).join('\r\n')) });
      expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
      expect(body.message).toContain('takes too much memory to read; the limit is 256 megabytes');
      expect((await uploadNow({ content: csv(...people(10)) })).body.importedCount).toBe(10);
    },
    { upload: { ...limits, rows: 1_000_000, memoryMegabytes: 256 } },
  ));

test('while a large file is read, other requests are answered', () =>
  withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      const demo = await callerAs(address);
      let ended = false;
      const uploading = uploadNow({ content: csv(people(20_000).join('\r\n')) }).finally(() => {
        ended = true;
      });
      let answered = 0;
      while (!ended) {
        expect((await demo('GetAccount', { userUid: 'user-anna' })).status).toBe(200);
        answered += 1;
      }
      expect((await uploading).body.importedCount).toBe(20_000);
      expect(answered).toBeGreaterThan(3);
    },
    { upload: { ...limits, rows: 100_000 } },
  ));

// Uploaded files are read one at a time: a tenant that sends many of them holds no other up by more than one.
const content = new TextEncoder().encode(csv('a@example.com;;;;;;'));
const [eager, second, third] = [1, 2, 3];

test('tenants take turns, whatever one of them has sent before', async () => {
  const reader = new SuggestionFileReader(limits);
  const order: number[] = [];
  const reads = [eager, eager, eager, second, third, second].map(async (tenantId) => {
    await reader.read(tenantId, content, []);
    order.push(tenantId);
  });
  await Promise.all(reads);
  expect(order).toEqual([eager, second, third, eager, second, eager]);
  await reader.close();
});

test('a reader that is closed lets nobody wait', async () => {
  const reader = new SuggestionFileReader(limits);
  const reads = [eager, eager, second].map((tenantId) => reader.read(tenantId, content, []));
  const outcomes = Promise.allSettled(reads);
  await reader.close();
  for (const { status } of await outcomes) expect(status).toBe('rejected');
  await expect(reader.read(eager, content, [])).rejects.toThrow('closed');
});
