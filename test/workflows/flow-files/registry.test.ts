// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What the registry of published flow files keeps: the latest versions, and every one on which a process runs. Publishing
// reads only those that a text leads to.
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import { migrateProcess, VersionsOf } from '../../../activities/migrations/migrate-process.ts';
import {
  FlowFilesRefused,
  publishFiles,
  publishVersion,
  VersionUnknown,
} from '../../../client/flow-files/publish.ts';
import {
  publishedFlow,
  publishedFlows,
  publishedVersion,
} from '../../../client/flow-files/published-flows.ts';
import { DEFINITIONS, definitionWorkflowId, type Published } from '../../../flows/language/registry.ts';
import { publishFolder } from '../../../worker/publish-folder.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();

const file = (name: string, state: object, more: object = {}): string =>
  JSON.stringify({
    name,
    meaning: 'Keeps something.',
    initial: Object.keys(state)[0],
    states: { ...state, over: { type: 'final' } },
    ...more,
  });

const kept = async (name: string, newest: number): Promise<number[]> => {
  const registry = files.client.workflow.getHandle(definitionWorkflowId(name));
  const numbers = Array.from({ length: newest }, (_, index) => index + 1);
  const found = await Promise.all(
    numbers.map((version) => registry.query<Published | null, [number]>('published', version)),
  );
  return numbers.filter((_, index) => found[index] !== null);
};

/** One of the newest version, as lists show it. */
async function begun(name: string, version: number): Promise<WorkflowHandle> {
  const handle = await files.start(name, {});
  await vi.waitUntil(
    async () => (await files.client.workflow.count(`LockerFlowVersion = '${name}@${version}'`)).count === 1,
    { timeout: 60_000, interval: 50 },
  );
  return handle;
}

const asked = (flow: string, to: number, back = false) => ({
  flow,
  to,
  by: 'anna',
  why: 'a test',
  plan: {},
  waits: false,
  back,
});

