// What processes answer is kept until their history grows, and never longer: what somebody has just done is seen at once, though
// Temporal's search still finds what there was before.
import { expect, test, vi } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { AnswerCache } from '../../processes/answer-cache.ts';
import { answer } from '../../processes/commands/answer.ts';
import { orThrow } from '../../processes/outcome.ts';
import { FlowPositions } from '../../processes/views/overview/flow-positions.ts';
import { type KeptQuestions, openQuestions } from '../../processes/views/questions.ts';
import { ProcessSummaries } from '../../processes/views/summaries.ts';
import { runningFiles, uniqueName } from '../workflows/flow-files/running-files.ts';

const files = runningFiles();

const twoQuestions = (name: string) => `
name: ${name}
meaning: The desk looks at a device twice.
initial: first
states:
  first:
    invoke: { id: first, src: ask, input: { of: ${name}-desk, question: "Is it whole?", fields: { whole: { type: yesNo } } }, onDone: second }
  second:
    invoke: { id: second, src: ask, input: { of: ${name}-desk, question: "Is it clean?", fields: { clean: { type: yesNo } } }, onDone: over }
  over: { type: final }
`;

async function asking() {
  const name = uniqueName('TwoQuestions');
  await files.publish(twoQuestions(name));
  const { client, taskQueue } = files;
  const temporal = { client, taskQueue, flows: new LockerFlows(client, { taskQueue }) };
  const { workflowId: key, firstExecutionRunId: runId } = await begun(name);
  const progress = () => temporal.flows.fileHandle(key).progress();
  const idOf = (question: { readonly id: string } | undefined) => question?.id ?? '';
  await expect.poll(async () => (await progress()).questions.length, { timeout: 60_000 }).toBe(1);
  return {
    name,
    temporal,
    key,
    runId,
    /** Waits until a look asks the process nothing: its history has come to rest then. */
    untilNothingIsAsked: async (look: () => Promise<unknown>) => {
      const queries = vi.spyOn(client.workflowService, 'queryWorkflow');
      const asked = async () => {
        queries.mockClear();
        await look();
        return queries.mock.calls.length;
      };
      await expect.poll(asked, { timeout: 60_000 }).toBe(0);
      queries.mockRestore();
    },
    answer: async (values: Record<string, boolean>) => {
      const [open] = (await progress()).questions;
      orThrow(await answer.do({ ...temporal, by: 'anna' }, key, { question: idOf(open), values }));
    },
  };
}

async function begun(name: string) {
  const { workflowId } = await files.start(name, { request: {} });
  const { runId } = await files.client.workflow.getHandle(workflowId).describe();
  return { workflowId, firstExecutionRunId: runId };
}

test('an answer is kept while nothing happens, and asked for again right after an act', async () => {
  const { temporal, key, untilNothingIsAsked, answer: say } = await asking();
  const kept = new AnswerCache<string>();
  const activeState = () =>
    kept.of(temporal, key, async () => String((await temporal.flows.fileHandle(key).progress()).state));
  await untilNothingIsAsked(activeState);
  expect(await activeState()).toBe('first');
  await say({ whole: true });
  expect(await activeState()).toBe('second');
  await say({ clean: true });
  expect(await activeState()).toBe('over');
});

test('the inbox asks a process again only when it has gone on, and shows what was answered no more', async () => {
  const { name, temporal, key, untilNothingIsAsked, answer: say } = await asking();
  const kept: KeptQuestions = new AnswerCache();
  const texts = async () =>
    (await openQuestions(temporal, { name: `${name}-desk` }, kept)).items
      .filter((each) => each.key === key)
      .map(({ text }) => text);
  await expect.poll(texts, { timeout: 60_000 }).toEqual(['Is it whole?']);
  await untilNothingIsAsked(texts);
  expect(await texts()).toEqual(['Is it whole?']);
  await say({ whole: true });
  // Search and process do not change together: it shows the next question or nothing, and never the one that was answered.
  expect(await texts()).not.toContain('Is it whole?');
  await expect.poll(texts, { timeout: 60_000 }).toEqual(['Is it clean?']);
  await say({ clean: true });
  expect(await texts()).toEqual([]);
});

test('the states of a flow’s processes and the rows of a list are asked again only when they have gone on', async () => {
  const { name, temporal, key, runId, untilNothingIsAsked, answer: say } = await asking();
  const positions = new FlowPositions(temporal);
  const summaries = new ProcessSummaries(temporal, () => undefined);
  const row = async () => (await summaries.behind({ key, runId })).states.map(({ state }) => state);
  await expect
    .poll(async () => (await positions.of(name)).processes.map(({ active }) => active?.at(-1)), {
      timeout: 60_000,
    })
    .toEqual(['first']);
  await untilNothingIsAsked(row);
  expect(await row()).toEqual(['first']);
  await say({ whole: true });
  expect(await row()).toEqual(['second']);
  await untilNothingIsAsked(row);
  await say({ clean: true });
  await files.client.workflow.getHandle(key).result();
  expect(await row()).toEqual(['over']);
  // Temporal's search may still find it among those that run: the row of the list says better.
  const rows = await summaries.current([{ key, runId }], 0);
  expect(rows.get(runId)).toMatchObject({ hasEnded: true });
  expect(summaries.of({ key, runId }).hasEnded).toBe(true);
  summaries.stop();
});
