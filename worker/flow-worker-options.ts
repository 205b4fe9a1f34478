// The activities and options of a worker that runs flows, for lockerflow's own worker and for a user's. The caller adds the
// connection, the task queue and the workflows.

import type { ActivityDependencies } from '../activities/activity-dependencies.ts';
import { createActivities } from '../activities/all-activities.ts';
import { type AdoptionActivities, adoptionActivities } from '../activities/booking/adoption.ts';
import { usualPace } from '../activities/booking/unknown-outcome.ts';
import type { FlowActivities } from '../activities/flow-activities.ts';
import type { FlowFileActivities } from '../activities/flow-file-activities.ts';
import { deliveredBy } from '../activities/outreach.ts';
import { type UnmatchedActivities, unmatchedActivities } from '../activities/unmatched-activities.ts';
import type { BatchActivities } from '../contract/flows/batches.ts';
import type { OutreachActivities } from '../contract/flows/outreach.ts';
import { batchActivities } from '../processes/batches/batch-activities.ts';
import { writeWholeTexts } from '../shared/codec/whole-texts.ts';
import { orchestratorSettings } from '../shared/settings/report-settings.ts';

/** What is missing is taken from `defaultDependencies`. */
export type FlowWorkerDependencies = Pick<ActivityDependencies, 'api' | 'serviceProfile'> &
  Partial<ActivityDependencies>;

/** Spread these into the options of Temporal's Worker.create. */
export interface FlowWorkerOptions {
  readonly activities: BatchActivities &
    FlowActivities &
    UnmatchedActivities &
    AdoptionActivities &
    FlowFileActivities &
    OutreachActivities;
  readonly maxHeartbeatThrottleInterval: string;
}

// A booking's heartbeat details must reach the server even if the worker dies a moment later.
const HEARTBEAT_THROTTLE = '200 ms';

const { KEEP_UNMATCHED_FOR } = orchestratorSettings.parse({});
export const defaultDependencies = {
  setsReferences: true,
  lockerRetryMs: 15_000,
  keepFor: KEEP_UNMATCHED_FOR,
  pace: usualPace,
} as const;

export function flowWorkerOptions(options: FlowWorkerDependencies): FlowWorkerOptions {
  writeWholeTexts();
  const dependencies = { ...defaultDependencies, ...options };
  return {
    activities: {
      ...createActivities(dependencies),
      ...batchActivities({ service: dependencies.api, outreach: deliveredBy(dependencies) }),
      ...unmatchedActivities(),
      ...adoptionActivities(),
    },
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  };
}