test('a version on which a process runs is kept beside the ten newest', async () => {
  const name = uniqueName('Kept');
  const out = { on: { back: 'over' } };
  await files.publish(file(name, { first: out }));
  const one = await begun(name, 1);
  for (let version = 2; version <= 12; version++)
    await files.publish(file(name, { first: out }, { meaning: `Version ${version}.` }));
  expect(await kept(name, 12)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  // One that is not kept is read as the newest.
  const read = [1, 2, 12, undefined].map((version) => publishedVersion(files.client, name, version));
  expect((await Promise.all(read)).map((each) => each?.version)).toEqual([1, 12, 12, 12]);
  await one.terminate();
});

test('a version is kept while a process runs on it, and a process finds its way over versions that are not', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const name = uniqueName('Kept');
  const out = { on: { back: 'over' } };
  await files.publish(file(name, { first: out }));
  const one = await begun(name, 1);
  await files.publish(file(name, { second: { was: 'first', ...out } }));
  await files.publish(
    file(name, { third: { was: 'second', on: { returned: { target: 'over', was: 'back' } } } }),
  );
  const three = await begun(name, 3);
  const ways = { on: { returned: 'over' } };
  await files.publish(file(name, { fourth: { was: 'third', ...ways } }));
  for (let version = 5; version <= 16; version++)
    await files.publish(file(name, { fourth: ways }, { meaning: `Version ${version}.` }));
  expect(await kept(name, 16)).toEqual([1, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  const versions = new VersionsOf(files.client);
  for (const [handle, version] of [
    [one, 1],
    [three, 3],
  ] as const) {
    const found = { key: handle.workflowId, version };
    expect(
      await migrateProcess(files.client, versions, asked(name, 16), found, { updateId: 'batch/1' }),
    ).toMatchObject({
      outcome: 'migrated',
    });
    expect(await untilProgress(handle, () => true)).toMatchObject({ version: 16, state: 'fourth' });
  }
  // Something has happened since: it goes to the earlier version as to any version, by the same names read backwards.
  await one.signal('event', { type: 'unknown' });
  const backwards = { key: one.workflowId, version: 16 };
  expect(
    await migrateProcess(files.client, versions, asked(name, 1, true), backwards, { updateId: 'batch/2' }),
  ).toMatchObject({
    outcome: 'migrated',
  });
  expect(await untilProgress(one, () => true)).toMatchObject({ version: 1, state: 'first' });
  await one.signal('event', { type: 'returned' });
  await one.result();
  await three.terminate();
  // Nothing runs on them any more.
  await vi.waitUntil(
    async () =>
      (await files.client.workflow.count(`WorkflowType = '${name}' AND ExecutionStatus = 'Running'`))
        .count === 0,
    { timeout: 60_000, interval: 50 },
  );
  await files.publish(file(name, { fourth: ways }, { meaning: 'The last one.' }));
  expect(await kept(name, 17)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
  expect(await migrateProcess(files.client, versions, asked(name, 99), backwards)).toMatchObject({
    outcome: 'refused',
    reasons: [{ code: 'VersionNotPublished' }],
  });
});

test('versions in use that are too large together keep the next one from being published, until one is free', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const name = uniqueName('Large');
  const large = (version: number) =>
    file(name, {
      here: { on: { end: 'over' }, description: `${version} `.repeat(60_000 / `${version} `.length) },
    });
  const handles: WorkflowHandle[] = [];
  let refused: unknown;
  for (let version = 1; version <= 20 && !refused; version++) {
    const isPublished = await files.publish(large(version)).catch((error: unknown) => {
      refused = error;
    });
    if (isPublished) handles.push(await begun(name, version));
  }
  expect((refused as { cause: unknown }).cause).toMatchObject({
    type: 'TooManyVersionsInUse',
    message: expect.stringContaining('processes run on the versions 1, 2, 3'),
  });
  const count = handles.length;
  expect(await kept(name, count)).toHaveLength(count);
  await handles[0]?.signal('event', { type: 'end' });
  await handles[0]?.result();
  await vi.waitUntil(
    async () =>
      (await files.client.workflow.count(`LockerFlowVersion = '${name}@1' AND ExecutionStatus = 'Running'`))
        .count === 0,
    { timeout: 60_000, interval: 50 },
  );
  expect(await files.publish(large(99))).toMatchObject({ version: count + 1 });
  for (const handle of handles.slice(1)) await handle.terminate();
});

test('what was published is taken back: by the former content, or by the number of its version', async () => {
  const name = uniqueName('Taken');
  const versions = ['first', 'second', 'third'].map((state) =>
    file(name, { [state]: { on: { back: 'over' } } }),
  );
  const [first = '', second = ''] = versions;
  for (const each of versions) await files.publish(each);
  expect(await files.publish(first)).toEqual({ name, version: 1, isNew: false, insteadOf: 3 });
  expect(await publishedFlow(files.client, name)).toMatchObject({ version: 1, newest: 3 });
  expect(await publishedFlows(files.client)).toContainEqual(
    expect.objectContaining({ version: 1, file: expect.objectContaining({ name }) }),
  );
  const one = await begun(name, 1);
  expect(await untilProgress(one, () => true)).toMatchObject({ version: 1, state: 'first' });
  expect(await publishVersion(files.client, name, 2, files.taskQueue)).toEqual({
    name,
    version: 2,
    isNew: false,
    insteadOf: 1,
  });
  expect(await files.publish(second)).toEqual({ name, version: 2, isNew: false });
  const two = await begun(name, 2);
  await expect(publishVersion(files.client, name, 7, files.taskQueue)).rejects.toThrow(
    new VersionUnknown(`${name} has no version 7, expected one of 1, 2, 3`),
  );
  // A number is never given twice.
  expect(await files.publish(file(name, { fourth: { on: { back: 'over' } } }))).toEqual({
    name,
    version: 4,
    isNew: true,
  });
  for (const each of [one, two]) await each.terminate();
});

test('a worker that starts again on its folder leaves the current version', async () => {
  const { client, taskQueue } = files;
  const name = uniqueName('Folder');
  const [first = '', second = ''] = ['first', 'second'].map((state) =>
    file(name, { [state]: { on: { back: 'over' } } }),
  );
  const logger = { info: vi.fn(), warn: vi.fn() };
  const publishing = { ...{ client, taskQueue, connectors: null }, stopped: new AbortController().signal };
  const start = (text: string) =>
    publishFolder([{ path: 'flow.yaml', text }], { ...publishing, logger: logger as never });
  await start(first);
  await start(second);
  expect(logger.info).toHaveBeenLastCalledWith('flow file published', { flow: `${name}@2` });
  expect(logger.warn).not.toHaveBeenCalled();
  await publishVersion(client, name, 1, taskQueue);
  await start(second);
  expect(await publishedFlow(client, name)).toMatchObject({ version: 1, newest: 2 });
  const isOther = expect.stringContaining('another version than the current one, which stays');
  expect(logger.warn).toHaveBeenLastCalledWith(isOther, { flow: `${name}@2`, current: `${name}@1` });
  await start(first);
  expect(logger.info).toHaveBeenLastCalledWith('flow file has this content already', { flow: `${name}@1` });
});

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

const publish = (...texts: { readonly path: string; readonly text: string }[]) =>
  publishFiles(files.client, texts, files.taskQueue);

const linesOf = (refused: Promise<unknown>) =>
  refused.then(
    () => [],
    (error: Error) => {
      if (!(error instanceof FlowFilesRefused)) throw error;
      return error.lines;
    },
  );

test('a circle is found through published files that the text names only by way of others', async () => {
  const [first, second, third] = ['First', 'Second', 'Third'].map(uniqueName) as [string, string, string];
  await publish(leaf(first));
  await publish(flow(second, first));
  await publish(flow(third, second));
  expect(await linesOf(publish(flow(first, third)))).toEqual([
    expect.stringContaining(`FlowsInCircle: line 6:24, states.waiting.invoke.src: ${third}`),
  ]);
});

test('files that are published together are published all or none', async () => {
  const { client } = files;
  const [one, other] = ['One', 'Other'].map(uniqueName) as [string, string];
  expect(await linesOf(publish(flow(one, other), flow(other, one)))).toContainEqual(
    expect.stringContaining('FlowsInCircle'),
  );
  expect(await publishedFlow(client, one)).toBeFalsy();
  expect(await publish(flow(one, other), leaf(other))).toMatchObject([{ version: 1 }, { version: 1 }]);
});

test('other published files are not listed, unless a name is unknown: then a near one is told', async () => {
  const { client } = files;
  const [leafName, parentName] = ['Leaf', 'Parent'].map(uniqueName) as [string, string];
  using listed = vi.spyOn(client.workflow, 'list');
  await publish(leaf(leafName));
  await publish(flow(parentName, leafName));
  expect(listed).not.toHaveBeenCalledWith({ query: DEFINITIONS });
  expect(await linesOf(publish(flow(parentName, `${leafName}x`)))).toEqual([
    expect.stringMatching(new RegExp(`SrcUnknown: .*${leafName}x .*expected ${leafName}, perhaps`)),
  ]);
});

test('what is published is in the list at once, in its new version', async () => {
  const { client } = files;
  const list = client.workflow.list.bind(client.workflow);
  const behind = [1, 2, 3];
  // Temporal's list is behind its workflows.
  using _listed = vi
    .spyOn(client.workflow, 'list')
    .mockImplementation((options) => (behind.pop() ? list({ query: "WorkflowId = 'none'" }) : list(options)));
  const name = uniqueName('Leaf');
  await publish(leaf(name));
  expect(behind).toEqual([]);
  expect(await publishedFlows(client)).toContainEqual(
    expect.objectContaining({ version: 1, file: expect.objectContaining({ name }) }),
  );
});
