// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Files whose processes ask for as much work as they may, on a real worker in a process of its own: the flows of others go on
// beside them. The worker gives each thread of its own back within a second, and its memory does not grow with them.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { beforeAll, expect, inject, test } from 'vitest';
import { publishFiles } from '../../../../client/flow-files/publish.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import { ourService } from '../../../end-to-end/installation.ts';
import { useInstallation } from '../../../end-to-end/use-installation.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../end-to-end/worker-process.ts';
import { newTaskQueue } from '../../../support/temporal.ts';
import type { HeldTurn } from './held-turns.ts';

const PROCESSES = 13;
const ITEMS = 10_000;
const MAX_HELD_MS = 1_000;
const MAX_MEGABYTES = 100;
/** Beside thirteen processes of which each uses up an activation. */
const MAX_TRIVIAL_MS = 30_000;

/** More than a step may do. */
const HEAVY = '${range(900).all(x, range(900).all(y, y < 1000))}';

const installation = useInstallation(ourService, { worker: false });
const taskQueue = newTaskQueue();
const heldTurnsFile = join(inject('bundles'), `held-turns-${taskQueue}`);
let worker: WorkerProcess;

beforeAll(async () => {
  worker = await startWorkerProcess(installation(), {
    LOCKERFLOW_TASK_QUEUE: taskQueue,
    NODE_OPTIONS: `--import=${new URL('held-turns.ts', import.meta.url)}`,
    HELD_TURNS_FILE: heldTurnsFile,
  });
  return () => worker.kill();
}, 120_000);

const over = { type: 'final' } as const;

const trivial = (name: string): FlowFile => ({
  name,
  meaning: 'Ends at once.',
  initial: 'over',
  states: { over },
  output: '${"done"}',
});

/** The expression is evaluated for each of ten thousand items. */
const heavyEach = (name: string): FlowFile =>
  ({
    name,
    meaning: 'Asks for each item.',
    context: { error: null },
    initial: 'all',
    input: { type: 'object', properties: { items: { type: 'array' } } },
    states: {
      all: {
        invoke: {
          id: 'all',
          src: 'each',
          input: {
            of: '${input.items}',
            tolerate: 'all',
            atOnce: 100,
            do: { src: 'ask', input: { of: 'desk', question: HEAVY } },
          },
          onDone: 'over',
          onError: {
            target: 'over',
            actions: { type: 'assign', params: { error: '${event.error.code}' } },
          },
        },
      },
      over,
    },
    output: '${context.error}',
  }) as unknown as FlowFile;

/** About as much as a step may do. */
const BIG = '${range(220).all(x, range(200).all(y, y >= 0))}';
const LOOPING = 40;
const REGIONS = 5;

/** Never ends: each of its regions does as much as it may, every second. */
const looping = (name: string): FlowFile => ({
  name,
  meaning: 'Counts without an end.',
  context: { is: true },
  type: 'parallel',
  states: Object.fromEntries(
    Array.from({ length: REGIONS }, (_, region) => [
      `r${region}`,
      {
        initial: 'on',
        states: {
          on: {
            after: {
              PT1S: { target: 'on', reenter: true, actions: { type: 'assign', params: { is: BIG } } },
            },
          },
        },
      },
    ]),
  ),
});

interface Published {
  readonly file: FlowFile;
  readonly version: number;
}

async function published(fileOf: (name: string) => FlowFile): Promise<Published> {
  const { client } = installation();
  const file = fileOf(`Hostile${randomUUID().replaceAll('-', '')}`);
  const [result] = await publishFiles(client, [{ path: 'flow', text: JSON.stringify(file) }], taskQueue);
  return { file, version: Number(result?.version) };
}

const started = ({ name }: FlowFile, request: object): Promise<WorkflowHandle> =>
  installation().client.workflow.start(name, {
    taskQueue,
    workflowId: `${name}-${randomUUID()}`,
    args: [{ request }],
  });

/** Ends with the code for which its work was refused. */
type Hostile = (index: number) => Promise<unknown>;

