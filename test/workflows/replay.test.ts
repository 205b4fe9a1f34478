// @module-tag invariant
// Replays recorded processes of every flow and version, closed and as they were while they were open, on the present
// workflows. They must give the same commands, at every step the same states, and the same result. In
// `npm test` some of the open ones are replayed; recordings of migrations are replayed in flow-files/edits.test.ts.
import { fileURLToPath } from 'node:url';
import { defaultPayloadConverter } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { TRACED, type TracedStep } from '../../engine/temporal/trace.ts';
import type { Workflow } from '../../engine/temporal/workflow.ts';
import * as workflows from '../../workflows/index.ts';
import { bundleOf } from '../support/bundles.ts';
import { atSizes } from '../support/suite.ts';
import { joined, waits } from './recording/derived-histories.ts';
import { historyOf, recordings } from './recording/recordings.ts';

type History = proto.temporal.api.history.v1.IHistory;

interface Replayed {
  /** Null if the commands are those of the history. */
  readonly error: Error | null;
  readonly trace: readonly TracedStep[];
}

// Hundreds of replays take seconds, and minutes on a machine that is busy with other work.
const PATIENCE_MS = 240_000;
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The process was started without a trace. This asks for one. */
function traced({ events }: History): History {
  const [{ workflowExecutionStartedEventAttributes: attributes, ...first } = {}, ...others] = events ?? [];
  const memo = { fields: { [TRACED]: defaultPayloadConverter.toPayload(true) } };
  const started = { ...first, workflowExecutionStartedEventAttributes: { ...attributes, memo } };
  return { events: [started, ...others] };
}

async function replayed(workflows: string, processes: readonly { workflowId: string; history: History }[]) {
  const traces = new Map<string, TracedStep[]>();
  const fn = ({ workflowId }: { workflowId: string }, step: TracedStep) =>
    void traces.set(workflowId, [...(traces.get(workflowId) ?? []), step]);
  const results = Worker.runReplayHistories(
    { workflowBundle: await bundleOf(workflows), sinks: { trace: { step: { fn, callDuringReplay: true } } } },
    processes.map(({ workflowId, history }) => ({ workflowId, history: traced(history) })),
  );
  const all = new Map<string, Replayed>();
  for await (const { workflowId, error } of results)
    all.set(workflowId, { error: error ?? null, trace: traces.get(workflowId) ?? [] });
  return all;
}

/** The trace as JSON keeps it: without fields that are undefined. */
const plain = (trace: readonly TracedStep[]): unknown => JSON.parse(JSON.stringify(trace));

const files = await recordings();

const histories = new Map(files.map(({ name, recording }) => [name, historyOf(recording)]));

const versions = Object.entries(workflows as Record<string, Partial<Workflow<never, unknown>>>).flatMap(
  ([name, { definitions = {} }]) =>
    Object.keys(definitions).map((version) => ({ name: `${name}@${version}` })),
);

/** Together the flows are recorded in each of these ways; receiver and picked-up are not possible in every flow. */
const everyKind = [
  ...['done', 'cancelled', 'overdue-cancelled', 'stuck', 'overdue', 'adopted', 'retried', 'locker', 'bare'],
  ...['corrected', 'superseded', 'receiver', 'picked-up', 'continued', 'continued-first-run', 'applied'],
];

describe('the recorded processes', () => {
  let all: Map<string, Replayed>;

  beforeAll(async () => {
    // The commands hold the workflow id of the recording. Here the name of the file tells the processes apart.
    const processes = files.map(({ name }) => ({
      workflowId: name,
      history: histories.get(name) ?? {},
    }));
    all = await replayed(path('../../workflows/index.ts'), processes);
  }, PATIENCE_MS);

  test.each(files)('$name is replayed with the same commands, states and result', ({ name, recording }) => {
    const { error, trace } = all.get(name) ?? { error: new Error('not replayed'), trace: [] };
    expect(error).toBeNull();
    expect(plain(trace)).toEqual(recording.trace);
  });

  test.each(versions)('$name is recorded as done and as undone', ({ name }) => {
    const own = files.filter((file) => file.name.startsWith(`${name}/`));
    expect(own.map((file) => file.name)).toContain(`${name}/done`);
    const undone = own.filter(({ recording }) => JSON.stringify(recording.trace).includes('.undoing"'));
    expect(undone.length > 0).toBe(!name.startsWith('OnboardAccount@'));
  });

  test('every kind of process is recorded', () => {
    expect(new Set(files.map(({ name }) => name.split('/')[1]))).toEqual(new Set(everyKind));
  });
});

/** An open history does not show edits after its last event. So the signal that came next is added to it. */
const open = files.flatMap(({ name, recording }) =>
  waits(histories.get(name)?.events ?? []).flatMap(({ open, next }, index) =>
    next.workflowExecutionSignaledEventAttributes
      ? [{ name: `${name} ${index}`, trace: recording.trace, open, signalled: [...open, next] }]
      : [],
  ),
);

atSizes({ short: 5, long: 1 }, (oneOf) =>
  test('open processes are as they were, and go on by the signal that came next', {
    timeout: PATIENCE_MS,
  }, async () => {
    const wanted = open.filter((_, index) => index % oneOf === 0);
    expect(wanted.length).toBeGreaterThan(20);
    const all = await replayed(
      path('../../workflows/index.ts'),
      wanted.flatMap(({ name, open, signalled }) => [
        { workflowId: name, history: { events: open } },
        { workflowId: `${name} signalled`, history: { events: signalled } },
      ]),
    );
    for (const { name, trace } of wanted) {
      const before = all.get(name);
      const after = all.get(`${name} signalled`);
      expect([before?.error, after?.error], name).toEqual([null, null]);
      const steps = before?.trace.length ?? 0;
      expect(plain(before?.trace ?? []), name).toEqual(trace.slice(0, steps));
      expect(plain(after?.trace ?? []), name).toEqual(trace.slice(0, steps + 1));
    }
  }),
);

atSizes({ short: 3, long: 1 }, (oneOf) =>
  test('signals that came in two tasks replay the same as in one', {
    timeout: PATIENCE_MS,
  }, async () => {
    const processes = [...histories].flatMap(([name, { events }]) =>
      joined(events).map((together, index) => ({
        workflowId: `${name} ${index}`,
        history: { events: together },
      })),
    );
    const wanted = processes.filter((_, index) => index % oneOf === 0);
    expect(wanted.length).toBeGreaterThan(15);
    const all = await replayed(path('../../workflows/index.ts'), wanted);
    const different = wanted.flatMap(({ workflowId }) => {
      const { error = null } = all.get(workflowId) ?? {};
      return error ? [`${workflowId}: ${error.message}`] : [];
    });
    expect(different).toEqual([]);
  }),
);
