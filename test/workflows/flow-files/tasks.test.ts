// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Tasks on a real Temporal, where a process continues as a new run after about 20 events: who holds a question survives that and a
// restarted worker, a reminder comes once, and a question that is assigned to another inbox is found there.
import type { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { expect, test, vi } from 'vitest';
import { bundleOf } from '../../support/bundles.ts';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();

async function asking(more: string, on: string) {
  const name = uniqueName('Approval');
  await files.publish(`
name: ${name}
meaning: Somebody approves who has not asked for it.
context: { heard: [], ticks: 0 }
initial: asking
states:
  asking:
    invoke:
      id: check
      src: ask
      input:
        of: ${name}-desk
        question: May it be bought?
        fields: { ok: { type: yesNo } }
        not: rita
        ${more}
      onDone: over
    on:
      tick: { actions: { type: assign, params: { ticks: "\${context.ticks + 1}" } } }
      ${on}
  over: { type: final }
output: { heard: "\${context.heard}", ticks: "\${context.ticks}" }
`);
  const { workflowId } = await files.start(name, {});
  const handle = files.client.workflow.getHandle(workflowId);
  await untilProgress(handle, ({ questions }) => questions.length === 1);
  const update = async (action: string, given: object): Promise<string> =>
    await handle.executeUpdate(action, { args: [given] }).then(
      () => 'taken',
      ({ cause }: WorkflowUpdateFailedError) => (cause as ApplicationFailure).type ?? String(cause),
    );
  return { name, workflowId, handle, update };
}

const adds = (value: string) =>
  `{ actions: { type: assign, params: { heard: "\${context.heard + [${value}]}" } } }`;

async function replayed(workflowId: string): Promise<number> {
  let runs = 0;
  for await (const { runId } of files.client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
    const history = await files.client.workflow.getHandle(workflowId, runId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: await bundleOf() }, history, workflowId);
    runs += 1;
  }
  return runs;
}

test('its holder is the same in the next run and on the next worker, and a reminder comes once', async () => {
  const { workflowId, handle, update } = await asking(
    'remind: [PT0.1S, PT9H]',
    `check.reminder: ${adds('event.number')}\n      check.claimed: ${adds('event.by')}`,
  );
  await untilProgress(handle, ({ awaits }) => awaits.length > 0);
  expect(await update('claim', { by: 'anna' })).toBe('taken');
  expect(await update('claim', { by: 'ben' })).toBe('HeldByAnother');
  expect(await update('release', { by: 'ben' })).toBe('HeldByAnother');
  for (let tick = 0; tick < 12; tick++) await handle.signal('event', { type: 'tick', id: `tick ${tick}` });
  await untilProgress(
    handle,
    ({ context }) => (context as { heard: readonly unknown[] }).heard.length === 2,
    { context: true },
  );
  await files.restartWorker();
  const answer = { values: { ok: true } };
  expect(await update('answer', { ...answer, by: 'ben' })).toBe('HeldByAnother');
  expect(await update('answer', { ...answer, by: 'anna' })).toBe('taken');
  const { heard, ticks } = await handle.result();
  expect([ticks, [...heard].sort()]).toEqual([12, [1, 'anna']]);
  expect(await replayed(workflowId)).toBeGreaterThan(1);
}, 120_000);

test('a question that is assigned to another inbox is found there alone, also where the file does not listen', async () => {
  const { name, workflowId, handle, update } = await asking('due: PT1H', '');
  const found = async (inbox: string) =>
    (await files.client.workflow.count(`WorkflowId = "${workflowId}" AND LockerInbox = "${inbox}"`)).count;
  expect(await update('assign', { by: 'anna', to: 'rita' })).toBe('FourEyes');
  expect(await update('assign', { by: 'anna', of: `${name}-shop`, why: 'it is theirs' })).toBe('taken');
  await vi.waitUntil(async () => (await found(`${name}-shop`)) === 1, { timeout: 30_000 });
  expect(await found(`${name}-desk`)).toBe(0);
  expect(await update('answer', { by: 'rita', values: { ok: true } })).toBe('FourEyes');
  expect(await update('answer', { by: 'ben', values: { ok: true } })).toBe('taken');
  await handle.result();
  await replayed(workflowId);
}, 120_000);

test('a claim that leads to the end of the process is answered before it', async () => {
  const { handle, update } = await asking('', 'check.claimed: over');
  expect(await update('claim', { by: 'anna' })).toBe('taken');
  await handle.result();
}, 60_000);
