// `migrate` on a real Temporal: what a dry run says and writes, the batch that applies it, and the repair of halted processes.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { examples } from '../../contract/operations/examples.ts';
import type { BatchView } from '../../processes/batches/read-batches.ts';
import { temporaryFolder } from '../support/set-up-process.ts';
import { newTaskQueue, startWorker } from '../support/temporal.ts';
import { runningFiles, timesOf, uniqueName, untilProgress } from '../workflows/flow-files/running-files.ts';
import { run, runJson } from './lockerflow-program.ts';

const files = runningFiles();
const { taskQueue } = files;
const lockerflow = (...words: string[]) => run(words, { taskQueue });
const by = ['--by', 'anna', '--why', 'a test'];

const file = (name: string, states: object, initial: string, context: object = {}): string =>
  JSON.stringify({ name, meaning: 'Lends something.', context, initial, states, output: '${context}' });

async function planPath(): Promise<string> {
  return join(await temporaryFolder(), 'plan.yaml');
}

const begin = (name: string, count: number): Promise<WorkflowHandle[]> =>
  Promise.all(Array.from({ length: count }, () => files.start(name, {})));

/** Until lists show the version of each. */
const untilListed = (name: string, version: number, count: number): Promise<unknown> =>
  vi.waitUntil(
    async () =>
      (
        await files.client.workflow.count(
          `LockerFlowVersion = '${name}@${version}' AND ExecutionStatus = 'Running'`,
        )
      ).count === count,
    { timeout: 60_000, interval: 200 },
  );

/** So many processes whose state the new definition has not, and the plan that says where they go; gives the plan's path. */
async function planned(name: string, count: number) {
  const over = { over: { type: 'final' } };
  await files.publish(
    file(name, { lent: { on: { back: 'over' }, after: { P10D: 'over' } }, ...over }, 'lent'),
  );
  const handles = await begin(name, count);
  await untilListed(name, 1, count);
  const withUser = { on: { back: 'over' }, after: { P5D: 'over' } };
  await files.publish(file(name, { withUser, ...over }, 'withUser'));
  const plan = await planPath();
  expect(await lockerflow('migrate', name, '--to', '3', '--dry-run')).toMatchObject({
    code: 3,
    err: expect.stringContaining(
      `${name}@3 is not published: the newest is ${name}@2; publish the changed file`,
    ),
  });
  const dry = await lockerflow('migrate', name, '--to', '2', '--dry-run', '--plan', plan);
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toContain(`0 processes of ${name} would be carried to version 2`);
  expect(dry.out).toContain(
    `${count} need the plan: the process is in lent, which the new definition has not`,
  );
  expect(dry.out).toContain(`the plan with its gaps is in ${plan}`);
  const draft = await readFile(plan, 'utf8');
  expect(draft).toContain('"lent": TODO');
  const early = await lockerflow('migrate', name, '--to', '2', '--plan', plan, '--apply', ...by);
  expect(early).toMatchObject({ code: 2, err: expect.stringContaining('still has gaps') });
  await writeFile(plan, draft.replace('TODO', 'withUser'));
  const again = await lockerflow('migrate', name, '--dry-run', '--plan', plan);
  expect(again.out).toContain(`${count} processes of ${name} would be carried to version 2`);
  const empty = await planPath();
  await writeFile(empty, 'overdue: keep\n');
  expect((await lockerflow('migrate', name, '--dry-run', '--plan', empty)).out).toMatch(
    /plan\.yaml exists and is not overwritten\. Missing in it is:\n {2}# .*\n(.*\n)*? {2}states:\n {4}"lent": TODO\n/,
  );
  expect(await readFile(empty, 'utf8')).toBe('overdue: keep\n');
  return { handles, plan };
}

test('a dry run groups what would become of the processes, and writes the plan with its gaps', async () => {
  const { handles } = await planned(uniqueName('Parcel'), 2);
  for (const handle of handles) await handle.terminate();
});

