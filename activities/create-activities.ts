// The activities as the worker registers them: each bound to what it works with.

import type { MigrationActivities } from '../contract/flows/migrations.ts';
import { detailsRequest } from './account-details.ts';
import type { ActivityMeans } from './activity-means.ts';
import { book } from './booking/book.ts';
import { compareStores } from './compare.ts';
import { callConnector } from './connectors/call-connector.ts';
import { Connectors } from './connectors/connectors.ts';
import { emitEvent } from './connectors/emit-event.ts';
import type { FlowActivities } from './flow-activities.ts';
import { callLockerApi } from './flow-files/call-locker-api.ts';
import { correlationActivities } from './flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from './flow-files/fetch-flow-definition.ts';
import type { FlowFileActivities } from './flow-files/flow-file-activities.ts';
import { KnownByFlows } from './known-by-flows.ts';
import { migrationActivities } from './migrations/migration-activities.ts';
import { createOrGetAccount } from './onboarding.ts';
import { callOrFail } from './operation-call.ts';
import { parkReports } from './parked-activities.ts';
import { changeReceiver } from './receiver.ts';
import { reconcile } from './reconcile.ts';
import { followSandboxClock } from './sandbox-clock.ts';
import { undo } from './undo.ts';

export function createActivities(
  means: ActivityMeans,
): FlowActivities & FlowFileActivities & MigrationActivities {
  const { connectors = new Connectors({ connectors: [], events: null }) } = means;
  const known = new KnownByFlows();
  return {
    book: (input) => book(means, input),
    undo: (input) => undo(means, input),
    changeReceiver: (input) => changeReceiver(means, input),
    parkReports: (input) => parkReports(means, input),
    createOrGetAccount: (input) => createOrGetAccount(means, input),
    setAccountPickUpPoint: async (input) => void (await callOrFail(means, 'SetAccountPickUpPoint', input)),
    setAccountDetails: async (input) =>
      void (await callOrFail(means, 'SetAccountDetails', detailsRequest(input))),
    setAccountMutationConfig: async (input) =>
      void (await callOrFail(means, 'SetAccountMutationConfig', input)),
    reconcile: (input) => reconcile(means, known, input),
    compareStores: (input) => compareStores(means, input),
    followSandboxClock: () => followSandboxClock(means),
    ...migrationActivities(),
    fetchFlowDefinition,
    ...correlationActivities,
    callLockerApi: (call) => callLockerApi(means, call),
    emitEvent: (event) => emitEvent(connectors, event),
    callConnector: (call) => callConnector(connectors, call),
  };
}
