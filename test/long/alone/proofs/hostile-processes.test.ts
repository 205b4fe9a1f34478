// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
// Files that mean harm, published to a real worker: each is refused with a code, or its process runs within the bounds. No
// process hangs, no workflow task fails, the worker lives, and all of them can be cancelled.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FlowFilesRefused, publishFiles } from '../../../../client/flow-files/publish.ts';
import { definitionWorkflowId } from '../../../../flows/language/registry.ts';
import { ourService } from '../../../end-to-end/installation.ts';
import { useInstallation } from '../../../end-to-end/use-installation.ts';
import { startWorkerProcess } from '../../../end-to-end/worker-process.ts';
import { hostileFiles } from '../../../flows/language/hostile-files.ts';
import { freshSeed } from '../../../support/suite.ts';
import { newTaskQueue } from '../../../support/temporal.ts';

const FILES = 200;
const AT_ONCE = 4;
const PATIENCE = { timeout: 180_000, interval: 30 };
/** The server's own: it takes a task back when more has come meanwhile than it puts off. */
const BY_THE_SERVER = ['UNHANDLED_COMMAND', 'FORCE_CLOSE_COMMAND'];

const causes = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;
const installation = useInstallation(ourService, { worker: false });

// Files that any reader accepts, and that do all they can to a worker once they run: they end nowhere, grow without end, or ask
// Temporal for what it does not take. By what each is; made for one event, GO.
const long = 'x'.repeat(20_000);
const grown = { type: 'assign', params: { text: long } };
const heard = (state: object, more: object = {}) => ({
  initial: 'idle',
  states: {
    idle: { on: { GO: { target: 'there', actions: grown } } },
    there: state,
    over: { type: 'final' },
    ...more,
  },
});
const looking = { src: 'GetPickUpPoints', input: { pageNo: 1, pageSize: 1 } };
const asked = (of: string, more: object = {}) => ({ src: 'ask', input: { of, question: 'Is it?', ...more } });
const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

const parts: Readonly<Record<string, object>> = {
  'calls without end': heard({ invoke: { ...looking, onDone: { target: 'there', reenter: true } } }),
  'timers without end': heard({ after: { 'PT0.001S': { target: 'there', reenter: true } } }),
  'a hundred timers at once': heard({
    entry: times(100, (index) => ({
      type: 'raise',
      params: { type: 'tick', id: `t${index}`, delay: 'PT0.01S' },
    })),
    on: { tick: { actions: { type: 'assign', params: { last: '${now}' } } } },
  }),
  'a question to two hundred inboxes': heard({
    invoke: times(200, (index) => ({ id: `q${index}`, ...asked(`${index}${'x'.repeat(76)}`) })),
  }),
  'two hundred calls at once': heard({ invoke: times(200, (index) => ({ id: `c${index}`, ...looking })) }),
  'an endless name of a question': heard({
    invoke: { id: 'x'.repeat(9_000), ...asked('desk', { within: 'P1D' }) },
  }),
  'an endless name of a flow': heard({
    invoke: { id: 'x'.repeat(9_000), src: 'Issue', input: '${{"request": {}}}' },
  }),
  'an endless name of a call': heard({ invoke: { id: 'x'.repeat(9_000), ...looking } }),
  'a name of a flow in another script': heard({
    invoke: { id: 'ß\u202e\u0000/../..', src: 'Issue', input: '${{"request": {}}}' },
  }),
  'a delay of many words': heard({ after: { [`\${later(now, "P1D")${' '.repeat(900)}}`]: 'over' } }),
  'an endless inbox': heard({ invoke: asked('${context.text}') }),
  'an endless question': heard({
    invoke: { src: 'ask', input: { of: 'desk', question: '${context.text}' } },
  }),
  'an output without end': heard(
    { always: 'full' },
    { full: { type: 'final', output: times(4_000, () => '${context.text}') } },
  ),
  'a request without end': heard({
    invoke: {
      src: 'call',
      input: { connector: 'hub', method: 'POST', path: '/', body: times(3_000, () => '${context.text}') },
    },
  }),
  'a flow with a request without end': heard({
    invoke: {
      src: 'Issue',
      input: {
        request: {
          pupUid: '${context.text}'.repeat(3_000),
          toUserUid: 'user-anna',
          allowLargerLockers: true,
          allowOverflowLockers: false,
          dimension: { height: 1, width: 1, length: 1 },
        },
      },
    },
  }),
  'a text without end': heard(
    { always: 'full' },
    { full: { type: 'final', output: '${context.text}'.repeat(3_000) } },
  ),
  'an event without end': heard({
    entry: { type: 'emit', params: { type: 'told', data: times(3_000, () => '${context.text}') } },
  }),
  'a log without end': heard({
    entry: { type: 'log', params: { message: times(3_000, () => '${context.text}') } },
  }),
  'raises within raises': heard({
    entry: times(150, () => ({ type: 'raise', params: { type: 'more' } })),
    on: { more: { actions: times(10, () => ({ type: 'raise', params: { type: 'more' } })) } },
  }),
  'a flow that is not a map': heard({ invoke: { src: 'Issue', input: '${context.text}' } }),
  'a call that is not a map': heard({ invoke: { src: 'GetPickUpPoints', input: '${[1, 2]}' } }),
  'endless words in all that people see': heard({
    tags: [long, 'b'],
    description: long,
    invoke: asked('desk'),
  }),
};

