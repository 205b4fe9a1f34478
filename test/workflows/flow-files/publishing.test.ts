// Publishing reads only those published files that a text leads to.
import { expect, test, vi } from 'vitest';
import { FlowFilesRefused, publishFiles } from '../../../client/flow-files/publish.ts';
import { publishedFlow, publishedFlows } from '../../../client/flow-files/published-flows.ts';
import { DEFINITIONS } from '../../../flow-files/registry.ts';
import { newTaskQueue, startWorker, temporalClient } from '../../support/temporal.ts';
import { uniqueName } from './running-files.ts';

const flow = (name: string, src: string) => ({
  path: `${name}.flow.yaml`,
  text: `
name: ${name}
meaning: Starts another process and waits for it.
initial: waiting
states:
  waiting: { invoke: { src: ${src}, onDone: done } }
  done: { type: final }
`,
});

/** A file that invokes nothing. */
const leaf = (name: string) => ({
  path: `${name}.flow.yaml`,
  text: `{ name: ${name}, meaning: Ends at once., initial: done, states: { done: { type: final } } }`,
});

async function withWorker() {
  const taskQueue = newTaskQueue();
  await startWorker({ taskQueue, activities: {} });
  const client = await temporalClient();
  const publish = (...texts: { readonly path: string; readonly text: string }[]) =>
    publishFiles(client, texts, taskQueue);
  return { client, publish };
}

const linesOf = (refused: Promise<unknown>) =>
  refused.then(
    () => [],
    (error: Error) => {
      if (!(error instanceof FlowFilesRefused)) throw error;
      return error.lines;
    },
  );

test('a circle is found through published files that the text names only by way of others', async () => {
  const { publish } = await withWorker();
  const [first, second, third] = ['First', 'Second', 'Third'].map(uniqueName) as [string, string, string];
  await publish(leaf(first));
  await publish(flow(second, first));
  await publish(flow(third, second));
  expect(await linesOf(publish(flow(first, third)))).toEqual([
    expect.stringContaining(`FlowsInCircle: line 6:24, states.waiting.invoke.src: ${third}`),
  ]);
});

test('other published files are not listed, unless a name is unknown: then a near one is told', async () => {
  const { client, publish } = await withWorker();
  const [leafName, parentName] = ['Leaf', 'Parent'].map(uniqueName) as [string, string];
  const listed = vi.spyOn(client.workflow, 'list');
  await publish(leaf(leafName));
  await publish(flow(parentName, leafName));
  expect(listed).not.toHaveBeenCalledWith({ query: DEFINITIONS });
  expect(await linesOf(publish(flow(parentName, `${leafName}x`)))).toEqual([
    expect.stringMatching(new RegExp(`SrcUnknown: .*${leafName}x .*expected ${leafName}, perhaps`)),
  ]);
});

test('what is published is in the list at once, in its new version', async () => {
  const { client, publish } = await withWorker();
  const list = client.workflow.list.bind(client.workflow);
  const behind = [1, 2, 3];
  // Temporal's list is behind its workflows.
  vi.spyOn(client.workflow, 'list').mockImplementation((options) =>
    behind.pop() ? list({ query: "WorkflowId = 'none'" }) : list(options),
  );
  const name = uniqueName('Leaf');
  await publish(leaf(name));
  expect(behind).toEqual([]);
  expect(await publishedFlows(client)).toContainEqual(
    expect.objectContaining({ version: 1, file: expect.objectContaining({ name }) }),
  );
});

test('a part is published within the files that name it, under the path by which they do', async () => {
  const { client, publish } = await withWorker();
  const name = uniqueName('Whole');
  const text = `
name: ${name}
meaning: It has a part.
initial: waiting
states: { waiting: { part: ../parts/wait.part.yaml, onDone: over }, over: { type: final } }
`;
  const part = {
    path: 'parts/wait.part.yaml',
    text: 'meaning: It waits.\nstate: { initial: a, states: { a: { type: final } } }',
  };
  expect(await linesOf(publish({ path: './flows/whole.flow.yaml', text }))).toEqual([
    expect.stringContaining('PartUnknown: line 5:22, states.waiting.part: ../parts/wait.part.yaml'),
  ]);
  await publish({ path: './flows/whole.flow.yaml', text }, part);
  expect((await publishedFlow(client, name))?.file.states?.waiting).toEqual({
    ...{ initial: 'a', states: { a: { type: 'final' } }, onDone: 'over' },
    meta: { part: '../parts/wait.part.yaml' },
  });
});
