// The activities and options of a worker that runs flows, for lockerflow's own worker and for a user's. The caller adds the
// connection, the task queue and the workflows.

import type { MigrationActivities } from '../contract/flows/migrations.ts';
import { writeWholeTexts } from '../shared/codec/whole-texts.ts';
import { orchestratorSettings } from '../shared/settings/values.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { type AdoptionActivities, adoptionActivities } from './booking/adoption.ts';
import { book } from './booking/book.ts';
import { usualPace } from './booking/unknown-outcome.ts';
import { callConnector } from './connectors/call-connector.ts';
import { Connectors } from './connectors/connectors.ts';
import { emitEvent } from './connectors/emit-event.ts';
import { detailsRequest } from './find-account.ts';
import type { FlowActivities } from './flow-activities.ts';
import type { FlowFileActivities } from './flow-file-activities.ts';
import { callLockerApi, fetchFlowDefinition } from './flow-files/call-locker-api.ts';
import { correlationActivities } from './flow-files/correlation-activities.ts';
import { migrationActivities } from './migrations/migration-activities.ts';
import { createOrGetAccount } from './onboarding.ts';
import { callOrFail } from './operation-call.ts';
import { type ParkedActivities, parkedActivities, parkReports } from './parked-activities.ts';
import { changeReceiver } from './receiver.ts';
import { KnownChanges, reconcile } from './reconcile.ts';
import { followSandboxClock } from './sandbox-clock.ts';
import { undo } from './undo.ts';

/** What is missing is taken from `defaultDependencies`. */
export type FlowWorkerDependencies = Pick<ActivityDependencies, 'api' | 'peer'> &
  Partial<ActivityDependencies>;

/** Spread these into the options of Temporal's Worker.create. */
export interface FlowWorkerOptions {
  readonly activities: FlowActivities & ParkedActivities & AdoptionActivities & FlowFileActivities;
  readonly maxHeartbeatThrottleInterval: string;
}

// A booking's heartbeat details must reach the server even if the worker dies a moment later.
const HEARTBEAT_THROTTLE = '200 ms';

const { PARK_FOR } = orchestratorSettings.parse({});
export const defaultDependencies = {
  setsReferences: true,
  lockerRetryMs: 15_000,
  parkFor: PARK_FOR,
  pace: usualPace,
} as const;

export function flowWorkerOptions(given: FlowWorkerDependencies): FlowWorkerOptions {
  writeWholeTexts();
  const dependencies = { ...defaultDependencies, ...given };
  return {
    activities: {
      ...createActivities(dependencies),
      ...parkedActivities(),
      ...adoptionActivities(),
    },
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  };
}

// All activities that a worker registers, bound to their dependencies.

export function createActivities(
  dependencies: ActivityDependencies,
): FlowActivities & FlowFileActivities & MigrationActivities {
  const { connectors = new Connectors({ connectors: [], events: null }) } = dependencies;
  const known = new KnownChanges();
  return {
    book: (input) => book(dependencies, input),
    undo: (input) => undo(dependencies, input),
    changeReceiver: (input) => changeReceiver(dependencies, input),
    parkReports: (input) => parkReports(dependencies, input),
    createOrGetAccount: (input) => createOrGetAccount(dependencies, input),
    setAccountPickUpPoint: async (input) =>
      void (await callOrFail(dependencies, 'SetAccountPickUpPoint', input)),
    setAccountDetails: async (input) =>
      void (await callOrFail(dependencies, 'SetAccountDetails', detailsRequest(input))),
    setAccountMutationConfig: async (input) =>
      void (await callOrFail(dependencies, 'SetAccountMutationConfig', input)),
    reconcile: (input) => reconcile(dependencies, known, input),
    followSandboxClock: () => followSandboxClock(dependencies),
    ...migrationActivities(),
    fetchFlowDefinition,
    ...correlationActivities,
    callLockerApi: (call) => callLockerApi(dependencies, call),
    emitEvent: (event) => emitEvent(connectors, event),
    callConnector: (call) => callConnector(connectors, call),
  };
}