async function heavyEaches(): Promise<Hostile> {
  const { file } = await published(heavyEach);
  // A request may have 32 kB.
  const items = Array.from({ length: ITEMS }, () => 1);
  return async () => await (await started(file, { items })).result();
}

interface Measured {
  readonly trivialMs: number;
  readonly allMs: number;
  readonly main: Longest;
  readonly requests: Longest;
  readonly megabytes: number;
  readonly outcomes: readonly unknown[];
}

/** Thirteen at once, and a trivial one right behind them. */
async function beside(hostile: Hostile, { file }: Published): Promise<Measured> {
  const before = worker.residentMegabytes;
  const began = Date.now();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, worker.residentMegabytes);
  }, 250);
  try {
    const all = Promise.all(Array.from({ length: PROCESSES }, (_, index) => hostile(index)));
    const sent = Date.now();
    const trivialMs = (await started(file, {})).result().then(() => Date.now() - sent);
    const [outcomes, tookMs] = await Promise.all([all, trivialMs]);
    const turns = (await heldTurns()).filter(({ endedAt }) => endedAt >= began);
    return {
      trivialMs: tookMs,
      allMs: Date.now() - began,
      outcomes,
      megabytes: Math.round(most - before),
      main: longest(turns.filter(({ thread }) => thread === 0)),
      requests: longest(turns.filter(({ thread }) => thread !== 0)),
    };
  } finally {
    clearInterval(sampling);
  }
}

type Longest = Pick<HeldTurn, 'heldMs' | 'cpuMs'>;

const longest = (turns: readonly HeldTurn[]): Longest => ({
  heldMs: Math.max(0, ...turns.map(({ heldMs }) => heldMs)),
  cpuMs: Math.max(0, ...turns.map(({ cpuMs }) => cpuMs)),
});

const heldTurns = async (): Promise<HeldTurn[]> =>
  (await readFile(heldTurnsFile, 'utf8').catch(() => ''))
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line)));

test('thirteen processes that do too much for each of ten thousand items do not stop a worker', {
  timeout: 600_000,
}, async () => {
  const easy = await published(trivial);
  const hostile = await heavyEaches();
  await (await started(easy.file, {})).result();
  const { outcomes, trivialMs, allMs, main, requests, megabytes } = await beside(hostile, easy);
  console.info(
    `a trivial flow took ${trivialMs} ms, all ${allMs} ms; the main thread was held for ${main.heldMs} ms (${main.cpuMs} ms of a processor), that of the workflows used ${requests.cpuMs} ms of a processor for one request; ${megabytes} MB more`,
  );
  expect(new Set(outcomes)).toEqual(new Set(['TooMuchWork']));
  expect(trivialMs).toBeLessThan(MAX_TRIVIAL_MS);
  expect(Math.max(main.cpuMs, requests.cpuMs)).toBeLessThan(MAX_HELD_MS);
  expect(megabytes).toBeLessThan(MAX_MEGABYTES);
});

test('forty processes that loop for ever leave a worker to the others', { timeout: 600_000 }, async () => {
  const easy = await published(trivial);
  const { file } = await published(looping);
  const loops = await Promise.all(Array.from({ length: LOOPING }, () => started(file, {})));
  const took: number[] = [];
  const endsAt = Date.now() + 90_000;
  while (Date.now() < endsAt) {
    const sent = Date.now();
    await (await started(easy.file, {})).result();
    took.push(Date.now() - sent);
    await setTimeout(2_000);
  }
  const states = await Promise.all(loops.map((loop) => loop.query<{ halted: object | null }>('progress')));
  console.info(
    `beside ${LOOPING} loops, ${took.length} trivial flows took ${took.toSorted((a, b) => b - a).join(', ')} ms`,
  );
  await Promise.all(loops.map((loop) => loop.terminate()));
  expect(states.filter(({ halted }) => halted)).toEqual([]);
  expect(Math.max(...took)).toBeLessThan(MAX_TRIVIAL_MS);
  // Most began after the loops had used up what each process may do at once.
  expect(took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]).toBeLessThan(MAX_TRIVIAL_MS / 10);
});
