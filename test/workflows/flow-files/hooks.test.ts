// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/hooks.md: What the sender is answered
// A third system calls a hook of the receiver, which runs as a process of its own. That what is answered 2xx reaches its processes
// once, whatever is killed, is shown in test/proofs/killed/correlation.long.test.ts.
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { Child } from '../../../scripts/child-process.ts';
import { mailboxId } from '../../../shared/routing/mailboxes.ts';
import { CALLBACK_KEY } from '../../client/receiver/flows-and-receiver.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { runningFiles, uniqueName } from './running-files.ts';

const files = runningFiles();
const KEY = 'the key of the workshop';

const repair = (name: string) => `
name: ${name}
meaning: Waits for what the workshop says of an order, and for its bill.
input: { type: object, required: [order], properties: { order: { type: string } } }
correlate: { order: "\${input.order}" }
context: { heard: [] }
initial: waiting
states:
  waiting:
    on:
      repair.finished: { actions: { type: assign, params: { heard: "\${context.heard + [event.data.cost]}" } } }
      repair.billed: over
  over: { type: final }
output: "\${context.heard}"
`;

const hooks = `
hooks:
  workshop:
    verify: { signature: { header: X-Signature, keyFile: key } }
    type: "repair.\${body.what}"
    where: { order: "\${body.order}" }
    id: "\${body.id}"
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hooks-'));
  await writeFile(join(folder, 'hooks.yaml'), hooks);
  await writeFile(join(folder, 'key'), `${KEY}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

async function startReceiver(): Promise<{ readonly child: Child; readonly url: URL }> {
  const child = nodeProgramOfTest(['client/receiver/main.ts'], {
    variables: {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      LOCKERFLOW_TASK_QUEUE: files.taskQueue,
      CALLBACK_PORT: '0',
      LOCKER_CALLBACK_KEY: CALLBACK_KEY,
      LOCKERFLOW_HOOKS: join(folder, 'hooks.yaml'),
    },
  });
  const { url, hooks: names } = await child.logged('receiver started');
  expect(names).toEqual(['workshop']);
  return { child, url: new URL('/hooks/workshop', String(url)) };
}

interface HookPayload {
  readonly what: 'finished' | 'billed';
  readonly order: string;
  readonly id: string;
  readonly cost?: number;
}

async function say(url: URL, payload: HookPayload): Promise<number> {
  const body = JSON.stringify(payload);
  const headers = { 'X-Signature': createHmac('sha256', KEY).update(body).digest('hex') };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

test('a sender may repeat an event for a day, also when its process has ended', async () => {
  const name = uniqueName('Repair');
  await files.publish(repair(name));
  const order = randomUUID();
  const { url } = await startReceiver();
  const process = await files.start(name, { request: { order } });
  expect(await say(url, { what: 'billed', order, id: 'bill' })).toBe(202);
  await process.result();
  const mailbox = files.client.workflow.getHandle(mailboxId('order', order));
  const timers = async () =>
    ((await mailbox.fetchHistory()).events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
    );
  const isADay = (seconds: number) => seconds > 80_000 && seconds <= 86_400;
  await vi.waitUntil(async () => (await timers()).some(isADay), { timeout: 60_000, interval: 100 });
  // It takes what is repeated then, and hands it to nobody.
  expect(await say(url, { what: 'billed', order, id: 'bill' })).toBe(202);
}, 120_000);
