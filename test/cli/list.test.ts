// The list of the command line, with everything real: whom each process is for, the item, where it stands, and the order.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import type { ProcessPage } from '../../processes/views/process-list.ts';
import { issueRequest } from '../console/console-world.ts';
import { ourService } from '../end-to-end/installation.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { run, runJson } from './lockerflow-program.ts';

const installation = useInstallation(ourService);
const PATIENCE = { timeout: 60_000, interval: 100 };
const id = randomUUID().slice(0, 8);
const keys = { waits: `waits-${id}`, late: `late-${id}`, newest: `newest-${id}` };
const query = ['--query', `WorkflowId IN (${Object.values(keys).map((key) => `'${key}'`)})`];
let place: string;

beforeAll(async () => {
  vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
  const { flows, people } = installation();
  const details = { description: 'Laptop 7', referenceNo: `L7-${id}` };
  const start = async (key: string, deadlines = {}) => {
    const handle = await flows.start('Issue', key, { request: { ...issueRequest, details }, deadlines });
    return await vi.waitUntil(async () => (await handle.progress()).shipments.issue, PATIENCE);
  };
  const { shipmentUid, lockerName } = await start(keys.waits, { issue: { pickUp: 'P3D' } });
  await start(keys.late, { issue: { dropOff: 'PT1S' } });
  await start(keys.newest);
  await people.dropOff(shipmentUid);
  const { items } = await people.call('GetPickUpPoints', { pageNo: 1, pageSize: 1, pupUid: 'pup-central' });
  place = `Locker ${lockerName}, ${(items as { name: string }[])[0]?.name}`;
  await vi.waitFor(async () => {
    const { items: rows } = await list();
    expect(rows).toHaveLength(3);
    expect(rows.find(({ key }) => key === keys.late)?.phase).toBe('Overdue');
    expect(rows.find(({ key }) => key === keys.waits)?.summary?.where).not.toBeNull();
  }, PATIENCE);
}, 120_000);

const setting = (more: Readonly<Record<string, string>> = {}) => {
  const { taskQueue, service } = installation();
  const variables = {
    LOCKER_API_URL: service.address,
    LOCKER_AUTH_URL: service.address,
    LOCKER_CLIENT_ID: 'demo',
    LOCKER_CLIENT_SECRET: 'demo-secret',
    ...more,
  };
  return { taskQueue, variables };
};

const list = (...words: string[]) => runJson<ProcessPage>(['list', ...query, ...words], setting());

test('a row says for whom it is, the item, where it stands, what is next, and until when', async () => {
  const { out } = await run(['list', ...query], setting());
  const [head, ...rows] = out.split('\n');
  expect(head).toMatch(
    /^key +flow +state +for +item +where +next +due, or since \(UTC\) +case +pick up point +started \(UTC\)$/,
  );
  const row = rows.find((line) => line.startsWith(keys.waits)) ?? '';
  expect(row).toMatch(/ Open +Anna Jansen +Laptop 7 \(L7-\w+\) +/);
  expect(row).toContain(` ${place} `);
  expect(row).toMatch(/Pick up +\d{4}-\d\d-\d\d \d\d:\d\d +/);
  expect(rows.find((line) => line.startsWith(keys.late))).toMatch(/ late since \d{4}-\d\d-\d\d \d\d:\d\d /);
  const { items } = await list();
  expect(items.find(({ key }) => key === keys.waits)?.about).toMatchObject({
    people: [{ userUid: 'user-anna', name: 'Anna Jansen' }],
    item: `Laptop 7 (L7-${id})`,
  });
});

test('its moments are in UTC in every column, wherever the terminal is', async () => {
  const { items } = await list();
  const { until } = items.find(({ key }) => key === keys.waits)?.summary?.next ?? {};
  expect(until).toMatch(/Z$/);
  const { out } = await run(['list', ...query], setting({ TZ: 'America/New_York' }));
  const row = out.split('\n').find((line) => line.startsWith(keys.waits));
  expect(row).toContain(` ${until?.slice(0, 16).replace('T', ' ')} `);
});

test('it is sorted by due or by how long each waits, page by page', async () => {
  const keysBy = async (...words: string[]) => (await list(...words)).items.map(({ key }) => key);
  expect(await keysBy()).toEqual([keys.newest, keys.late, keys.waits]);
  expect((await keysBy('--sort', 'due')).slice(0, 2)).toEqual([keys.late, keys.waits]);
  const first = await list('--sort', 'waiting', '--limit', '2');
  expect(first).toMatchObject({ sorted: 'waiting', count: 3, next: 'waiting-2' });
  const rest = await keysBy('--sort', 'waiting', '--limit', '2', '--page', first.next ?? '');
  expect([...first.items.map(({ key }) => key), ...rest].sort()).toEqual(Object.values(keys).sort());
  expect((await run(['list', '--sort', 'waiting', ...query], setting())).out).toMatch(
    / waits since, or due \(UTC\) /,
  );
});

test('it is narrowed to what somebody is to do next at a locker', async () => {
  const keysOf = async (step: string) => (await list('--step', step)).items.map(({ key }) => key);
  expect(await keysOf('pickUp')).toEqual([keys.waits]);
  expect(await keysOf('deskPutsIn')).toEqual([keys.late, keys.newest]);
  expect(await list('--step', 'bringBack')).toMatchObject({ items: [], count: 0, unknown: 0 });
  for (const wrong of [
    ['--step', 'pick-up'],
    ['--step', 'pickUp', '--closed'],
  ])
    expect(await run(['list', ...query, ...wrong], setting())).toMatchObject({ code: 2, out: '' });
});

test('what only open processes have is not searched for among those that have ended', async () => {
  const { code, out, err } = await run(['list', '--with-them', '--closed'], setting());
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain("option '--with-them' cannot be used with option '--closed'");
});

test('without the locker service it says why people and items are left out', async () => {
  for (const more of [{ LOCKER_CLIENT_SECRET: 'wrong' }, { LOCKER_CLIENT_SECRET: '' }]) {
    const { code, out } = await run(['list', ...query], setting(more));
    expect(code).toBe(0);
    expect(out).toMatch(/^key +flow +state +where +next /);
    expect(out).toMatch(/\nfor whom and the item are left out: \S.+\n$/);
    expect(out).not.toContain('Anna');
  }
});
