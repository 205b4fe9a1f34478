// What `npm run bench -- scale` says of many shipments and flows comes from the real thing: copies have the form of what the
// service wrote, and it reads them as its own. The long form plays flows on Temporal's production server, where its programs
// are built.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { missingPrograms } from '../../../../local/cluster/programs.ts';
import { fill } from '../../../../tools/bench/booking-data.ts';
import { endedShipments } from '../../../../tools/bench/scale/ended-shipments.ts';
import { flowCost } from '../../../../tools/bench/scale/flow-cost.ts';
import { LOCKERS_EACH, openFlows } from '../../../../tools/bench/scale/open-flows.ts';
import { startSurroundings } from '../../../../tools/bench/scale/surroundings.ts';
import { ALL_ACTIONS } from '../../../../tools/bench/scale/used.ts';
import { ISSUE, LOAN } from '../../../../tools/bench/whole-flows/play.ts';
import { isLongSuite } from '../../../support/suite.ts';

const PATIENCE_MS = 300_000;
const say = () => undefined;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test(
  'ended shipments: as many rows and bytes for a copy as for one that was played, and the service reads both',
  async () => {
    const { played, few, many } = await endedShipments({
      postgresUrl: inject('postgresUrl'),
      folder: await temporaryFolder(),
      city: { walls: 2, lockersEach: 20, users: 30 },
      ...{ played: 40, few: 80, many: 400, tries: 5, say },
    });
    expect(played.shipments).toBe(40);
    // Those that were measured are added, those older than the retention are deleted.
    expect(few.shipments).toBe(80);
    expect(many.shipments).toBe(80 + 5 - 40 + 400 - 40);
    // One row of the shipment, one of the locker's use, two accesses, three of the audit log, and its events.
    expect(played.rowsEach).toBeGreaterThanOrEqual(9);
    expect(many.rowsEach).toBeCloseTo(played.rowsEach, 0);
    for (const table of ['shipments', 'shipment_events', 'locker_accesses', 'locker_uses', 'audit_log'])
      expect(many.bytesEach[table], table).toBeGreaterThan(50);
    expect(Object.keys(many.times)).toEqual(Object.keys(few.times));
    for (const milliseconds of Object.values(many.times)) expect(milliseconds).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

test(
  'flows on the production server: its history, its actions, its rows and its processors are counted',
  async ({ skip }) => {
    if (!isLongSuite) return skip('in the long suite only: npm run test:long');
    if ((await missingPrograms()).length > 0) return skip('not built yet: npm run cluster -- --only-build');
    const home = await temporaryFolder();
    await using around = await startSurroundings({ home, cachedWorkflows: 4, say });
    await fill(around.serviceUrl, { pickUpPoints: 2, lockersEach: LOCKERS_EACH, oldShipments: 0 });
    const cost = await flowCost(LOAN, around, 3);
    expect(cost[`${ALL_ACTIONS}: grpc_StartWorkflowExecution`]).toBe(1);
    expect(cost[`${ALL_ACTIONS}: command_ScheduleActivityTask`]).toBe(1);
    for (const name of [
      "the service's database: statements",
      "Temporal's databases: statements",
      "the service's database: rows kept",
      "Temporal's databases: rows kept",
    ])
      expect(cost[name], name).toBeGreaterThan(1);
    // What Temporal does anyway is taken off: after three flows that may be more than they took.
    for (const name of ['service', 'worker', 'Temporal', "Postgres, Temporal's databases"])
      expect(cost[`CPU ms: ${name}`], name).toSatisfy(Number.isFinite);
    const connection = await Connection.connect({ address: around.server.address });
    onTestFinished(() => connection.close());
    const { workflow } = new Client({ connection });
    const lengths: number[] = [];
    for await (const { workflowId } of workflow.list({ query: `WorkflowType = '${LOAN}'` }))
      lengths.push((await workflow.getHandle(workflowId).fetchHistory()).events?.length ?? 0);
    expect(cost['events in its history']).toBeGreaterThanOrEqual(Math.min(...lengths));
    expect(cost['events in its history']).toBeLessThanOrEqual(Math.max(...lengths));

    const open = await openFlows(around, 6, say);
    const counted = await workflow.count(`WorkflowType = '${ISSUE}' AND ExecutionStatus = 'Running'`);
    expect(counted.count).toBe(6);
    expect(open[6]?.['shipments that it sees']).toBeGreaterThanOrEqual(6);
    expect(open[6]?.['door to flow, ms']).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
