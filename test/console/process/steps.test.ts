// A process step by step, from its history: recorded processes, replayed as the console does it. What is told of each step is
// what was: the states are those of the recording, and each message that came stands at its own step.
import { defaultPayloadConverter } from '@temporalio/common';
import type proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProcessStep } from '../../../console/process/process-view.ts';
import { type ReplayedRun, statusAfter, stepsOf } from '../../../console/process/steps.ts';
import { positionOf } from '../../../engine/chart/chart-view.ts';
import { TRACED, type TracedStatus, WITH_STATUS } from '../../../engine/temporal/trace.ts';
import { describedEvents, type HistoryEvent, tasksIn } from '../../../processes/views/timeline.ts';
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
    const described = await describedEvents(events, decode, () => undefined);
    runs.set(name, { runId: 'run-1', steps: statuses.get(name) ?? [], described, tasks: tasksIn(events) });
  }
}, 240_000);

const stepsIn = (name: string): Promise<ProcessStep[]> => stepsOf([runs.get(name) as ReplayedRun]);

describe.each(recorded)('$name', ({ name, recording }) => {
  test('is described in the steps that it took, each in the states where it was', async () => {
    const was = recording.trace.map(({ value }) => positionOf({ value, status: 'done' } as never).active);
    expect((await stepsIn(name)).map(({ active }) => active)).toEqual(was);
  });

  test('names for each step the event that came, each event once, in the order of the history', async () => {
    const steps = await stepsIn(name);
    const ids = steps.flatMap(({ eventId }) => (eventId === null ? [] : [Number(eventId)]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(steps[0]).toMatchObject({ number: 0, eventId: '1' });
    const { described = [] } = runs.get(name) ?? {};
    const late = steps.at(-1)?.at ?? '';
    const came = described.filter(
      ({ event, what }) =>
        (event.workflowExecutionSignaledEventAttributes ??
          event.workflowExecutionUpdateAcceptedEventAttributes ??
          event.timerFiredEventAttributes ??
          event.activityTaskCompletedEventAttributes) &&
        // Account calls before the chart, callbacks behind the end and hand-overs are not steps.
        what !== '' &&
        Number(event.eventTime?.seconds) * 1_000 <= Date.parse(late),
    );
    const missed = came.filter(({ event }) => !ids.includes(Number(event.eventId))).map(({ what }) => what);
    expect(missed).toEqual([]);
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

test('a step tells what it made the process do', async () => {
  const uids = new Map<string, string>();
  const named = (text: string) =>
    text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, (uid) => {
      uids.set(uid, uids.get(uid) ?? `shipment ${uids.size + 1}`);
      return uids.get(uid) ?? '';
    });
  const steps = (await stepsIn(`${FLOW}/done`)).map(({ what, did }) => [what, ...did].map(named));
  expect(steps).toEqual([
    [`${FLOW.slice(0, -2)} is started`, 'calls book', 'phase: Open'],
    ['callback: shipment 1 ReadyForPickup', 'takes the report ReadyForPickup as postponed'],
    [
      'done: book with CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
      'knows issue: shipment 1 in locker 7',
      'knows intake: shipment 2 in locker 7',
      'knows circularStock: shipment 3 in locker 7',
    ],
    [
      'shipmentStatus: it had come before, and was kept until now',
      'takes the report ReadyForPickup as repeated',
    ],
    [
      'callback: shipment 1 Completed',
      'issue is Completed',
      'issue is done',
      'takes the report Completed as next',
    ],
    [
      'callback: shipment 2 ReadyForDropoff',
      'intake is ReadyForDropoff',
      'takes the report ReadyForDropoff as next',
    ],
    [
      'callback: shipment 2 Completed',
      'intake is Completed',
      'intake is done',
      'takes the report Completed as next',
    ],
    [
      'callback: shipment 3 ReadyForPickup',
      'circularStock is ReadyForPickup',
      'circularStock is done',
      'outcome: Done',
      'takes the report ReadyForPickup as next',
    ],
  ]);
});

test('after each step there is the whole process as it stood', async () => {
  const all = [runs.get(`${FLOW}/overdue`) as ReplayedRun];
  const steps = await stepsOf(all);
  const overdue = steps.find(({ did }) => did.some((each) => each.endsWith('is overdue')));
  expect(overdue?.what).toMatch(/^passed: /);
  const [before, after] = [-1, 0].map((by) => statusAfter(all, (overdue?.number ?? 0) + by));
  expect(before?.progress).toMatchObject({ phase: 'Open' });
  expect(before?.timers).toHaveLength((after?.timers.length ?? 0) + 1);
  expect(after?.progress).toMatchObject({ phase: 'Overdue' });
  expect(statusAfter(all, steps.length)).toBeUndefined();
});

test('each step looks at the events alone that came with it', async () => {
  let looks = 0;
  const described = Array.from({ length: 3_000 }, (_, index) => {
    const event = { workflowExecutionSignaledEventAttributes: { signalName: 'event' } };
    const eventId = {
      get() {
        looks += 1;
        return index + 1;
      },
    };
    const data = { type: 'signalled', name: 'event', event: null } as const;
    return {
      event: Object.defineProperty(event, 'eventId', eventId) as HistoryEvent,
      what: 'x',
      who: null,
      data,
    };
  });
  const steps = described.map((_, index): TracedStatus => {
    const position = { active: [''], next: [], timers: [] };
    const progress = { questions: [], phase: 'Open', activity: 'Running', version: 1 };
    const awaited = { timers: [], calls: [] };
    return { event: 'go', at: 0, historyLength: index + 1, taken: [], position, awaited, progress };
  });
  const tasks = described.map((_, index) => index + 1);
  const all = await stepsOf([{ runId: 'run-1', steps, described, tasks }]);
  expect(all.map(({ eventId }) => Number(eventId))).toEqual(tasks);
  expect(looks).toBeLessThan(10 * described.length);
});