test('a dry run that cannot write its plan says what it has found, and that and why there is no plan', async () => {
  const name = uniqueName('Parcel');
  const { handles, plan } = await planned(name, 2);
  const path = join(dirname(plan), 'missing', 'plan.yaml');
  const dryRun = ['migrate', name, '--dry-run', '--plan', path];
  const err = expect.stringMatching(/plan could not be written to \S+missing\/plan\.yaml \(ENOENT: /);
  expect(await lockerflow(...dryRun)).toMatchObject({
    code: 1,
    err,
    out: expect.stringMatching(
      /^0 processes of \S+ would be carried to version 2\n2 need the plan: (.*\n)*Missing is:\n(.*\n)* {4}"lent": TODO\n$/,
    ),
  });
  const { code, out } = await lockerflow('--json', ...dryRun);
  expect([code, JSON.parse(out)]).toMatchObject([1, { to: 2, plan: null, planFailure: err }]);
  for (const handle of handles) await handle.terminate();
});

test('a plan that cannot be read is refused with what a plan is', async () => {
  const folder = await temporaryFolder();
  for (const [path, problem] of [
    [folder, 'EISDIR'],
    [join(folder, 'none.yaml'), 'ENOENT'],
  ] as const) {
    const { code, err } = await lockerflow('migrate', 'Issue', '--apply', ...by, '--plan', path);
    expect(code).toBe(2);
    expect(err).toContain(`--plan ${path} cannot be read (${problem}`);
    expect(err).toContain('expected a plan in YAML, a map with any of states, ');
    expect(err).not.toContain('flow file');
  }
});

test('a delay that has fired is a gap of the plan, which is written into the current folder', async () => {
  const name = uniqueName('Reminded');
  const states = (delay: string) => ({
    lent: { after: { [delay]: { actions: { type: 'emit', params: { type: 'reminded' } } } } },
  });
  await files.publish(file(name, states("${context['soon']}"), 'lent', { soon: 'PT0.1S' }));
  const [handle] = (await begin(name, 1)) as [WorkflowHandle];
  await untilListed(name, 1, 1);
  await untilProgress(handle, (progress) => timesOf(progress).length === 0);
  await files.publish(file(name, states('P1D'), 'lent', { soon: 'PT0.1S' }));
  const path = join(process.cwd(), `${name}.2.migration.yaml`);
  onTestFinished(() => rm(path));
  const dry = await lockerflow('migrate', name, '--dry-run');
  expect(dry.out).toContain(`the plan with its gaps is in ${path}\n`);
  const draft = await readFile(path, 'utf8');
  expect(draft).toContain(`timers:\n  "lent \${context['soon']}": TODO\n`);
  await writeFile(path, draft.replace('TODO', 'P1D'));
  const planned = await lockerflow('migrate', name, '--dry-run', '--plan', path);
  expect(planned.out).toContain(`1 process of ${name} would be carried to version 2`);
  expect((await lockerflow('migrate', name, '--dry-run')).out).toContain(
    `${path} exists and is not overwritten, and was not read: go by it with --plan`,
  );
  const misspelt = ['migrate', '--key', handle.workflowId, '--dry-run', '--plan', `${path}x`];
  expect(await lockerflow(...misspelt)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${path}x cannot be read`),
  });
  await handle.terminate();
});

test('the batch brings all of them over by the plan', { tags: 'long', timeout: 120_000 }, async () => {
  const name = uniqueName('Parcel');
  const { handles, plan } = await planned(name, 12);
  const applied = await lockerflow(
    'migrate',
    name,
    '--to',
    '2',
    '--plan',
    plan,
    '--apply',
    '--first',
    '2',
    ...by,
  );
  expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('done, 12 migrated') });
  for (const handle of handles) {
    const progress = await untilProgress(handle, () => true);
    expect(progress).toMatchObject({
      version: 2,
      state: 'withUser',
      migrations: [{ from: 1, to: 2, by: 'anna' }],
    });
    await handle.signal('event', { type: 'back' });
    await handle.result();
  }
});

test('processes that have halted go on with the corrected file, by one command', async () => {
  const name = uniqueName('Sum');
  const state = (sum: string) => ({
    here: { on: { add: { actions: { type: 'assign', params: { sum } } }, end: 'over' } },
    over: { type: 'final' },
  });
  await files.publish(file(name, state('${context.sum + event.data.amount}'), 'here', { sum: 1 }));
  const handles = await begin(name, 3);
  for (const handle of handles) await handle.signal('event', { type: 'add', data: 5 });
  await Promise.all(handles.map((handle) => untilProgress(handle, ({ halted }) => halted !== null)));
  await vi.waitUntil(
    async () =>
      (await files.client.workflow.count(`WorkflowType = '${name}' AND LockerPhase = 'NeedsPerson'`))
        .count === 3,
    { timeout: 60_000, interval: 200 },
  );
  const [{ workflowId: key }] = handles as [WorkflowHandle];
  expect((await lockerflow('show', key)).out).toMatch(
    /step for add cannot be taken: states\.here\.\S+: .*[^;] \(migrate, drop-event or give-up\)\n/,
  );
  await files.publish(file(name, state('${context.sum + event.data}'), 'here', { sum: 1 }));
  const applied = await lockerflow('migrate', name, '--halted', '--to', 'current', '--apply', ...by);
  expect(applied).toMatchObject({ code: 0, err: '', out: expect.stringContaining('done, 3 migrated') });
  expect((await lockerflow('show', key)).out).toContain('Anna migrates it to version 2, because a test.');
  for (const handle of handles) {
    await handle.signal('event', { type: 'end' });
    await expect(handle.result()).resolves.toEqual({ sum: 6 });
  }
}, 120_000);

test('one process is migrated by its key, and back', async () => {
  const name = uniqueName('Single');
  const states = (after: string) => ({ lent: { after: { [after]: 'over' } }, over: { type: 'final' } });
  await files.publish(file(name, states('P10D'), 'lent'));
  const [handle] = (await begin(name, 1)) as [WorkflowHandle];
  await untilListed(name, 1, 1);
  await files.publish(file(name, states('P9D'), 'lent'));
  const key = handle.workflowId;
  expect((await lockerflow('migrate', '--key', key)).out).toBe(`${key} would be on ${name}@2\n`);
  expect((await lockerflow('migrate', '--key', key, '--apply', ...by)).out).toBe(`${key} is on ${name}@2\n`);
  const back = await lockerflow('migrate', '--key', key, '--to', '1', '--back', '--apply', ...by);
  expect(back.out).toBe(`${key} is on ${name}@1\n`);
  await handle.terminate();
});

/** A process of Issue where its workers have two versions, and this package has one. */
async function issueOfTwoVersions() {
  const ofWorker = newTaskQueue();
  const workflows = new URL('../end-to-end/fixtures/issue-of-two-versions.ts', import.meta.url);
  await startWorker({ taskQueue: ofWorker, workflows: fileURLToPath(workflows) });
  const key = `two-versions-${randomUUID()}`;
  const handle = await files.client.workflow.start('Issue', {
    ...{ taskQueue: ofWorker, workflowId: key },
    // As it says itself once it has booked; nobody books here.
    searchAttributes: { LockerFlowVersion: ['Issue@2'] },
    args: [{ request: { ...examples.CreateLocalShipmentAsIssue.request } }],
  });
  onTestFinished(() => handle.terminate().then(() => undefined));
  return {
    key,
    ofKey: ['migrate', '--key', key],
    ofQuery: ['migrate', 'Issue', '--query', `WorkflowId = '${key}'`],
  };
}

test('another version of a built-in flow than the current one is named by its number', async () => {
  const { key, ofKey } = await issueOfTwoVersions();
  expect((await lockerflow(...ofKey, '--to', '1', '--apply', ...by)).out).toContain(`${key} is on Issue@1\n`);
  expect((await lockerflow(...ofKey, '--to', '2')).out).toContain(`${key} would be on Issue@2\n`);
  expect(await lockerflow(...ofKey, '--to', '3')).toMatchObject({
    code: 1,
    out: expect.stringContaining('Issue@3 is not registered (registered: 1, 2)'),
  });
});

test('the current version of a built-in flow is that of the package, and carries nothing backwards', async () => {
  const { key, ofKey, ofQuery } = await issueOfTwoVersions();
  for (const more of [[], ['--to', 'current'], ['--apply', ...by]])
    expect(await lockerflow(...ofKey, ...more)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${key} is on Issue@2, and the newest of this package is Issue@1`),
    });
  const query = `WorkflowId = '${key}' AND LockerFlowVersion = 'Issue@2'`;
  await vi.waitUntil(async () => (await files.client.workflow.count(query)).count === 1, { timeout: 15_000 });
  expect((await lockerflow(...ofQuery, '--to', '1')).out).toContain('1 process of Issue would be carried');
  expect((await lockerflow(...ofQuery)).out).toBe('0 processes of Issue would be carried to version 1\n');
  expect(await untilProgress(files.client.workflow.getHandle(key), () => true)).toMatchObject({ version: 2 });
});

