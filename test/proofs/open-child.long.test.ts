// A process whose flow stays open while it takes very many events continues as a new run again and again, at Temporal's own
// limits: no run comes near them, each event counts once, and the flow goes on and ends for it.
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { expect, test } from 'vitest';
import { runningFiles, uniqueName, untilProgress } from '../workflows/flow-files/running-files.ts';

const EVENTS = 30_000;
const AT_ONCE = 100;
/** Temporal ends a run beyond 51,200. */
const MOST_IN_A_RUN = 15_000;
const FEWEST_RUNS = Math.max(2, EVENTS / MOST_IN_A_RUN);

const files = runningFiles();

const parent = (name: string, child: string) => `
name: ${name}
meaning: Counts rounds, as long as its flow is open.
context: { rounds: 0 }
initial: counting
states:
  counting:
    on: { round: { actions: { type: assign, params: { rounds: "\${context.rounds + 1}" } } } }
    invoke: { id: inner, src: ${child}, onDone: over }
  over: { type: final }
output: "\${context.rounds}"
`;

const child = (name: string) => `
name: ${name}
meaning: Waits for its end.
initial: waiting
states:
  waiting: { on: { enough: over } }
  over: { type: final }
`;

test(`a flow stays open through ${EVENTS} events of its parent, and ends for it`, {
  timeout: 3_600_000,
}, async () => {
  const [name, inner] = [uniqueName('Counting'), uniqueName('Waiting')];
  await files.publish(child(inner));
  await files.publish(parent(name, inner));
  const { workflowId } = await files.start(name, { request: {} });
  const handle = files.client.workflow.getHandle(workflowId);
  const opened = files.client.workflow.getHandle(`${workflowId}/inner`);
  await untilProgress(opened, ({ version }) => version === 1);
  const begun = (await opened.describe()).runId;
  for (let sent = 0; sent < EVENTS; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => handle.signal('event', { type: 'round' })));
    // A sender that never pauses keeps Temporal from continuing the process, until it takes no more of its signals.
    await untilProgress(handle, () => true);
  }
  await opened.signal('event', { type: 'enough' });
  expect(await handle.result()).toBe(EVENTS);
  expect((await opened.describe()).runId).toBe(begun);
  // Lists are a little behind.
  const runs = async () => {
    const all: WorkflowExecutionInfo[] = [];
    for await (const each of files.client.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
      all.push(each);
    return all;
  };
  const isListed = async () => {
    const names = (await runs()).map(({ status }) => status.name);
    return names.includes('COMPLETED') && !names.includes('RUNNING') && names.length >= FEWEST_RUNS;
  };
  await expect.poll(isListed).toBe(true);
  const lengths = (await runs()).map(({ historyLength }) => historyLength);
  expect(Math.max(...lengths)).toBeLessThan(MOST_IN_A_RUN);
  process.stderr.write(
    `${EVENTS} events in ${lengths.length} runs, the longest of ${Math.max(...lengths)}\n`,
  );
});
