// @module-tag invariant
// Replays recorded processes, open and closed, of every flow and version, on the present workflows. They must give the same
// commands, at every step the same states, and the same result. Replay must also detect edits of a definition. In
// `npm test` one closed and one open recording of each flow and version are replayed, some of the histories that are made from
// them, and one edit; recordings of migrations are replayed in flow-files/edits.test.ts.
import { fileURLToPath } from 'node:url';
import { defaultPayloadConverter } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TRACED, type TracedStep } from '../../driver/temporal/trace.ts';
import type { Workflow } from '../../driver/temporal/workflow.ts';
import * as workflows from '../../workflows/index.ts';
import { parcels, untilProgress } from '../driver/fixtures/parcels.ts';
import { bundleOf } from '../support/bundles.ts';
import { eventsOf, spaced } from '../support/history.ts';
import { isLongSuite, spreadOf } from '../support/suite.ts';
import { joined } from './recording/joined-tasks.ts';
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

/** In `npm test`, of each flow and version the one that was done, and an open one: each flow waits at another place there. */
const replayedFiles = isLongSuite
  ? files
  : [...Map.groupBy(files, ({ name }) => name.split('/')[0])].flatMap(([, own], index) => {
      const open = own.filter(({ name }) => name.includes('-waiting-'));
      return [
        ...own.filter(({ name }) => name.endsWith('/done')),
        ...open.slice(index % open.length).slice(0, 1),
      ];
    });
const histories = new Map(files.map(({ name, recording }) => [name, historyOf(recording)]));

const versions = Object.entries(workflows as Record<string, Partial<Workflow<never, unknown>>>).flatMap(
  ([name, { definitions = {} }]) =>
    Object.keys(definitions).map((version) => ({ name: `${name}@${version}` })),
);

/**
 * The recordings that each flow must have. Each waits or ends at another place: it waits for people, for a locker, for a
 * person's decision, or after it; it is in a later run; its peer reports no roles; it is before or after a correction; or
 * another flow has taken over its shipments.
 */
const everywhere = [
  ...['done', 'done-waiting-0', 'cancelled', 'retried', 'retried-waiting-0', 'retried-waiting-1'],
  ...['adopted', 'adopted-waiting-0', 'adopted-waiting-1', 'locker', 'locker-waiting-0', 'locker-waiting-1'],
  ...['overdue', 'overdue-waiting-0', 'overdue-waiting-1', 'overdue-cancelled'],
  ...['continued', 'continued-waiting-0', 'continued-waiting-1'],
  ...['stuck', 'stuck-waiting-0', 'stuck-waiting-1', 'stuck-waiting-2'],
  ...['bare', 'bare-waiting-0', 'corrected', 'corrected-waiting-0', 'corrected-waiting-1'],
  ...['superseded', 'superseded-waiting-0'],
];

describe('the recorded processes', () => {
  let all: Map<string, Replayed>;

  beforeAll(async () => {
    // The commands hold the workflow id of the recording. Here the name of the file tells the processes apart.
    const processes = replayedFiles.map(({ name }) => ({
      workflowId: name,
      history: histories.get(name) ?? {},
    }));
    all = await replayed(path('../../workflows/index.ts'), processes);
  }, PATIENCE_MS);

  test.each(replayedFiles)(
    '$name is replayed with the same commands, states and result',
    ({ name, recording }) => {
      const { error, trace } = all.get(name) ?? { error: new Error('not replayed'), trace: [] };
      expect(error).toBeNull();
      expect(plain(trace)).toEqual(recording.trace);
    },
  );

  test.each(versions)('there are closed and open ones of $name', ({ name }) => {
    const own = files
      .filter((file) => file.name.startsWith(`${name}/`))
      .map((file) => file.name.split('/')[1]);
    const waitsForNobody = name.startsWith('OnboardAccount@');
    expect(own).toEqual(expect.arrayContaining(waitsForNobody ? ['applied', 'done'] : everywhere));
  });
});

const runOf = ([started]: readonly proto.temporal.api.history.v1.IHistoryEvent[]) =>
  started?.workflowExecutionStartedEventAttributes?.originalExecutionRunId;

