// The activities of flow files as the worker registers them.
import type { ActivityMeans } from '../activity-means.ts';
import { callLockerApi } from './call-locker-api.ts';
import { fetchFlowDefinition } from './fetch-flow-definition.ts';
import type { FlowFileActivities } from './flow-file-activities.ts';

export const flowFileActivities = (means: ActivityMeans): FlowFileActivities => ({
  fetchFlowDefinition,
  callLockerApi: (call) => callLockerApi(means, call),
});
