// What a bulk keeps is bounded, and so is how many of one caller run: also where they are asked for at the same moment, and
// whatever others ask for.
import { expect, test, vi } from 'vitest';
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

/** Each process fails with many words. */
const failing = new Proxy(
  {},
  {
    get() {
      throw new Error('it fails, '.repeat(1_000));
    },
  },
);

function bulks(headers: object = {}) {
  const parts = { as: () => ({ by: 'x', client: failing, flows: failing }) };
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
    start: (caller: string, keys: readonly string[] = ['order-1'], perSecond = 200) =>
      handle('startBulk', caller, {
        body: { command: 'cancel', processes: { keys }, fields: {}, dryRun: true, perSecond },
      }),
    read: (caller: string, id: string) => handle('getBulk', caller, { params: { id } }),
  };
}

const patience = { timeout: 30_000 };

const many = Array.from({ length: 40 }, (_, index) => `order-${index}`);

test('of bulks that are asked for at the same moment, three of one caller begin', async () => {
  const { start } = bulks();
  const all = Array.from({ length: 20 }, () => start('anna', many, 1));
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
  const running = await start('anna', many, 1);
  for (let count = 0; count < 110; count++) await over('anna');
  await expect(read('anna', running.id)).resolves.toMatchObject({ state: 'Running' });
  await expect(read('ben', first)).resolves.toMatchObject({ state: 'Done' });
});

test('under an Idempotency-Key the id is kept, and not the outcomes of thousands', async () => {
  const { start, once } = bulks({ 'idempotency-key': 'k-1' });
  const { id } = await start('anna');
  expect(await start('anna')).toMatchObject({ id });
  expect(await Promise.all(once.mock.results.map(({ value }) => value))).toEqual([id, id]);
});

test('an outcome has the beginning of a long refusal', async () => {
  const { start, read } = bulks();
  const { id } = await start('anna');
  const { outcomes } = await vi.waitUntil(async () => {
    const bulk = await read('anna', id);
    return bulk.done === 1 && bulk;
  }, patience);
  expect(outcomes[0]?.refusal?.message).toMatch(/^it fails, /);
  expect(outcomes[0]?.refusal?.message.length).toBeLessThan(510);
});