const hostileAtRunTime = Object.entries(parts).map(([what, file]) => ({
  what,
  file: { name: 'Hostile', meaning: `It means harm: ${what}.`, context: { text: '' }, ...file },
}));

/** Different ones, from as many seeds as it takes, the first of which the title tells. */
function* texts(): Generator<string> {
  for (const { file } of hostileAtRunTime) yield JSON.stringify(file);
  const seen = new Set<string>();
  for (let seed = freshSeed; ; seed++)
    for (const text of hostileFiles(1_000, seed))
      if (!seen.has(text)) {
        seen.add(text);
        yield text;
      }
}

interface NamedFile {
  readonly name: string;
  readonly text: string;
}

/** The text under a name of its own, because the server keeps what is published. Null: it has no name. */
function named(text: string): NamedFile | null {
  const name = `Hostile${randomUUID().replaceAll('-', '')}`;
  const renamed = text.replaceAll(/"(name|src)":"Hostile"/g, `"$1":"${name}"`);
  return renamed.includes(`"name":"${name}"`) ? { name, text: renamed } : null;
}

/** Null: it was refused with a code. */
async function started({ name, text }: NamedFile, taskQueue: string): Promise<WorkflowHandle | null> {
  const { client } = installation();
  try {
    await publishFiles(client, [{ path: 'hostile', text }], taskQueue);
  } catch (error) {
    if (!(error instanceof FlowFilesRefused)) throw error;
    expect(error.lines).not.toEqual([]);
    for (const line of error.lines) expect(line).toMatch(/^hostile: [A-Z][A-Za-z]+: /);
    return null;
  }
  const handle = await client.workflow.start(name, { taskQueue, workflowId: name, args: [{ request: {} }] });
  onTestFinished(() =>
    client.workflow
      .getHandle(definitionWorkflowId(name))
      .terminate()
      .then(() => undefined),
  );
  return handle;
}

/** Told three events, it answers; cancelled, it ends. Gives what went wrong, in words. */
async function lived(handle: WorkflowHandle): Promise<string[]> {
  for (const type of ['GO', 'BACK', 'GO'])
    await handle.signal('event', { type }).catch((error: Error) => {
      if (!/completed/.test(error.message)) throw error;
    });
  const hasTaken = async () => {
    const { status, historyLength, raw } = await handle.describe();
    return (
      status.name !== 'RUNNING' ||
      (historyLength > 8 && !raw.pendingWorkflowTask?.attempt) ||
      historyLength > 100
    );
  };
  const hasSettled = await vi.waitUntil(hasTaken, PATIENCE).catch(() => false);
  const { status } = await handle.describe();
  // What cannot take even its first step has failed, with a code, before it heard of anything.
  const unanswered =
    status.name === 'RUNNING'
      ? await handle.query('progress').then(
          () => [],
          (error: Error) => [`progress: ${error.message}`],
        )
      : [];
  await handle.cancel().catch(() => undefined);
  const hasEnded = async () => (await handle.describe()).status.name !== 'RUNNING';
  const ended = await vi.waitUntil(hasEnded, PATIENCE).catch(() => false);
  const { events } = await handle.fetchHistory();
  const failed = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: task }) => {
    const cause = causes[task?.cause ?? 0]?.replace('WORKFLOW_TASK_FAILED_CAUSE_', '') ?? '';
    return task && !BY_THE_SERVER.includes(cause) ? [`${cause}: ${task.failure?.message}`] : [];
  });
  const failure = events?.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
  const code = failure?.applicationFailureInfo?.type;
  const terminated = events?.at(-1)?.workflowExecutionTerminatedEventAttributes;
  return [
    ...(hasSettled ? [] : ['it did not settle']),
    ...unanswered,
    ...(failure && !code ? [`failed without a code: ${failure.message}`] : []),
    ...(ended ? [] : ['it did not end']),
    ...(terminated ? [`terminated: ${terminated.reason}`] : []),
    ...failed,
  ];
}

test(`${FILES} hostile files are refused with a code, or their processes run within the bounds (TEST_SEED=${freshSeed})`, {
  // Four at a time, and many run until their bounds end them.
  timeout: 3_600_000,
}, async () => {
  const taskQueue = newTaskQueue();
  const worker = await startWorkerProcess(installation(), { LOCKERFLOW_TASK_QUEUE: taskQueue });
  onTestFinished(() => worker.kill());
  const all = texts();
  const wrong: string[] = [];
  const megabytes: number[] = [];
  let given = 0;
  const lane = async () => {
    while (given < FILES) {
      const file = named(String(all.next().value));
      if (!file) continue;
      given++;
      const handle = await started(file, taskQueue);
      if (!handle) continue;
      wrong.push(...(await lived(handle)).map((each) => `${each}\n${file.text.slice(0, 200)}`));
      megabytes.push(worker.residentMegabytes);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  expect(wrong).toEqual([]);
  // Most of those that are made for a running process are accepted.
  expect(megabytes.length).toBeGreaterThan(hostileAtRunTime.length / 2);
  console.log(
    `${FILES} files, ${megabytes.length} of them ran, the worker had ${Math.max(...megabytes)} MB at most`,
  );
});
