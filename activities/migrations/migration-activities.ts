// The activities behind the workflow Migration: they find the processes that are not on the version yet, and ask each.
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import pLimit from 'p-limit';
import type {
  FoundProcess,
  MigrationActivities,
  MigrationInput,
  MigrationOutcome,
} from '../../contract/flows/migrations.ts';
import { literal } from '../../shared/routing/owners.ts';
import { perClient } from '../per-client.ts';
import { migrateProcess, VersionsOf } from './migrate-process.ts';
import { processesOf, queryFor } from './processes-to-migrate.ts';

// A slow answer of one process does not hold up the others.
const AT_ONCE = 10;

// One process may take longer to answer than a batch is to wait for a worker that has died.
const HEARTBEAT_MS = 2_000;

export function migrationActivities(): MigrationActivities {
  const clientAndVersions = perClient((client) => ({
    client: client as Client,
    versions: new VersionsOf(client as Client),
  }));
  return {
    processesToMigrate: ({ input, size, from }) =>
      processesOf(clientAndVersions().client, queryFor(input), size, from),
    async migrateProcesses({ input, updateId, processes, isLaterSweep }) {
      const { client, versions } = clientAndVersions();
      const migrated = async (candidate: FoundProcess): Promise<MigrationOutcome> => {
        const { key } = candidate;
        if (isLaterSweep && (await isOnVersion(client, key, input)))
          return { key, outcome: 'already', reasons: [] };
        const { outcome, reasons } = await migrateProcess(client, versions, input, candidate, { updateId });
        return { key, outcome, reasons };
      };
      const context = Context.current();
      const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      const few = pLimit(AT_ONCE);
      const outcomes: Promise<MigrationOutcome>[] = [];
      const began = Date.now();
      try {
        for (const [index, each] of processes.entries()) {
          await until(began + (index * 1_000) / input.rate);
          const outcome = few(migrated, each);
          // It is looked at below; Node would end the worker before that.
          outcome.catch(() => undefined);
          outcomes.push(outcome);
        }
        return await Promise.all(outcomes);
      } finally {
        clearInterval(heartbeats);
        // One has failed: the others end before they are asked again.
        await Promise.allSettled(outcomes);
      }
    },
    async haltedAfterMigration({ flow, to }) {
      const on = `LockerFlowVersion = ${literal(`${flow}@${to}`)}`;
      const query = `ExecutionStatus = 'Running' AND ${on} AND LockerPhase = 'NeedsPerson'`;
      const { count } = await clientAndVersions().client.workflow.count(query);
      return count;
    },
    async versionsInUse({ flow, versions }) {
      const { client } = clientAndVersions();
      const inUse: number[] = [];
      for (const version of versions) {
        const on = `LockerFlowVersion = ${literal(`${flow}@${version}`)}`;
        const { count } = await client.workflow.count(`ExecutionStatus = 'Running' AND ${on}`);
        if (count > 0) inUse.push(version);
      }
      return inUse;
    },
  };
}

/** Where the process itself says so: lists are a little behind. */
async function isOnVersion(client: Client, key: string, { flow, to }: MigrationInput): Promise<boolean> {
  const { searchAttributes, status } = await client.workflow.getHandle(key).describe();
  const [definition] = (searchAttributes.LockerFlowVersion ?? []) as readonly string[];
  return status.name === 'RUNNING' && definition === `${flow}@${to}`;
}

async function until(moment: number): Promise<void> {
  const left = moment - Date.now();
  if (left > 0) await Context.current().sleep(left);
}
