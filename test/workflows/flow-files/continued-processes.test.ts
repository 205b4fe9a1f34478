// A process of a flow file with a long history continues as a new run. It keeps the definition that it began with, its state
// and context, the events that it has taken, what it has invoked, and the questions and flows that are open.
import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { bundleOf } from '../../support/bundles.ts';
import { bySuite, isLongSuite } from '../../support/suite.ts';
import { runningFilesOfShortRuns, uniqueName, untilProgress } from './running-files.ts';

const files = runningFilesOfShortRuns();
/** Some of them are more events than a run may have. */
const ROUNDS = bySuite({ short: 5, long: 12 });

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
  for (let number = 1; number <= ROUNDS; number += 1) await round(number);
  expect((await current.describe()).runId).not.toBe(runId);
  // Each event counts once, also if an earlier run took it first.
  await current.signal('event', { type: 'round', id: 'round-1' });
  await current.signal('event', { type: 'enough' });
  expect(await current.result()).toBe(ROUNDS);
  const keys = files.calls.map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(ROUNDS);
  expect((await current.describe()).searchAttributes.LockerFlowVersion).toEqual([`${name}@1`]);
}, 180_000);

const asking = (name: string, child: string) => `
name: ${name}
meaning: Counts rounds, as long as its question and its flow are open.
context: { rounds: 0, said: [] }
type: parallel
on:
  round: { actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } }
  inner.event: { actions: { type: assign, params: { rounds: -1 } } }
states:
  question:
    initial: asked
    states:
      asked:
        invoke:
          id: colour
          src: ask
          input: { of: desk, question: Which colour?, fields: { colour: { type: text } }, within: P2D }
          onDone: { target: answered, actions: { type: assign, params: { said: "\${context.said + [event.output.colour]}" } } }
      answered: { type: final }
  flow:
    initial: running
    states:
      running:
        invoke:
          id: inner
          src: ${child}
          onDone: { target: ended, actions: { type: assign, params: { said: "\${context.said + [event.output]}" } } }
      ended: { type: final }
output: "\${context}"
`;

const waiting = (name: string) => `
name: ${name}
meaning: Waits for its end.
initial: waiting
states:
  waiting: { on: { enough: over } }
  over: { type: final }
output: over
`;

test.runIf(isLongSuite)(
  'a process continues with a question and a flow open: both go on, are answered, and count once',
  async () => {
    const [name, child] = [uniqueName('Asking'), uniqueName('Waiting')];
    await files.publish(waiting(child));
    await files.publish(asking(name, child));
    const { workflowId } = await files.start(name, { request: {} });
    const handle = files.client.workflow.getHandle(workflowId);
    const inner = files.client.workflow.getHandle(`${workflowId}/inner`);
    await untilProgress(inner, ({ version }) => version === 1);
    const { questions: first } = await untilProgress(handle, ({ questions }) => questions.length === 1);
    const runs = new Set([(await handle.describe()).runId]);
    let rounds = 0;
    while (runs.size < 4) {
      await handle.signal('event', { type: 'round' });
      rounds += 1;
      runs.add((await handle.describe()).runId);
      if (rounds % 10 === 0) await files.restartWorker();
    }
    const { questions, awaits } = await untilProgress(handle, () => true);
    expect(questions).toEqual(first);
    expect(awaits.map(({ words }) => words)).toContain(child);
    const inboxes = (await handle.describe()).searchAttributes.LockerInbox;
    expect(inboxes).toEqual(['desk']);
    // The answer is waiting when the next run begins, and so is the end of the flow.
    await files.restartWorker(async () => {
      await inner.signal('event', { type: 'enough' });
    });
    await handle.executeUpdate('answer', { args: [{ values: { colour: 'red' }, by: 'anna' }] });
    const { rounds: counted, said } = await handle.result();
    expect(counted).toBe(rounds);
    expect(said.toSorted()).toEqual(['over', 'red']);
    for (const runId of [...runs, (await handle.describe()).runId])
      await Worker.runReplayHistory(
        { workflowBundle: await bundleOf() },
        await files.client.workflow.getHandle(workflowId, runId).fetchHistory(),
        workflowId,
      );
  },
  180_000,
);

test.runIf(isLongSuite)(
  'a process that is cancelled in a later run cancels its flow and drops its question',
  async () => {
    const [name, child] = [uniqueName('Asking'), uniqueName('Waiting')];
    await files.publish(waiting(child));
    await files.publish(asking(name, child));
    const { workflowId } = await files.start(name, { request: {} });
    const handle = files.client.workflow.getHandle(workflowId);
    await untilProgress(handle, ({ questions }) => questions.length === 1);
    const { runId } = await handle.describe();
    while ((await handle.describe()).runId === runId) await handle.signal('event', { type: 'round' });
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow('cancelled');
    await expect(files.client.workflow.getHandle(`${workflowId}/inner`).result()).rejects.toThrow(
      'cancelled',
    );
  },
  120_000,
);
