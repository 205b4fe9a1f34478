// What a page is told where a part cannot be read: with a locker service that is away, and with no worker. It never looks as if
// there were nothing.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { ProcessDetails } from '../../console/process/process-view.ts';
import type { WallView } from '../../console/walls/walls-view.ts';
import { ourService } from '../end-to-end/installation.ts';
import { NOWHERE } from '../security/matrix.ts';
import { issueRequest, newConsoleOf, readAs, useConsoleOf } from './console-world.ts';
import { useInstallationAlone } from './installation-alone.ts';

const installation = useInstallationAlone(ourService);
const server = useConsoleOf(installation, () => installation().temporalAddress);
const patience = { timeout: 60_000, interval: 100 };

async function booked(): Promise<string> {
  const { flows } = installation();
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: issueRequest });
  await vi.waitUntil(async () => (await handle.progress()).shipments.issue, patience);
  return key;
}

test('without the locker service a process says that its doors could not be read, and not that nothing is wrong', async () => {
  const key = await booked();
  const path = `/v1/processes/${key}/details`;
  expect((await readAs<ProcessDetails>(server(), 'bram', path)).overview.unread).toEqual([]);
  await using away = await newConsoleOf(installation(), {
    LOCKER_API_URL: NOWHERE,
    LOCKER_AUTH_URL: NOWHERE,
  });
  const { overview } = await readAs<ProcessDetails>(away, 'bram', path);
  expect(overview).toMatchObject({ wrong: [], unread: ['the doors of its lockers'] });
});

test('a wall says that the cases of its lockers could not be read while Temporal does not answer', async () => {
  await booked();
  const path = '/api/walls/pup-central';
  expect((await readAs<WallView>(server(), 'bram', path)).unread).toEqual([]);
  vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1');
  await using away = await newConsoleOf({ ...installation(), temporalAddress: '127.0.0.1:1' });
  expect((await readAs<WallView>(away, 'bram', path)).unread).toEqual(['the cases of its lockers']);
});
