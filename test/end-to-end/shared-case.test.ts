// A case number that is the business key of one flow, on shipments that are not that flow's: callers number their cases
// as they like.
import { expect, test, vi } from 'vitest';
import type { Unmatched } from '../../contract/flows/unmatched-callback.ts';
import { unmatchedId } from '../../shared/routing/keep-unmatched.ts';
import { eventsOf } from '../support/history.ts';
import { ourService } from './installation.ts';
import { Play } from './play.ts';
import { storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService);
const dimension = { width: 10, height: 10, length: 10 };

test('a shipment without a flow, with the case number of a flow, is kept once, and not sent to that flow again', async () => {
  const { people, client } = installation();
  const play = await Play.begin({ installation: installation(), story: storyOf('Issue') });
  await play.untilFollowed();
  const { workflowId } = play.handle;
  const { shipmentUid } = await people.call('CreateLocalShipment', {
    pupUid: play.pupUid,
    toUserUid: 'user-anna',
    dimension,
    referenceCaseNo: workflowId,
    allowLargerLockers: true,
    allowOverflowLockers: false,
  });
  await people.dropOff(String(shipmentUid));
  const unmatched = client.workflow.getHandle(unmatchedId(String(shipmentUid)));
  const { kept } = await vi.waitUntil(() => unmatched.query<Unmatched>('unmatched').catch(() => undefined), {
    timeout: 60_000,
  });
  expect(kept).toMatchObject([{ callback: { shipmentUid, stateCode: 'ReadyForPickup' } }]);
  // A flow was looked for, and none was found.
  const hasBeenTried = async () =>
    (await unmatched.describe()).raw.pendingActivities?.some(({ attempt }) => (attempt ?? 0) > 1);
  await vi.waitUntil(hasBeenTried, { timeout: 60_000 });
  await play.doAll();
  expect(await play.handle.result()).toMatchObject({ outcome: 'Done' });
  // It came to the flow once, was handed on once, and stays where it was put.
  const ofFlow = await eventsOf(client.workflow.getHandle(workflowId));
  expect(ofFlow.filter((type) => type === 'WORKFLOW_EXECUTION_SIGNALED')).toHaveLength(1 + 2);
  expect((await unmatched.describe()).status.name).toBe('RUNNING');
  await unmatched.terminate();
});

test('a flow gets the callbacks of its shipments also if they have the case number of another flow', {
  tags: 'long',
}, async () => {
  const other = await Play.begin({ installation: installation(), story: storyOf('Issue') });
  const key = other.handle.workflowId;
  const own = await Play.begin({
    installation: installation(),
    story: { ...storyOf('Issue'), request: { toUserUid: 'user-anna', details: { referenceCaseNo: key } } },
  });
  await own.doAll();
  await own.expectDone();
  await other.doAll();
  await other.expectDone();
});