test('a batch is paused, goes on, and is taken back', { tags: 'long', timeout: 120_000 }, async () => {
  const name = uniqueName('Paused');
  const states = (after: string) => ({
    lent: { on: { back: 'over' }, after: { [after]: 'over' } },
    over: { type: 'final' },
  });
  await files.publish(file(name, states('P10D'), 'lent'));
  const handles = await begin(name, 12);
  await untilListed(name, 1, 12);
  const before = await Promise.all(handles.map((handle) => timersOf(handle)));
  await files.publish(file(name, states('P9D'), 'lent'));
  const applying = lockerflow('migrate', name, '--apply', '--first', '2', ...by);
  // After the first ones the batch looks at them for some seconds.
  await untilListed(name, 2, 2);
  const paused = await lockerflow('migrate', name, '--pause');
  expect(paused.out).toContain(`${name} to version 2: paused`);
  expect(await applying).toMatchObject({
    code: 1,
    out: expect.stringContaining('paused (--resume lets it go on), 2 migrated'),
  });
  const twice = await lockerflow('migrate', name, '--apply', ...by);
  expect(twice).toMatchObject({ err: expect.stringContaining('runs already') });
  // It follows the batch to its end.
  expect(await lockerflow('migrate', name, '--resume')).toMatchObject({
    code: 0,
    out: expect.stringContaining('done, 12 migrated'),
  });
  const batch = files.client.workflow.getHandle(`${internalIds.migration}${name} to 2`);
  await expect(batch.result()).resolves.toMatchObject({ phase: 'done', migrated: 12, groups: [] });
  const back = await lockerflow('migrate', name, '--to', '1', '--back', '--apply', ...by);
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining('done, 12 migrated') });
  expect(await Promise.all(handles.map((handle) => timersOf(handle)))).toEqual(before);
  for (const handle of handles) await handle.terminate();
});

