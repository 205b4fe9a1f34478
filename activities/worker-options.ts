// What a worker that runs the flows needs beside its connection, its task queue and the workflows: our worker, and a user's.
import { writeWholeTexts } from '../shared/codec/whole-texts.ts';
import { orchestratorSettings } from '../shared/settings/orchestrator.ts';
import type { ActivityMeans } from './activity-means.ts';
import { type AdoptionActivities, adoptionActivities } from './booking/adoption.ts';
import { usualPace } from './booking/unknown-outcome.ts';
import { createActivities } from './create-activities.ts';
import type { FlowActivities } from './flow-activities.ts';
import type { FlowFileActivities } from './flow-files/flow-file-activities.ts';
import { type ParkedActivities, parkedActivities } from './parked-activities.ts';

/** What is not given is as it is for a worker without settings. */
export type FlowWorkerMeans = Pick<ActivityMeans, 'api' | 'peer'> & Partial<ActivityMeans>;

/** To be spread into the options of Temporal's Worker.create. */
export interface FlowWorkerOptions {
  readonly activities: FlowActivities & ParkedActivities & AdoptionActivities & FlowFileActivities;
  readonly maxHeartbeatThrottleInterval: string;
}

// What a heartbeat tells of a booking must be there when the worker dies a moment later.
const HEARTBEAT_THROTTLE = '200 ms';

const { PARK_FOR } = orchestratorSettings.parse({});
/** Where the worker's settings name nothing else. */
export const usualMeans = {
  setsReferences: true,
  lockerRetryMs: 15_000,
  parkFor: PARK_FOR,
  pace: usualPace,
} as const;

export function flowWorkerOptions(given: FlowWorkerMeans): FlowWorkerOptions {
  writeWholeTexts();
  const means = { ...usualMeans, ...given };
  return {
    activities: {
      ...createActivities(means),
      ...parkedActivities(),
      ...adoptionActivities(),
    },
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  };
}
