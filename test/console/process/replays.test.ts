// The steps of a process as the console keeps them: read once for each length of its history; and why a process cannot be
// stepped through.
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import type { Replayed, Replayer } from '../../../console/process/replayer.ts';
import { Replays } from '../../../console/process/replays.ts';
import type { TracedStanding } from '../../../driver/trace.ts';
import { historyOf, recordings } from '../../workflows/recording/recordings.ts';

const [recorded] = (await recordings()).filter(({ name }) => name === 'Issue@1/done');
const history = recorded ? historyOf(recorded.recording) : { events: [] };

const step: TracedStanding = {
  ...{ event: 'start', at: 0, historyLength: 3, taken: [] },
  position: { active: ['', 'booking'], next: [], timers: [] },
  awaited: { timers: [], calls: [] },
  progress: { shipments: {}, ledger: [], deadlines: [], itemsLeft: [], resolutions: [], phase: 'Open' },
};

function replaysOf(replayed: Replayed, events: readonly unknown[] = history.events) {
  const asked: string[] = [];
  const about = { historyLength: events.length };
  const handle = {
    describe: async () => ({ runId: 'run-1', raw: { workflowExecutionInfo: { ...about } } }),
    fetchHistory: async () => ({ events }),
  };
  const loadedDataConverter = { payloadCodecs: [], payloadConverter: defaultPayloadConverter };
  const client = { workflow: { getHandle: () => handle }, options: { loadedDataConverter } };
  const replayer = {
    replayed: async ({ runId }: { runId: string }) => {
      asked.push(runId);
      return replayed;
    },
  };
  const parts = { client: client as unknown as Client } as ConsoleParts;
  return { replays: new Replays(parts, replayer as unknown as Replayer), asked, about };
}

test('a history is replayed once, and again when it has grown', async () => {
  const { replays, asked, about } = replaysOf({ error: null, steps: [step] });
  const [one, other] = await Promise.all([replays.steps('order-1'), replays.steps('order-1')]);
  expect(one).toBe(other);
  expect(one).toMatchObject({ why: null, runs: 1, steps: [{ number: 0, active: ['', 'booking'] }] });
  expect(await replays.standing('order-1', 0)).toMatchObject({ number: 0, progress: { phase: 'Open' } });
  expect(asked).toHaveLength(1);
  about.historyLength += 1;
  await replays.steps('order-1');
  expect(asked).toHaveLength(2);
});

test('a step that there is not is refused, with those that there are', async () => {
  const { replays } = replaysOf({ error: null, steps: [step, step] });
  await expect(replays.standing('order-1', 2)).rejects.toMatchObject({
    status: 404,
    message: 'order-1 has no step 2; expected 0 to 1.',
  });
});

test('where the workflows would decide otherwise now, it says so and tells no step', async () => {
  const { replays } = replaysOf({ error: '[TMPRL1100] Nondeterminism error\nat …', steps: [step] });
  const { steps, why } = await replays.steps('order-1');
  expect(steps).toBeNull();
  expect(why).toMatch(
    /cannot be stepped through: .* would decide otherwise .*\(\[TMPRL1100\] Nondeterminism error\)/,
  );
});

test('a workflow without a chart, and a history that is too long, are told too', async () => {
  const none = await replaysOf({ error: null, steps: [] }).replays.steps('parked:1');
  expect(none).toMatchObject({ steps: null, why: expect.stringContaining('has no chart') });
  const [first] = history.events;
  const long = replaysOf(
    { error: null, steps: [step] },
    Array.from({ length: 30_001 }, () => first),
  );
  expect(await long.replays.steps('order-1')).toMatchObject({
    steps: null,
    why: expect.stringContaining('30001 events'),
  });
  expect(long.asked).toEqual([]);
});
