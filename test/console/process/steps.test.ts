// A process step by step, from its history: recorded processes, replayed as the console does it. What is told of each step is
// what was: the states are those of the recording, and each step stands at the event that had come last.
import { defaultPayloadConverter } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProcessStep } from '../../../console/process/process-view.ts';
import { type ReplayedRun, statusAfter, stepsOf } from '../../../console/process/steps.ts';
import { positionOf } from '../../../engine/chart/chart-view.ts';
import { TRACED, type TracedStatus, WITH_STATUS } from '../../../engine/temporal/trace.ts';
import { describedEvents, entriesOf, type HistoryEvent, tasksIn } from '../../../processes/views/timeline.ts';
import { bundleOf } from '../../support/bundles.ts';
import { waits } from '../../workflows/recording/derived-histories.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

const FLOW = 'IssueFromStockAndSubsequentIntakeAndCircularStock@1';
const wanted = [
  ...['done', 'overdue', 'adopted', 'stuck'].map((scene) => `${FLOW}/${scene}`),
  ...['IssueFromStock@1/cancelled', 'IssueFromStock@1/superseded', 'StockAfterSwapIntake@1/corrected'],
  'OnboardAccount@1/done',
];
const recorded = (await recordings()).filter(({ name }) => wanted.includes(name));
const histories = new Map(recorded.map(({ name, recording }) => [name, historyOf(recording)]));
const beginnings = waits(histories.get(`${FLOW}/overdue`)?.events ?? []);
for (const [index, { open }] of beginnings.entries())
  histories.set(`open ${index}`, { events: open } as ReturnType<typeof historyOf>);

const decode = async (payload: unknown) =>
  payload ? defaultPayloadConverter.fromPayload(payload as never) : null;

function traced({ events }: proto.temporal.api.history.v1.IHistory) {
  const [{ workflowExecutionStartedEventAttributes: attributes, ...first } = {}, ...others] = events ?? [];
  const memo = { fields: { [TRACED]: defaultPayloadConverter.toPayload(WITH_STATUS) } };
  return {
    events: [{ ...first, workflowExecutionStartedEventAttributes: { ...attributes, memo } }, ...others],
  };
}

const runs = new Map<string, ReplayedRun>();

beforeAll(async () => {
  const statuses = new Map<string, TracedStatus[]>([...histories.keys()].map((name) => [name, []]));
  const fn = ({ workflowId }: { workflowId: string }, status: TracedStatus) =>
    void statuses.get(workflowId)?.push(status);
  const results = Worker.runReplayHistories(
    { workflowBundle: await bundleOf(), sinks: { trace: { status: { fn, callDuringReplay: true } } } },
    [...histories].map(([workflowId, history]) => ({ workflowId, history: traced(history) })),
  );
  for await (const { error } of results) expect(error).toBeUndefined();
  for (const [name, history] of histories) {
    const events = history.events as HistoryEvent[];
    const entries = entriesOf('run-1', await describedEvents(events, decode, () => undefined));
    runs.set(name, { runId: 'run-1', steps: statuses.get(name) ?? [], entries, tasks: tasksIn(events) });
  }
}, 240_000);

const stepsIn = (name: string): Promise<ProcessStep[]> => stepsOf([runs.get(name) as ReplayedRun]);

describe.each(recorded)('$name', ({ name, recording }) => {
  test('is described in the steps that it took, each in the states where it was', async () => {
    const was = recording.trace.map(({ value }) => positionOf({ value, status: 'done' } as never).active);
    expect((await stepsIn(name)).map(({ active }) => active)).toEqual(was);
  });

  test('names for each step the event that had come last, in the order of the history', async () => {
    const steps = await stepsIn(name);
    const ids = steps.map(({ eventId }) => Number(eventId));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(steps[0]).toMatchObject({ number: 0, eventId: '1' });
    // What a person decides is the last that came before the step that it makes.
    const { entries = [] } = runs.get(name) ?? {};
    const updates = entries
      .filter(({ data }) => data.type === 'updated')
      .map(({ eventId }) => Number(eventId));
    expect(ids).toEqual(expect.arrayContaining(updates));
  });

  test('tells where each active state came from: a transition of the chart that ends there', async () => {
    const [, ...steps] = await stepsIn(name);
    const all = await stepsIn(name);
    for (const { number, active, taken } of steps) {
      const before = new Set(all[number - 1]?.active);
      const entered = active.filter((path) => !before.has(path));
      if (entered.length > 0) expect(taken.length, `step ${number}`).toBeGreaterThan(0);
      for (const { to } of taken.slice(-1)) for (const path of to) expect(active).toContain(path);
    }
  });
});

test('while a process is open, its steps are told as they are at its end', async () => {
  const all = await stepsIn(`${FLOW}/overdue`);
  const counts: number[] = [];
  for (const index of beginnings.keys()) {
    const open = await stepsIn(`open ${index}`);
    expect(open).toEqual(all.slice(0, open.length));
    counts.push(open.length);
  }
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(new Set(counts).size).toBeGreaterThan(3);
});

test('after each step there is the process as it stood', async () => {
  const all = [runs.get(`${FLOW}/overdue`) as ReplayedRun];
  const steps = await stepsOf(all);
  const progressOf = ({ number }: ProcessStep) => all[0]?.steps[number]?.progress as { phase: string };
  const overdue = steps.find((step) => progressOf(step).phase === 'Overdue');
  const [before, after] = [-1, 0].map((by) => statusAfter(all, (overdue?.number ?? 0) + by));
  expect(before?.timers).toHaveLength((after?.timers.length ?? 0) + 1);
  expect(after?.track.flatMap(({ stages }) => stages).some(({ isOverdue }) => isOverdue)).toBe(true);
  expect(statusAfter(all, steps.length)).toBeUndefined();
});

test('each step looks at the events alone that came with it', async () => {
  let looks = 0;
  const all = {
    at: null,
    what: 'x',
    by: null,
    onBehalfOf: null,
    why: null,
    kind: 'came',
    runId: 'run-1',
  } as const;
  const entries = Array.from({ length: 3_000 }, (_, index) => ({
    ...all,
    data: { type: 'signalled', name: 'event', event: null } as const,
    get eventId() {
      looks += 1;
      return String(index + 1);
    },
  }));
  const steps = entries.map((_, index): TracedStatus => {
    const position = { active: [''], next: [], timers: [] };
    const progress = { questions: [], phase: 'Open', activity: 'Running', version: 1 };
    const awaited = { timers: [], calls: [] };
    return { event: 'go', at: 0, historyLength: index + 1, taken: [], position, awaited, progress };
  });
  const tasks = entries.map((_, index) => index + 1);
  const told = await stepsOf([{ runId: 'run-1', steps, entries, tasks }]);
  expect(told.map(({ eventId }) => Number(eventId))).toEqual(tasks);
  expect(looks).toBeLessThan(10 * entries.length);
});
