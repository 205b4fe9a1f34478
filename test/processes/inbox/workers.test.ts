// Work and Home say it when no worker takes the steps of processes.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { missingWorkers } from '../../../processes/inbox/workers.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';

const installation = useInstallation(ourService);

test('a worker that asks for work is seen, and its absence is said once a minute has passed', async () => {
  const { client, taskQueue } = installation();
  const parts = { client, taskQueue } as never;
  // Once its first question has come.
  await expect.poll(() => missingWorkers(parts), { timeout: 10_000 }).toEqual([]);
  const none = { client, taskQueue: `nobody polls ${randomUUID()}` } as never;
  const said = [
    { kind: null, what: 'whether cases go on', why: expect.stringContaining('no worker has asked') },
  ];
  expect(await missingWorkers(none)).toEqual(said);
  expect(await missingWorkers(parts, Date.now() + 80_000)).toEqual(said);
});
