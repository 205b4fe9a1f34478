// What a process costs in events of history, against the same calls and signals written by hand.
import { expect, test } from 'vitest';
import { eventsOf, spaced } from '../support/history.ts';
import { untilProgress } from '../support/temporal.ts';
import { parcels } from './fixtures/parcels.ts';

const reports = [
  { parcel: 'a', state: 'onTheWay' },
  { parcel: 'b', state: 'onTheWay' },
  { parcel: 'a', state: 'delivered' },
  { parcel: 'b', state: 'delivered' },
];

// A task that a busy worker takes late, or is slow with, is offered again: that would cost events too.
const UNHURRIED = '60 s';

type Started = Awaited<ReturnType<typeof parcels>>;

/** How many events it has in the end, its signals spaced out. */
async function lengthOf({ start }: Started, type: string, deadline?: number): Promise<number> {
  const input = { parcels: ['a', 'b'], ...(deadline ? { deadline } : {}) };
  const handle = await start(input, type, UNHURRIED);
  await expect
    .poll(async () => (await eventsOf(handle)).length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(10);
  if (type === 'Parcel') await untilProgress<{ value: string }>(handle, ({ value }) => value === 'following');
  await spaced(
    handle,
    reports.map((report) => () => handle.signal('report', report)),
  );
  expect(await handle.result()).toMatchObject({ reports: expect.arrayContaining(['a delivered']) });
  return (await eventsOf(handle)).length;
}

test('a process costs one event more than a hand-written workflow, and one for a deadline still open at its end', async () => {
  const started = await parcels();
  await started.work('parcel-1.ts', { stickyQueueScheduleToStartTimeout: UNHURRIED });
  const minimal = await lengthOf(started, 'Minimal');
  expect({
    driven: await lengthOf(started, 'Parcel'),
    withDeadline: await lengthOf(started, 'Parcel', 3_600_000),
  }).toEqual({ driven: minimal + 1, withDeadline: minimal + 2 });
});

test('a version above 1 costs two events more', async () => {
  const lengths: number[] = [];
  for (const isNewest of [false, true]) {
    const started = await parcels();
    await started.work('parcel-1-2.ts', {
      stickyQueueScheduleToStartTimeout: UNHURRIED,
      activities: { book: async () => [], bookNewly: async () => [] },
      patchActivationCallback: () => isNewest,
    });
    lengths.push(await lengthOf(started, 'Parcel'));
  }
  const [first = 0, second] = lengths;
  expect(second).toBe(first + 2);
});
