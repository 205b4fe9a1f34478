// The process that reads an uploaded file, with files that keep it busy: it may use so much memory, ends with its starter, and
// holds up nobody else.
import { expect, test, vi } from 'vitest';
import { callerAs } from '../../../support/caller.ts';
import { nodeProgramOfTest } from '../../../support/processes/node-program.ts';
import { withService } from '../../../support/service.ts';
import { limits } from './limits.ts';
import { csv, uploaderAs } from './upload.ts';

vi.setConfig({ testTimeout: 120_000 });

const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.com;;;;;;`);

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
