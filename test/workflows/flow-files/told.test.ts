// assumptions: Connectors, What the start of a built-in flow can have told
// What a built-in flow tells the outside on a real Temporal, where its start asks for it by `tell`.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { readConnectors } from '../../../settings/connectors.ts';
import { json, type Peer, startPeer } from '../../activities/api/peer.ts';
import { eventsOf } from '../../support/history.ts';
import { Outside } from '../outside.ts';
import { runningFiles } from './running-files.ts';

const files = runningFiles();
let peer: Peer;
beforeAll(async () => {
  peer = await startPeer(json(200, {}));
  files.connectors = new Connectors(
    readConnectors(
      `events: hub\nconnectors: { hub: { address: "${peer.url}", events: { signingKeyFile: keys } } }`,
      () => `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
    ),
  );
});
afterAll(async () => {
  await files.connectors.close();
  await peer[Symbol.asyncDispose]();
});
beforeEach(() => {
  peer.requests.length = 0;
});

const told = () => peer.requests.map(({ body }) => JSON.parse(body) as { type: string; data: object });

async function issue(tell?: object) {
  const handle = await files.start('Issue', {
    request: { toUserUid: 'user-anna', dimension: { height: 1, width: 1, length: 1 } },
    deadlines: { issue: { pickUp: 'PT1S' } },
    ...(tell && { tell }),
  });
  const outside = new Outside();
  files.attend(handle.workflowId, outside);
  const uid = await vi.waitUntil(() => outside.roles.get('issue') ?? false, {
    timeout: 60_000,
    interval: 30,
  });
  await outside.does(uid, 'ItemDroppedOff');
  await vi.waitUntil(async () => (await handle.query<{ phase: string }>('progress')).phase === 'Overdue', {
    timeout: 60_000,
    interval: 30,
  });
  await outside.does(uid, 'ItemPickedUp');
  return { handle, result: await handle.result(), uid };
}

test('a flow tells that a deadline has passed and that it has ended, in order, with its result', async () => {
  const { handle, result, uid } = await issue({ events: ['overdue', 'needsPerson', 'ended'] });
  expect(told()).toMatchObject([
    {
      ...{ type: 'flow.overdue', number: 1, flow: { key: handle.workflowId, name: 'Issue' } },
      data: { role: 'issue', stage: 'pickUp', until: expect.any(String) },
    },
    { type: 'flow.ended', number: 2, data: { result } },
  ]);
  expect(JSON.stringify(result)).toContain(uid);
});

test('a flow tells only what its start asks for', async () => {
  await issue({ events: ['ended'] });
  expect(told().map(({ type }) => type)).toEqual(['flow.ended']);
});

test('a flow without tell tells nothing, and its history has nothing of it', async () => {
  const { handle } = await issue();
  expect(told()).toEqual([]);
  const events = await eventsOf(handle);
  expect(events.filter((type) => type === 'ACTIVITY_TASK_SCHEDULED')).toHaveLength(1);
});