const timersOf = async (handle: WorkflowHandle): Promise<unknown> =>
  timesOf(await untilProgress(handle, () => true));

test('a batch stops by itself where too many are refused, and ends when it is told to go on', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const name = uniqueName('Stopped');
  const over = { over: { type: 'final' } };
  await files.publish(file(name, { lent: { on: { back: 'over' } }, ...over }, 'lent'));
  const handles = await begin(name, 12);
  await untilListed(name, 1, 12);
  await files.publish(file(name, { gone: { on: { back: 'over' } }, ...over }, 'gone'));
  const stopped = await lockerflow('migrate', name, '--apply', '--first', '10', ...by);
  expect(stopped).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /stopped \(1[0-2] of 1[0-2] processes were refused; --resume lets it go on\), 0 migrated/,
    ),
  });
  expect(stopped.out).toContain('need the plan: the process is in lent, which the new definition has not');
  expect(await lockerflow('migrate', name, '--resume')).toMatchObject({
    code: 1,
    out: expect.stringContaining('done, 0 migrated'),
  });
  const batch = files.client.workflow.getHandle(`${internalIds.migration}${name} to 2`);
  await expect(batch.result()).resolves.toMatchObject({
    migrated: 0,
    groups: [{ count: 12, code: 'StateRemoved' }],
  });
  for (const handle of handles) {
    expect(await untilProgress(handle, () => true)).toMatchObject({ version: 1 });
    await handle.terminate();
  }
});

test('each migration of a flow to the same version keeps a record of its own', async () => {
  const name = uniqueName('Twice');
  const states = (after: string) => ({ lent: { after: { [after]: 'over' } }, over: { type: 'final' } });
  await files.publish(file(name, states('P10D'), 'lent'));
  const [handle] = (await begin(name, 1)) as [WorkflowHandle];
  await untilListed(name, 1, 1);
  await files.publish(file(name, states('P9D'), 'lent'));
  const apply = (why: string) => lockerflow('migrate', name, '--apply', '--by', 'anna', '--why', why);
  expect((await apply('the first')).out).toContain('done, 1 migrated');
  expect((await apply('the second')).out).toContain('done, 0 migrated');
  const id = `${internalIds.migration}${name} to 2`;
  const ofBoth = [
    { id, why: 'the second', status: { done: 0 } },
    { id: expect.stringContaining(`${id}/`), why: 'the first', status: { done: 1 } },
  ];
  const listed = await vi.waitUntil(async () => {
    const all = await runJson<BatchView[]>(['batch', 'list'], { taskQueue });
    const its = all.filter((each) => each.id.startsWith(id));
    return its.length === 2 && its.every(({ closedAt }) => closedAt) && its;
  }, 30_000);
  expect(listed).toMatchObject(ofBoth);
  const shown = await lockerflow('batch', 'show', listed[1]?.id ?? '');
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('the first') });
  await handle.terminate();
});

test('an event by its former name is taken, and the command says so', async () => {
  const name = uniqueName('Parcel');
  const states = (on: object) => ({ kept: { on, after: { P9D: 'over' } }, over: { type: 'final' } });
  await files.publish(file(name, states({ fetched: 'over' }), 'kept'));
  await files.publish(file(name, states({ collected: { target: 'over', was: 'fetched' } }), 'kept'));
  const [handle] = await begin(name, 1);
  const key = handle?.workflowId ?? '';
  expect((await lockerflow('event', key, 'fetched')).out).toBe(`${key} was sent fetched\n`);
  await handle?.result();
});
