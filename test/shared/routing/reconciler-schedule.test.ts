// The reconciler's schedule is there as long as the locker service can list its shipments.
import { expect, test } from 'vitest';
import { ensureReconciler, reconcilerScheduleId } from '../../../shared/routing/reconciler-schedule.ts';
import { newTaskQueue, temporalClient } from '../../support/temporal.ts';

test('the schedule goes with the capability', async () => {
  const client = await temporalClient();
  const taskQueue = newTaskQueue();
  const ensure = (everySeconds: number, ...capabilities: 'getShipments'[]) =>
    ensureReconciler(client, {
      taskQueue,
      everySeconds,
      serviceProfile: { capabilities: new Set(capabilities) },
    });
  const schedule = client.schedule.getHandle(reconcilerScheduleId(taskQueue));
  await ensure(3_600);
  await expect(schedule.describe()).rejects.toThrow();
  await ensure(3_600, 'getShipments');
  await ensure(7_200, 'getShipments');
  expect((await schedule.describe()).spec.intervals).toMatchObject([{ every: 7_200_000 }]);
  await ensure(7_200);
  await expect(schedule.describe()).rejects.toThrow();
  await ensure(7_200, 'getShipments');
  await ensure(0, 'getShipments');
  await expect(schedule.describe()).rejects.toThrow();
});
