// All activities that a worker registers, bound to their dependencies.
import type { MigrationActivities } from '../contract/flows/migrations.ts';
import type { OutreachActivities } from '../contract/flows/outreach.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { book } from './booking/book.ts';
import { callConnector } from './connectors/call-connector.ts';
import { Connectors } from './connectors/connectors.ts';
import { emitEvent } from './connectors/emit-event.ts';
import type { FlowActivities } from './flow-activities.ts';
import type { FlowFileActivities } from './flow-file-activities.ts';
import { callLockerApi } from './flow-files/call-locker-api.ts';
import { correlationActivities } from './flow-files/correlation-activities.ts';
import { fetchFlowDefinition } from './flow-files/fetch-flow-definition.ts';
import { migrationActivities } from './migrations/migration-activities.ts';
import { deliverOutreach } from './outreach.ts';
import { KnownChanges } from './received-changes.ts';
import { changeReceiver } from './receiver.ts';
import { reconcile } from './reconcile.ts';
import { followSandboxClock } from './sandbox-clock.ts';
import { undo } from './undo.ts';
import { keepReports } from './unmatched-activities.ts';

export function createActivities(
  dependencies: ActivityDependencies,
): FlowActivities & FlowFileActivities & MigrationActivities & OutreachActivities {
  const { connectors = new Connectors({ connectors: [], events: null }) } = dependencies;
  const known = new KnownChanges();
  return {
    book: (input) => book(dependencies, input),
    undo: (input) => undo(dependencies, input),
    changeReceiver: (input) => changeReceiver(dependencies, input),
    keepReports: (input) => keepReports(dependencies, input),
    reconcile: (input) => reconcile(dependencies, known, input),
    followSandboxClock: () => followSandboxClock(dependencies),
    ...migrationActivities(),
    fetchFlowDefinition,
    ...correlationActivities,
    callLockerApi: (call) => callLockerApi(dependencies, call),
    emitEvent: (event) => emitEvent(connectors, event),
    deliverOutreach: (outreach) => deliverOutreach(dependencies, outreach),
    callConnector: (call) => callConnector(connectors, call),
  };
}
