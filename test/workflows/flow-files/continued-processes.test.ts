// A process of a flow file with a long history continues as a new run. It keeps the definition that it began with, its state
// and context, the events that it has taken, and what it has invoked.
import { expect, test } from 'vitest';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();

const rounds = (name: string) => `
name: ${name}
meaning: Looks at the wall at every round.
context: { rounds: 0 }
initial: resting
states:
  resting:
    on:
      round: { target: looking, actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
      enough: over
  looking:
    invoke: { id: look, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: resting }
  over: { type: final }
output: "\${context.rounds}"
`;

test('a long process keeps its definition, its context, and what it has taken and invoked', async () => {
  const name = uniqueName('Rounds');
  await files.publish(rounds(name));
  const handle = await files.start(name, { request: {} });
  const { runId } = await handle.describe();
  await untilProgress(handle, ({ version }) => version === 1);
  // The process does not read the newer version: it holds the one that it began with.
  await files.publish(rounds(name).replace(/output: .*/, 'output: newer'));
  const current = files.client.workflow.getHandle(handle.workflowId);
  const round = async (number: number) => {
    await current.signal('event', { type: 'round', id: `round-${number}` });
    await untilProgress(current, (progress) => progress.state === 'resting');
    const own = () => files.calls.filter(({ idempotencyKey }) => idempotencyKey.includes(handle.workflowId));
    await expect.poll(() => own().length, { timeout: 30_000 }).toBe(number);
  };
  for (let number = 1; number <= 12; number += 1) await round(number);
  expect((await current.describe()).runId).not.toBe(runId);
  // Each event counts once, also if an earlier run took it first.
  await current.signal('event', { type: 'round', id: 'round-1' });
  await current.signal('event', { type: 'enough' });
  expect(await current.result()).toBe(12);
  const keys = files.calls.map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(12);
  expect((await current.describe()).searchAttributes.LockerFlowVersion).toEqual([`${name}@1`]);
}, 180_000);
