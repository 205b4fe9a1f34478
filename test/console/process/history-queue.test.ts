// Whole histories are read by few requests at a time, whoever asks for them and however often.
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import { AT_ONCE, detailsRoutes, MAX_PER_CALLER } from '../../../console/api/details-routes.ts';
import type { ConsoleParts } from '../../../console/console-parts.ts';
import { currentRequester } from '../../../console/heavy/fair-queue.ts';
import type { ProcessReader } from '../../../processes/views/shown-process.ts';

test('many who read what a process cost do so in turn, and one that asks for too many is refused', async () => {
  let [reading, most] = [0, 0];
  const fetchHistory = async () => {
    reading += 1;
    most = Math.max(most, reading);
    await new Promise((resolve) => setTimeout(resolve, 1));
    reading -= 1;
    return { events: [] };
  };
  const client = {
    workflow: { getHandle: () => ({ fetchHistory }) },
    options: { loadedDataConverter: { payloadCodecs: [], payloadConverter: defaultPayloadConverter } },
  } as unknown as Client;
  const parts = { client } as unknown as ConsoleParts;
  const shown = {
    read: async (key: string) => ({ key, status: 'Running', progress: null }),
  } as unknown as ProcessReader;
  const route = detailsRoutes(parts, shown).find(({ name }) => name === 'getProcessHistory');
  const asks = (caller: string) =>
    currentRequester.run({ caller, isGone: () => false }, async () => {
      const asked = { params: { key: 'order-1' }, caller: { may: () => true } };
      return await route?.handle(asked as never).then(
        () => 200,
        ({ status }: { status: number }) => status,
      );
    });
  const greedy = Array.from({ length: AT_ONCE + MAX_PER_CALLER + 3 }, () => asks('greedy'));
  const all = await Promise.all([...greedy, asks('modest')]);
  expect(most).toBe(AT_ONCE);
  expect(all.filter((status) => status === 429)).toHaveLength(3);
  expect(all.at(-1)).toBe(200);
});
