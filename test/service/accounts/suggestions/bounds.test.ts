// The process that reads an uploaded file: what it reads, and that it may use so much time. That it may use so much memory,
// and holds up nobody else, is tried with large files in long/service/accounts/suggestions/bounds.test.ts.
import { expect, test, vi } from 'vitest';
import { callerAs } from '../../../support/caller.ts';
import { withService } from '../../../support/service.ts';
import { csv, fixture, limits, people, uploaderAs } from './upload.ts';

// Each upload starts a process, and some are made to keep it busy: on a loaded machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

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

test('a file that takes too long to read is PayloadTooLarge, which names the limit', { tags: 'long' }, () =>
  withService(
    async ({ address }) => {
      const uploadNow = await uploaderAs(address);
      const { status, body } = await uploadNow({ content: csv(...people(1_000)) });
      expect([status, body.error]).toEqual([413, 'PayloadTooLarge']);
      expect(body.message).toContain('takes too long to read; the limit is 0.001 seconds');
      expect((await (await callerAs(address))('GetAccount', {})).status).toBe(200);
    },
    { upload: { ...limits, seconds: 0.001 } },
  ),
);
