// Batches over HTTP: who may start, read and control them, and what they answer.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import type { BatchView } from '../../../processes/batches/read-batches.ts';
import type { OutcomesView } from '../../../processes/batches/read-outcomes.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { useConsoleOf } from '../console-world.ts';
import { clientsOf, type Program } from './program.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const flow = `Lending${randomUUID().slice(0, 8)}`;
const client = `shop-${randomUUID().slice(0, 8)}`;

let shop: Program;
let reader: Program;
beforeAll(async () => {
  const file = JSON.stringify({
    name: flow,
    meaning: 'Lends something.',
    initial: 'lent',
    states: { lent: { after: { P10D: 'over' } }, over: { type: 'final' } },
  });
  await installation().flows.publish([{ path: 'lending.flow.yaml', text: file }]);
  const clients = clientsOf(server, installation);
  shop = await clients(client, 'flows:read', 'flows:decide');
  reader = await clients(`${client}-reader`, 'flows:read');
});

async function lent(count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => `loan-${randomUUID()}`);
  for (const key of keys) await installation().flows.startPublished(flow, key, {});
  return keys;
}

const extend = { command: 'extend', fields: { next: true, extendBy: 'P1D' }, why: 'closed on Monday' };

const until = (id: string, holds: (batch: BatchView) => boolean): Promise<BatchView> =>
  vi.waitUntil(
    async () => {
      const { body } = await reader.get<BatchView>(`/v1/batches/${id}`);
      return holds(body) && body;
    },
    { timeout: 60_000, interval: 100 },
  );

test('a batch is started once for its Idempotency-Key, listed, and read with an outcome for each', async () => {
  const keys = await lent(3);
  const request = { ...extend, keys: [...keys, 'nobody'] };
  const headers = { 'idempotency-key': randomUUID(), 'x-on-behalf-of': 'mila' };
  const started = await shop.post<{ id: string }>('/v1/batches', request, headers);
  expect(started).toMatchObject({ status: 202, body: { id: expect.any(String) } });
  const { id } = started.body;
  expect(started.headers.get('location')).toBe(`/v1/batches/${id}`);
  expect(await shop.post('/v1/batches', request, headers)).toMatchObject({ status: 202, body: { id } });
  const batch = await until(id, ({ closedAt }) => closedAt !== null);
  expect(batch).toMatchObject({
    ...{ id, command: 'extend', by: `${client} (API)`, onBehalfOf: 'mila', why: 'closed on Monday' },
    status: { phase: 'done', total: 4, done: 3, refused: 1, unknown: 0 },
  });
  const { body } = await reader.get<{ batches: BatchView[] }>('/v1/batches');
  expect(body.batches).toContainEqual(batch);
  const path = `/v1/batches/${id}/outcomes`;
  const refused = await reader.get<OutcomesView>(`${path}?only=refused`);
  expect(refused.body).toMatchObject({
    outcomes: [{ key: 'nobody', outcome: 'refused', refusal: { code: 'FlowNotFound' } }],
    next: null,
  });
  expect((await reader.get<OutcomesView>(`${path}?size=3`)).body).toMatchObject({ next: 3 });

  // Whom it is about is for who may act.
  const named = async (as: Program) =>
    (await as.get<{ outcomes: { about: unknown }[] }>(`${path}?only=done&about=true`)).body.outcomes[0]
      ?.about;
  expect(await named(shop)).toEqual({ people: [], item: null, reference: null });
  expect(await named(reader)).toBeNull();

  const undo = (as: Program) => as.post<{ id: string }>(`/v1/batches/${id}/undo`, { why: 'the wrong wall' });
  expect((await undo(reader)).status).toBe(403);
  const undone = await undo(shop);
  const { id: undoId } = undone.body;
  expect(undone).toMatchObject({ status: 202, body: { id: expect.any(String) } });
  expect(undone.headers.get('location')).toBe(`/v1/batches/${undoId}`);
  expect(await until(undoId, ({ closedAt }) => closedAt !== null)).toMatchObject({
    ...{ undoes: id, by: `${client} (API)`, why: 'the wrong wall' },
    status: { total: 3, done: 3 },
  });
});

test('a batch is for all that a search finds, and is paused, resumed, cancelled and tried again', async () => {
  await lent(3);
  await vi.waitUntil(
    async () => (await installation().client.workflow.count(`WorkflowType = '${flow}'`)).count >= 3,
    { timeout: 30_000, interval: 100 },
  );
  const body = { ...extend, search: { flow }, perSecond: 1 };
  const { id } = (await shop.post<{ id: string }>('/v1/batches', body)).body;
  const control = (what: string, as = shop) =>
    as.post<BatchView>(`/v1/batches/${id}/${what}`, { why: 'lunch' });
  expect((await control('retry-failed')).body).toMatchObject({ code: 'BatchRuns' });
  expect((await control('pause', reader)).status).toBe(403);
  expect((await control('pause')).body).toMatchObject({
    status: { phase: 'paused', control: { what: 'pause', who: { by: `${client} (API)`, why: 'lunch' } } },
  });
  expect((await control('resume')).body).toMatchObject({ status: { phase: 'running' } });
  expect((await control('cancel')).body).toMatchObject({ status: { phase: 'cancelled' } });
  await until(id, ({ closedAt }) => closedAt !== null);
  expect(await control('pause')).toMatchObject({ status: 409, body: { code: 'BatchEnded' } });
});

test('what is wrong is named at its field, and a batch that is not there is not found', async () => {
  const wrong = async (body: object, as = shop) => await as.post('/v1/batches', body);
  expect(await wrong({ ...extend, keys: ['a'] }, reader)).toMatchObject({ status: 403 });
  expect(await wrong({ ...extend, command: 'adopt', keys: ['a'] })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'command' }] },
  });
  expect(await wrong({ ...extend, keys: [] })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'keys' }] },
  });
  expect(await wrong({ ...extend, keys: ['a'], why: undefined })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'why' }] },
  });
  expect(await reader.get('/v1/batches/nothing')).toMatchObject({ status: 404 });
  const [key = ''] = await lent(1);
  expect(await shop.post(`/v1/batches/${key}/cancel`, {})).toMatchObject({ status: 404 });
  // A migration is for those who publish.
  const migration = encodeURIComponent(`migration of ${flow} to 2`);
  expect(await shop.post(`/v1/batches/${migration}/pause`, {})).toMatchObject({ status: 403 });
});
