// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A process says by a search attribute when somebody last acted on it: the log of a shift finds it by that.
import { Worker } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { bundleOf } from '../../support/bundles.ts';
import { joined } from '../recording/derived-histories.ts';
import { runningFiles, runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();
const filesOfOneRun = runningFiles();

const rounds = (name: string) => `
name: ${name}
meaning: Counts rounds.
context: { rounds: 0 }
initial: resting
states:
  resting:
    on:
      round: { actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
      enough: over
      fails: { guard: "\${event.data.x == 1}", target: over }
  over: { type: final }
output: "\${context.rounds}"
`;

async function started(on = files, text = rounds) {
  const name = uniqueName('Rounds');
  await on.publish(text(name));
  const { workflowId } = await on.start(name, { request: {} });
  const handle = on.client.workflow.getHandle(workflowId);
  await untilProgress(handle, ({ version }) => version === 1);
  const actedAt = async () =>
    (await handle.describe()).searchAttributes.LockerActedAt?.[0] as Date | undefined;
  const sent = (who?: object) => handle.signal('event', { type: 'round', ...(who && { who }) });
  /** Temporal answers a query once the process has taken what came before. */
  const took = () => handle.query('progress');
  return { handle, workflowId, actedAt, sent, took };
}

test('a note, and an event in a person’s name are acts; what programs send by themselves is not', async () => {
  const { handle, workflowId, actedAt, sent, took } = await started();
  await sent();
  await sent({ by: 'shop (API)' });
  await took();
  expect(await actedAt()).toBeUndefined();
  await handle.executeUpdate('note', { args: [{ text: 'Charger is missing', by: 'noor' }] });
  const noted = await actedAt();
  expect(Math.abs(Date.now() - Number(noted))).toBeLessThan(60_000);
  await sent({ by: 'shop (API)', onBehalfOf: 'mila' });
  await took();
  expect(Number(await actedAt())).toBeGreaterThan(Number(noted));
  await sent({ by: 'noor' });
  await sent();
  await handle.signal('event', { type: 'enough' });
  await handle.result();
  await files.replays(workflowId);
});

test('the run that continues a process has it too', async () => {
  const { handle, workflowId, actedAt, sent, took } = await started();
  await handle.executeUpdate('note', { args: [{ text: 'Charger is missing', by: 'noor' }] });
  const noted = await actedAt();
  const { runId } = await handle.describe();
  while ((await handle.describe()).runId === runId) {
    await sent();
    await took();
  }
  expect(await actedAt()).toEqual(noted);
  await handle.executeUpdate('note', { args: [{ text: 'It is here', by: 'noor' }] });
  expect(Number(await actedAt())).toBeGreaterThan(Number(noted));
  await handle.signal('event', { type: 'enough' });
  await handle.result();
  await files.replays(workflowId);
}, 120_000);

test('a halted process says it too', async () => {
  const { handle, workflowId, actedAt } = await started();
  await handle.signal('event', { type: 'fails', data: {} });
  await untilProgress(handle, ({ phase }) => phase === 'NeedsPerson');
  await handle.executeUpdate('note', { args: [{ text: 'Ask the author of the file', by: 'noor' }] });
  const noted = await vi.waitUntil(actedAt, { timeout: 30_000 });
  await handle.executeUpdate('dropEvent', { args: [{ by: 'noor', why: 'sent by mistake' }] });
  expect(Number(await actedAt())).toBeGreaterThan(Number(noted));
  await handle.signal('event', { type: 'enough' });
  await handle.result();
  await files.replays(workflowId);
});

test('a cancellation is an act: Temporal says only in the history who has asked for it', async () => {
  const { handle, workflowId, actedAt } = await started();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  expect(await actedAt()).toBeInstanceOf(Date);
  await files.replays(workflowId);
});

const timed = (name: string) => `
name: ${name}
meaning: Waits beside what it counts.
context: { rounds: 0 }
type: parallel
on:
  round: { actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
states:
  waits:
    initial: idle
    states:
      idle: { on: { wait: waiting } }
      waiting: { after: { PT1H: idle } }
  counts: {}
`;

test('an act gives the same commands in a task of its own as in one with the event before it', async () => {
  const { handle, workflowId, sent, took } = await started(filesOfOneRun, timed);
  await handle.signal('event', { type: 'wait' });
  await took();
  await sent({ by: 'noor' });
  await took();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  const { events } = await handle.fetchHistory();
  const together = joined(events ?? []);
  expect(together.length).toBeGreaterThan(0);
  const workflowBundle = await bundleOf();
  for (const each of together)
    await Worker.runReplayHistory({ workflowBundle }, { events: each }, workflowId);
});
