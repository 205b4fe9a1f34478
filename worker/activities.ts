// The published entry lockerflow/activities: the activities of flows, for a user's own worker.

export type { ActivityDependencies } from '../activities/activity-dependencies.ts';
export type { AdoptionActivities } from '../activities/booking/adoption.ts';
export { Connectors } from '../activities/connectors/connectors.ts';
export type { FlowActivities } from '../activities/flow-activities.ts';
export type { UnmatchedActivities } from '../activities/unmatched-activities.ts';
export { type ConnectorSettings, readConnectors } from '../shared/settings/connectors.ts';
export {
  type FlowWorkerDependencies,
  type FlowWorkerOptions,
  flowWorkerOptions,
} from './flow-worker-options.ts';
