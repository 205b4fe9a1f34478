// What a bulk keeps is bounded, and so is how many of one caller run: also where they are asked for at the same moment, and
// whatever others ask for.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { checkInput } from '../../../client/flow-contract.ts';
import { IdempotentAnswers } from '../../../console/api/acting.ts';
import { bulkRoutes } from '../../../console/api/bulk-routes.ts';
import type { Caller } from '../../../console/api/rights.ts';

const callerNamed = (name: string): Caller => ({
  by: name,
  id: name,
  isProgram: true,
  isPerson: false,
  validUntil: Number.POSITIVE_INFINITY,
  may: () => true,
});

interface Answered {
  readonly id: string;
  readonly state: string;
  readonly done: number;
  readonly outcomes: readonly { readonly refusal: { readonly message: string } | null }[];
}

function bulks(headers: object = {}) {
  const flows = {
    schemas: async () => {
      await pause(5);
      return { input: {} };
    },
    check: checkInput,
  };
  const parts = { as: () => ({ by: 'x', flows }) };
  const answers = new IdempotentAnswers();
  const once = vi.spyOn(answers, 'once');
  const routes = bulkRoutes({ parts: parts as never, answers });
  const handle = (name: string, caller: string, given: object) => {
    const route = routes.find((each) => each.name === name);
    const reply = { code: () => reply, header: () => reply };
    const request = { headers, log: { info: () => undefined } };
    const asked = { caller: callerNamed(caller), request, reply, ...given };
    return route?.handle(asked as never) as Promise<Answered>;
  };
  return {
    once,
    handle,
    start: (caller: string, more: object = {}) =>
      handle('startBatch', caller, {
        body: {
          flow: 'Issue',
          key: 'k-{a}',
          rows: [{ a: 'b' }],
          input: {},
          dryRun: true,
          perSecond: 200,
          ...more,
        },
      }),
    read: (caller: string, id: string) => handle('getBulk', caller, { params: { id } }),
  };
}

const patience = { timeout: 30_000 };

const many = Array.from({ length: 40 }, (_, index) => ({ a: `r${index}` }));

test('of bulks that are asked for at the same moment, three of one caller begin', async () => {
  const { start } = bulks();
  const all = Array.from({ length: 20 }, () => start('anna', { rows: many, perSecond: 1 }));
  const settled = await Promise.allSettled(all);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(start('ben')).resolves.toMatchObject({ state: 'Running' });
});

test('a bulk that runs is not forgotten, and one caller does not push out the bulks of others', async () => {
  const { start, read } = bulks();
  const over = async (caller: string) => {
    const { id } = await start(caller);
    await vi.waitUntil(async () => (await read(caller, id)).state === 'Done', {
      ...patience,
      interval: 1,
    });
    return id;
  };
  const first = await over('ben');
  const running = await start('anna', { rows: many, perSecond: 1 });
  for (let count = 0; count < 110; count++) await over('anna');
  await expect(read('anna', running.id)).resolves.toMatchObject({ state: 'Running' });
  await expect(read('ben', first)).resolves.toMatchObject({ state: 'Done' });
});

test.each([
  [
    'startBulk',
    { command: 'cancel', processes: { keys: ['order-1'] }, fields: {}, dryRun: true, perSecond: 1 },
  ],
  ['startBatch', { flow: 'Issue', key: 'k-{a}', rows: [{ a: 'b' }], input: {}, dryRun: true, perSecond: 1 }],
])('%s: under an Idempotency-Key the id is kept, and not the outcomes of thousands', async (name, body) => {
  const { handle, once } = bulks({ 'idempotency-key': 'k-1' });
  const { id } = await handle(name, 'anna', { body });
  expect(await handle(name, 'anna', { body })).toMatchObject({ id });
  expect(await Promise.all(once.mock.results.map(({ value }) => value))).toEqual([id, id]);
});

test('an outcome has the beginning of a long refusal', async () => {
  const { start, read } = bulks();
  const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 1]));
  const { id } = await start('anna', { input: { request: unknown } });
  const { outcomes } = await vi.waitUntil(async () => {
    const bulk = await read('anna', id);
    return bulk.done === 1 && bulk;
  }, patience);
  expect(outcomes[0]?.refusal?.message).toMatch(/^request\.f0: is not a field here/);
  expect(outcomes[0]?.refusal?.message.length).toBeLessThan(510);
});
