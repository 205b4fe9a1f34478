// What is said of a process at which a worker fails again and again: the list finds it, Work has it, and show and the commands say why.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { hasSearchAttribute } from '../../client/search-attributes.ts';
import type { TemporalServer } from '../../local/temporal/server.ts';
import { ProcessClocks } from '../../processes/flow-clock.ts';
import { decisions } from '../../processes/inbox/decisions.ts';
import type { InboxParts } from '../../processes/inbox/inbox-entry.ts';
import { readCounts } from '../../processes/views/counts.ts';
import { REPORTED_PROBLEMS } from '../../processes/views/needs-person.ts';
import type { ProcessPage } from '../../processes/views/process-list.ts';
import { newKey } from '../client/flows-at-hand.ts';
import { startFailing, untilFailing } from '../support/failing-workflows/failing-process.ts';
import { newTaskQueue, startServerOfProblems, temporalClient } from '../support/temporal.ts';
import { run, runJson } from './lockerflow-program.ts';

const SLOW_MS = 180_000;
const WHY = 'a worker failed at it: structuredClone is not defined. It is tried again and again';

let server: TemporalServer;
beforeAll(async () => {
  server = await startServerOfProblems();
});
afterAll(() => server.stop());

test('it is found among what needs a person, and show, Work and the commands say why', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
  const { address } = server;
  const client = await temporalClient(address);
  const taskQueue = newTaskQueue();
  const setting = { taskQueue, variables: { TEMPORAL_ADDRESS: address } };
  const key = newKey();
  const handle = await startFailing(client, 'Issue', key, { taskQueue, address });
  await untilFailing(handle);
  const shown = await run(['show', key], setting);
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(`its progress is not known: ${WHY}`) });
  for (const words of [['give-up'], ['cancel', '--dry-run']])
    expect(await run([...words, key, '--by', 'anna', '--why', 'it hangs'], setting)).toMatchObject({
      code: 4,
      err: expect.stringContaining(WHY),
    });
  const query = ['--query', `WorkflowId = '${key}'`];
  const page = await vi.waitUntil(
    async () => {
      const found = await runJson<ProcessPage>(['list', '--phase', 'NeedsPerson', ...query], setting);
      return found.items.length > 0 && found;
    },
    { timeout: 120_000, interval: 500 },
  );
  expect(page.items).toMatchObject([{ key, phase: 'NeedsPerson', workerFails: true, summary: null }]);
  const list = await run(['list', ...query], setting);
  expect(list.out).toMatch(/ NeedsPerson .* a worker fails at it, show says why /);
  expect((await run(['inbox'], setting)).out).toContain('1 process needs a decision: lockerflow inbox --all');
  const parts = { client, taskQueue, flows: new LockerFlows(client, { taskQueue }) };
  expect(await decisions(new ProcessClocks()).read(parts as unknown as InboxParts)).toEqual({
    unanswered: [],
    entries: [
      expect.objectContaining({
        kind: 'decision',
        key,
        title: 'A worker fails at Delivery',
        why: 'A worker failed at it: structuredClone is not defined.',
      }),
    ],
  });
  expect(await readCounts(parts, {})).toMatchObject({ needsPerson: 1, needsUs: 1 });
  await handle.terminate('it hangs');
  const over = await run(['show', key], setting);
  expect(over.out).toContain('it was ended from outside before its first step: it has nothing to say');
  expect((await runJson<ProcessPage>(['list', ...query], setting)).items).toMatchObject([
    { phase: null, workerFails: false },
  ]);
});

test('whether Temporal has a search attribute is known', async () => {
  const client = await temporalClient();
  expect(await hasSearchAttribute(client, REPORTED_PROBLEMS)).toBe(true);
  expect(await hasSearchAttribute(client, 'NoSuchAttribute')).toBe(false);
});
