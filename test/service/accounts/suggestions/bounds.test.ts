// The process that reads an uploaded file: it may use so much time and memory, and it holds up nobody else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { callerAs } from '../../../support/caller.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { withService } from '../../../support/service.ts';
import { limits } from './limits.ts';
import { csv, uploaderAs } from './upload.ts';

// Each upload starts a process, and some are made to keep it busy: on a loaded machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const fixture = async (name: string) =>
  new Uint8Array(await readFile(join(import.meta.dirname, 'files', name)));
const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.com;;;;;;`);

test('it reads workbooks, and tells what is wrong with one', () =>
  withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      for (const name of ['libreoffice.xlsx', 'libreoffice.xls'])
        expect((await uploadNow({ content: await fixture(name) })).body).toMatchObject({ importedCount: 5 });
      const cutOff = (await fixture('libreoffice.xlsx')).slice(0, 1_000);
      const { status, body } = await uploadNow({ content: cutOff });
      expect([status, body.error]).toEqual([400, 'InvalidImportType']);
      expect(body.message).toMatch(/damaged or cut off/);
    },
    { upload: limits },
  ));

test('a file that takes too long to read is PayloadTooLarge, which names the limit', () =>
  withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      const { status, body } = await uploadNow({ content: csv(...people(1_000)) });
      expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
      expect(body.message).toContain('takes too long to read; the limit is 0.001 seconds');
      expect((await (await callerAs(address))('GetAccount', {})).status).toBe(200);
    },
    { upload: { ...limits, seconds: 0.001 } },
  ));

test('the process that reads a file ends by itself if its starter is gone', async () => {
  // It adds 2 s of grace.
  const settings = { pickUpPoints: [], limits: { ...limits, rows: 1_000_000, seconds: -1.9 } };
  const module = 'service/accounts/suggestions/suggestion-file-process.ts';
  const input = `${JSON.stringify(settings)}\n${csv(people(200_000).join('\r\n'))}`;
  const reading = nodeProgramOfTest([module], { input });
  const KILLED = 128 + 9;
  expect(await reading.exitCode).toBe(KILLED);
});

test('a file that takes too much memory to read is PayloadTooLarge, which names the limit', () =>
  withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      const { status, body } = await uploadNow({ content: csv(people(200_000).join('\r\n')) });
      expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
      expect(body.message).toContain('takes too much memory to read; the limit is 40 megabytes');
      expect((await uploadNow({ content: csv(...people(10)) })).body.importedCount).toBe(10);
    },
    { upload: { ...limits, rows: 1_000_000, memoryMegabytes: 40 } },
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
