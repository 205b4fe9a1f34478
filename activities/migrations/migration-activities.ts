// The activities behind the workflow Migration: they find the processes that are not on the version yet, and ask each.
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { MigrationActivities, MigrationOutcome } from '../../contract/flows/migrations.ts';
import { perClient } from '../per-client.ts';
import { literal } from '../routing/owners.ts';
import { migrateProcess, VersionsOf } from './migrate-process.ts';
import { processesOf, queryFor } from './open-processes.ts';

export function migrationActivities(): MigrationActivities {
  const means = perClient((client) => ({
    client: client as Client,
    versions: new VersionsOf(client as Client),
  }));
  return {
    processesToMigrate: ({ input, size, from }) => processesOf(means().client, queryFor(input), size, from),
    async migrateProcesses({ input, updateId, processes }) {
      const { client, versions } = means();
      const outcomes: MigrationOutcome[] = [];
      const began = Date.now();
      for (const [index, each] of processes.entries()) {
        await until(began + (index * 1_000) / input.rate);
        const { key, outcome, reasons } = await migrateProcess(client, versions, input, each, updateId);
        outcomes.push({ key, outcome, reasons });
        Context.current().heartbeat(index);
      }
      return outcomes;
    },
    async heldAfterMigration({ flow, to }) {
      const on = `LockerFlowVersion = ${literal(`${flow}@${to}`)}`;
      const query = `ExecutionStatus = 'Running' AND ${on} AND LockerPhase = 'NeedsPerson'`;
      const { count } = await means().client.workflow.count(query);
      return count;
    },
    async versionsInUse({ flow, versions }) {
      const inUse: number[] = [];
      for (const version of versions) {
        const on = `LockerFlowVersion = ${literal(`${flow}@${version}`)}`;
        const { count } = await means().client.workflow.count(`ExecutionStatus = 'Running' AND ${on}`);
        if (count > 0) inUse.push(version);
      }
      return inUse;
    },
  };
}

async function until(moment: number): Promise<void> {
  const left = moment - Date.now();
  if (left > 0) await Context.current().sleep(left);
}
