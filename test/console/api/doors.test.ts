// What the API tells of the doors of a process: real openings by staff and by codes, at a real service.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { DoorHistory } from '../../../console/process/door-history.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { issueRequest, useConsoleOf } from '../console-world.ts';

const installation = useInstallation(ourService);
const server = useConsoleOf(installation);
const key = `loan-${randomUUID()}`;
let shipmentUid = '';

const asks = async (name: 'anna' | 'bram', path: string) => {
  const answer = await fetch(`${server().address}${path}`, {
    headers: { cookie: await server().cookieOf(name) },
  });
  return (await answer.json()) as DoorHistory;
};
const doors = `/v1/processes/${key}/doors`;
const posts = async (path: string, body: object) =>
  await server().post(path, body, { cookie: await server().cookieOf('bram') });

beforeAll(async () => {
  const { flows } = installation();
  await flows.start('Issue', key, { request: { ...issueRequest, toUserUid: 'user-anna' } });
  shipmentUid = await vi.waitUntil(
    async () => {
      const progress = await flows
        .handle<'Issue'>(key)
        .progress()
        .catch(() => undefined);
      return progress?.shipments.issue?.shipmentUid;
    },
    { timeout: 60_000, interval: 50 },
  );
});

test('who opened a door with a code or without one and why, who saw the codes, and what was tried in vain', async () => {
  const { people } = installation();
  expect(await posts('/api/desk/codes', { shipmentUid })).toMatchObject({ status: 200 });
  const opens = `/v1/shipments/${shipmentUid}/open`;
  const opening = { why: 'é: her code is lost' };
  expect(await posts(opens, { ...opening, goal: 'PickUp' })).toMatchObject({ status: 409 });
  await people.dropOff(shipmentUid);
  expect(await posts(opens, { ...opening, goal: 'PickUp' })).toMatchObject({ status: 200 });
  const { items, unread } = await asks('bram', doors);
  expect(unread).toBeNull();
  const told = items.map(({ words, why, isBad }) => [words.replace(/locker \d+/i, 'locker'), why, isBad]);
  expect(told).toContainEqual(['Bram saw the codes of locker.', null, false]);
  expect(told).toContainEqual([
    'Bram tried to open locker without a code: its state did not allow it.',
    opening.why,
    true,
  ]);
  expect(told.at(-1)).toEqual([
    'Bram opened locker without a code; it counts as taken out.',
    opening.why,
    false,
  ]);
  const byCode = told.find(([words]) => String(words).includes('with the code of'));
  // The desk puts it in: no person is called after its account.
  expect(byCode?.[0]).toMatch(/with the code of the desk for putting in\.$/);
  // Whose codes they were is for those who may act.
  const seen = (await asks('anna', doors)).items.map(({ words }) => words).join(' ');
  expect(seen).toContain('was opened with the code for putting in.');
});

test('a service that does not tell it: that is said, and nothing in its place', async () => {
  const sandbox = await sandboxAs(installation().service.address);
  await sandbox('POST', 'switches', { getShipments: false });
  onTestFinished(async () => void (await sandbox('POST', 'switches', { getShipments: true })));
  await posts('/api/desk/codes', { shipmentUid });
  expect(await asks('bram', doors)).toEqual({
    items: [],
    unread: 'This locker service does not tell who opened its doors.',
  });
});