/** An open history does not show edits after its last event. So the signal that came next is added to it. */
const lengthened = files.flatMap(({ name, recording }) => {
  const [folder = '', file = ''] = name.split('/');
  const events = histories.get(name)?.events ?? [];
  const ended = `${folder}/${file.replace(/-waiting-.*/, '')}`;
  const later = histories.get(ended)?.events ?? [];
  // If the process has continued as another run since, the next event of that run does not belong to this history.
  const next = runOf(later) === runOf(events) ? later[events.length] : undefined;
  const isOpen = file.includes('-waiting-') && next?.workflowExecutionSignaledEventAttributes;
  const closed = files.find((each) => each.name === ended)?.recording;
  return isOpen && closed && next
    ? [
        {
          name,
          history: { events: [...events, next] },
          expected: closed.trace.slice(0, recording.trace.length + 1),
        },
      ]
    : [];
});

test('open processes go on as they did, by the signal that came next', { timeout: PATIENCE_MS }, async () => {
  expect(lengthened.length).toBeGreaterThan(60);
  const wanted = spreadOf(lengthened, 25);
  const all = await replayed(
    path('../../workflows/index.ts'),
    wanted.map(({ name, history }) => ({ workflowId: name, history })),
  );
  for (const { name, expected } of wanted) {
    expect(all.get(name)?.error, name).toBeNull();
    expect(plain(all.get(name)?.trace ?? []), name).toEqual(expected);
  }
});

test('signals that came in two tasks replay the same as in one', {
  timeout: PATIENCE_MS,
}, async () => {
  const closed = [...histories].filter(([name]) => !name.includes('-waiting-'));
  const processes = closed.flatMap(([name, { events }]) =>
    joined(events).map((together, index) => ({
      workflowId: `${name} ${index}`,
      history: { events: together },
    })),
  );
  expect(processes.length).toBeGreaterThan(100);
  const wanted = spreadOf(processes, 40);
  const all = await replayed(path('../../workflows/index.ts'), wanted);
  const different = wanted.flatMap(({ workflowId }) => {
    const { error = null } = all.get(workflowId) ?? {};
    return error ? [`${workflowId}: ${error.message}`] : [];
  });
  expect(different).toEqual([]);
});

describe('edits of a definition', () => {
  const reports = [
    { parcel: 'a', state: 'onTheWay' },
    { parcel: 'a', state: 'delivered' },
  ];
  let history: History;
  let original: Replayed;

  async function edited(file: string): Promise<Replayed> {
    const all = await replayed(path(file), [{ workflowId: 'parcel', history }]);
    return all.get('parcel') ?? { error: new Error('not replayed'), trace: [] };
  }

  beforeEach(async () => {
    if (history) return;
    const { work, start } = await parcels();
    await work('parcel-1.ts');
    const handle = await start({ parcels: ['a'] });
    await untilProgress<{ value: string }>(handle, ({ value }) => value === 'following');
    await spaced(
      handle,
      reports.map((report) => () => handle.signal('report', report)),
    );
    await handle.result();
    expect(await eventsOf(handle)).toContain('WORKFLOW_EXECUTION_COMPLETED');
    history = await handle.fetchHistory();
    original = await edited('../driver/fixtures/parcel-1.ts');
  });

  test('none: it is replayed as it was', () => {
    expect(original.error).toBeNull();
    expect(original.trace.map(({ value }) => value)).toEqual(['booking', 'following', 'following', 'done']);
  });

  test('another activity fails the replay', async () => {
    const { error } = await edited('../driver/fixtures/parcel-other-activity.ts');
    expect(error?.message).toContain('Nondeterminism');
  });

  test.runIf(isLongSuite)('an added timeout fails the replay', async () => {
    const { error } = await edited('../driver/fixtures/parcel-added-timeout.ts');
    expect(error?.message).toContain('Nondeterminism');
  });

  test.runIf(isLongSuite)('a removed transition shows in the trace', async () => {
    const { trace } = await edited('../driver/fixtures/parcel-removed-transition.ts');
    expect(trace.map(({ value }) => value)).not.toContain('done');
  });

  test.runIf(isLongSuite)('a renamed state makes the same commands, and shows in the trace', async () => {
    const { error, trace } = await edited('../driver/fixtures/parcel-renamed-state.ts');
    expect(error).toBeNull();
    expect(plain(trace)).not.toEqual(plain(original.trace));
  });
});
