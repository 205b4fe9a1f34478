// The worker as a process notifies people by its settings: the connector of its file, and the address of its console.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { notifierId } from '../../processes/notifications/notifier.ts';
import { run } from '../cli/lockerflow-program.ts';
import { bundleOf } from '../support/bundles.ts';
import { headerOf, startMailServer, textOf } from '../support/mail-server.ts';
import { nodeProgramOfTest } from '../support/processes/node-program.ts';
import { newTaskQueue, temporalClient } from '../support/temporal.ts';

it('a mail goes out by the settings of the worker, which makes the schedule and takes it away', async () => {
  await using mail = await startMailServer();
  const home = await mkdtemp(join(tmpdir(), 'lockerflow-notify-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const file = join(home, 'connectors.yaml');
  await writeFile(
    file,
    `mail: { desk: { address: "smtp://127.0.0.1:${mail.port}", from: a@acme.example, to: [b@acme.example] } }`,
  );
  const taskQueue = newTaskQueue();
  const { codePath } = await bundleOf();
  const start = (variables: Record<string, string>) =>
    nodeProgramOfTest(['worker/main.ts'], {
      variables: {
        HOME: home,
        TEMPORAL_ADDRESS: inject('temporalAddress'),
        LOCKERFLOW_TASK_QUEUE: taskQueue,
        LOCKER_API_URL: 'http://127.0.0.1:9',
        LOCKER_AUTH_URL: 'http://127.0.0.1:9',
        LOCKER_CLIENT_ID: 'demo',
        LOCKER_CLIENT_SECRET: 'demo-secret',
        LOCKERFLOW_CONNECTORS: file,
        WORKER_PORT: '0',
        WORKER_SHUTDOWN_GRACE_SECONDS: '1',
        WORKER_WORKFLOW_BUNDLE: codePath,
        ...variables,
      },
    });
  const worker = start({ NOTIFY_CONNECTOR: 'desk', CONSOLE_URL: 'https://console.example/lockers/' });
  await worker.logged('worker started');
  expect(await run(['notify', '--test'], { taskQueue })).toMatchObject({
    code: 0,
    out: expect.stringContaining('the other side answered: 250'),
  });
  const [sent] = mail.mails;
  if (!sent) throw new Error('no mail came');
  expect(headerOf(sent, 'subject')).toBe('Work: a test message');
  expect(textOf(sent)).toContain('https://console.example/lockers/inbox');
  const schedule = (await temporalClient()).schedule.getHandle(notifierId(taskQueue));
  expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 60_000 }]);
  await worker.signal('SIGTERM');

  const without = start({});
  await without.logged('worker started');
  await expect(schedule.describe()).rejects.toThrow(/not found/i);
  expect(await run(['notify', '--test'], { taskQueue })).toMatchObject({
    code: 1,
    err: expect.stringContaining('the worker has no NOTIFY_CONNECTOR'),
  });
}, 120_000);
