// `lockerflow items-left` with everything real: it lists what lies in a locker, named as the service's commands take it,
// and no more once it was taken out.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { ourService } from '../../end-to-end/installation.ts';
import { dimension } from '../../end-to-end/story-legs.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { writtenByService } from '../../support/service-command.ts';
import { run } from './lockerflow-program.ts';

const installation = useInstallation(ourService);

function itemsLeft(key: string, apiUrl = installation().service.address) {
  const credentials = { LOCKER_CLIENT_ID: 'demo', LOCKER_CLIENT_SECRET: 'demo-secret' };
  return run(['items-left', '--query', `WorkflowId = '${key}'`], {
    taskQueue: installation().taskQueue,
    variables: { LOCKER_API_URL: apiUrl, LOCKER_AUTH_URL: apiUrl, ...credentials },
  });
}

test('an item that was left is listed until the command that it can be copied into says that it is out', async () => {
  const { flows, people, client, service } = installation();
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 2);
  const key = `order-${randomUUID()}`;
  const room = { dimension, allowLargerLockers: false, allowOverflowLockers: false };
  const handle = await flows.start('Issue', key, { request: { pupUid, toUserUid: 'user-anna', ...room } });
  const shipmentUid = await vi.waitUntil(async () => (await handle.progress()).shipments.issue?.shipmentUid, {
    timeout: 60_000,
  });
  await people.dropOff(shipmentUid);
  await vi.waitUntil(async () => (await handle.progress()).shipments.issue?.stateCode === 'ReadyForPickup', {
    timeout: 60_000,
  });
  await client.workflow.getHandle(key).cancel();
  await expect(client.workflow.getHandle(key).result()).rejects.toThrow();
  await vi.waitUntil(async () => (await itemsLeft(key)).out.includes('1 item left'), { timeout: 60_000 });

  const { out } = await itemsLeft(key);
  const [locker = ''] = out.match(/pup-\S+\/\d+/) ?? [];
  expect(out).toContain(shipmentUid);
  // A service that cannot be asked: everything stays listed, and it is said.
  const unasked = await itemsLeft(key, 'http://127.0.0.1:9');
  expect(unasked).toMatchObject({
    code: 0,
    out,
    err: expect.stringContaining('may have items that were taken out'),
  });

  await writtenByService(['locker', 'emptied', 'demo', locker], { DATABASE_URL: service.url });
  expect((await itemsLeft(key)).out).toContain('0 items left');
});
