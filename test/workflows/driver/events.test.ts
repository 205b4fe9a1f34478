// What a process costs in events of history, against the same calls and signals written by hand.
import { expect, test } from 'vitest';
import { eventsOf, spaced } from '../../support/history.ts';
import { parcels, untilProgress } from '../fixtures/parcels.ts';

const reports = [
  { parcel: 'a', state: 'onTheWay' },
  { parcel: 'b', state: 'onTheWay' },
  { parcel: 'a', state: 'delivered' },
  { parcel: 'b', state: 'delivered' },
];

test('a process costs one event more than a hand-written workflow, and one for a deadline still open at its end', async () => {
  const { work, start } = await parcels();
  // A task that a busy worker takes late is offered again: that would cost events too.
  await work('parcel-1.ts', { stickyQueueScheduleToStartTimeout: '30 s' });
  const lengths: Record<string, number> = {};
  for (const [name, type, deadline] of [
    ['minimal', 'Minimal', undefined],
    ['driven', 'Parcel', undefined],
    ['withDeadline', 'Parcel', 3_600_000],
  ] as const) {
    const handle = await start({ parcels: ['a', 'b'], ...(deadline ? { deadline } : {}) }, type);
    await expect
      .poll(async () => (await eventsOf(handle)).length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(10);
    if (type === 'Parcel')
      await untilProgress<{ value: string }>(handle, ({ value }) => value === 'following');
    await spaced(
      handle,
      reports.map((report) => () => handle.signal('report', report)),
    );
    expect(await handle.result()).toMatchObject({ reports: expect.arrayContaining(['a delivered']) });
    lengths[name] = (await eventsOf(handle)).length;
  }
  const { minimal = 0, driven, withDeadline } = lengths;
  expect({ driven, withDeadline }).toEqual({ driven: minimal + 1, withDeadline: minimal + 2 });
});
