// docs/flow-files.md: Events by business data
// The list of queued events, on a real Temporal: with keys it finds each event that has them, and it never says that it is complete
// where it is not.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { CorrelationKeys } from '../../../contract/flows/correlation.ts';
import { correlationKeys } from '../../../flows/language/correlation.ts';
import { readQueuedEvents } from '../../../processes/views/queued-events.ts';
import { correlationQueueId, mayHold, sendCorrelated } from '../../../shared/routing/correlation-queues.ts';
import { newNamespace } from '../../support/temporal.ts';
import { runningFiles } from '../../workflows/flow-files/running-files.ts';

const files = runningFiles(undefined, await newNamespace());

const send = (where: CorrelationKeys, id: string = randomUUID()) =>
  sendCorrelated(files.client, files.taskQueue, {
    ...{ type: 'device.returned', id, where: correlationKeys(where) as CorrelationKeys, data: null },
    keepForMs: 3_600_000,
  });

const read = (where: CorrelationKeys) =>
  readQueuedEvents({ client: files.client, taskQueue: files.taskQueue } as never, { where, size: 200 });

const listed = (where: CorrelationKeys, ids: readonly unknown[]) =>
  vi.waitFor(
    async () => {
      const { events, isComplete } = await read(where);
      expect([events.map(({ id }) => id).sort(), isComplete]).toEqual([ids, true]);
    },
    { timeout: 30_000, interval: 50 },
  );

test('one that has another key before is found too, wherever it is', async () => {
  const [device, room] = [randomUUID(), randomUUID()];
  await send({ room }, 'alone');
  await send({ device, room }, 'both');
  await send({ device: 'x'.repeat(200), room }, 'long');
  await send({ device }, 'other');
  await send({ device, zone: 'north' }, 'third');
  await listed({ room }, ['alone', 'both', 'long']);
  await listed({ device }, ['both', 'other', 'third']);
  await listed({ device, zone: 'north' }, ['third']);
  await listed({ room: 'nowhere' }, []);
});

test('only queues that may hold such events are asked', () => {
  const where = { room: 'a' };
  const may = (key: string, value: string) => mayHold(correlationQueueId(key, value), where);
  expect(may('room', 'a')).toBe(true);
  expect(may('device', 'a')).toBe(true);
  expect(may('zone', 'x\n')).toBe(true);
  expect(may('room', 'b')).toBe(false);
  expect(may('zone', 'a')).toBe(false);
});

test('of a queue with more than a hundred the newest are listed, and it says so', async () => {
  const room = randomUUID();
  const ids = Array.from({ length: 101 }, (_, index) => `event-${String(index).padStart(3, '0')}`);
  for (const id of ids) await send({ room, [Number(id.slice(-3)) < 2 ? 'shelf' : 'wall']: 'one' }, id);
  await vi.waitFor(
    async () => {
      const { events, isComplete } = await read({ room });
      expect([events.length, events.some(({ id }) => id === 'event-100'), isComplete]).toEqual([
        100,
        true,
        false,
      ]);
    },
    { timeout: 30_000, interval: 50 },
  );
  await listed({ room, shelf: 'one' }, ['event-000', 'event-001']);
});

test('a queue that does not answer makes it incomplete', { tags: 'long' }, async () => {
  const room = randomUUID();
  await send({ room });
  await listed({ room }, [expect.any(String)]);
  await files.restartWorker(async () =>
    expect(await read({ room })).toMatchObject({ events: [], isComplete: false }),
  );
});
