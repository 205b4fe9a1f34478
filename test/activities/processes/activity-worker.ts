// A worker of the activities alone in a process of its own, to be killed.
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../../activities/all-activities.ts';
import { usualPace } from '../../../activities/booking/unknown-outcome.ts';
import { readServiceProfile, serviceProfileSettings } from '../../../contract/index.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';

const { TEMPORAL_ADDRESS = '', TASK_QUEUE = '', API_URL = '', AUTH_URL = '' } = process.env;

const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
  taskQueue: TASK_QUEUE,
  activities: createActivities({
    api: new LockerApi({ apiUrl: API_URL, authUrl: AUTH_URL, clientId: 'client', clientSecret: 'secret' }),
    serviceProfile: readServiceProfile(serviceProfileSettings.parse({ LOCKER_CAPABILITIES: 'getShipments' })),
    setsReferences: true,
    lockerRetryMs: 1_000,
    keepFor: 'P30D',
    pace: usualPace,
  }),
  maxHeartbeatThrottleInterval: '200 ms',
});
await worker.run();
