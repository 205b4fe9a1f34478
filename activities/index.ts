// The published entry lockerflow/activities: the activities of flows, for a user's own worker.

export { type ConnectorSettings, readConnectors } from '../shared/settings/connectors.ts';
export type { ActivityDependencies } from './activity-dependencies.ts';
export type { AdoptionActivities } from './booking/adoption.ts';
export { Connectors } from './connectors/connectors.ts';
export type { FlowActivities } from './flow-activities.ts';
export type { ParkedActivities } from './parked-activities.ts';
export { type FlowWorkerDependencies, type FlowWorkerOptions, flowWorkerOptions } from './worker-options.ts';
