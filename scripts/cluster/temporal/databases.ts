// The databases in the cluster's Postgres: the service's, and the two of Temporal with their tables.

import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../../client/search-attributes.ts';

export const databases = {
  service: 'lockerflow',
  temporal: 'temporal',
  visibility: 'temporal_visibility',
} as const;

/** With Temporal's own tool, in which the tables of each release are. */
export async function createTemporalTables(tool: string, postgresUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const at = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', username];
  const run = async (database: string, ...words: string[]) => {
    // The password is in the environment: anyone may read the words of a command.
    const env = { ...process.env, SQL_PASSWORD: decodeURIComponent(password) };
    await promisify(execFile)(tool, [...at, '--db', database, ...words], { env }).catch((cause: Error) => {
      throw new Error(`the tables of ${database} cannot be made: ${cause.message.slice(-1_000)}`, { cause });
    });
  };
  const make = async (database: string, name: string) => {
    await run(database, 'setup-schema', '--version', '0.0');
    await run(database, 'update-schema', '--schema-name', `postgresql/v12/${name}`);
  };
  await Promise.all([make(databases.temporal, 'temporal'), make(databases.visibility, 'visibility')]);
}

// What a new Temporal needs before flows run: the namespace with the search attributes, and the version of the workers that
// gets the work. Temporal's processes have just found each other, so that each step is tried again for a while.

const NAMESPACE = 'default';
// As Temporal's own set-up has it.
const RETENTION = msToTs('3 days');

async function withClient<Result>(
  address: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await untilDone(() => Connection.connect({ address }));
  return await work(new Client({ connection, namespace: NAMESPACE })).finally(() => connection.close());
}

export const ensureNamespace = (address: string): Promise<void> =>
  withClient(address, async (client) => {
    await untilDone(() => registerNamespace(client));
    // Each process of Temporal learns of a namespace within seconds.
    await untilDone(() => registerSearchAttributes(client));
    await untilDone(async () => {
      const missing = await registerSearchAttributes(client);
      if (missing.length > 0) throw new Error(`${missing.join(', ')} are not known yet`);
    });
  });

async function registerNamespace({ workflowService }: Client): Promise<void> {
  const { namespaces } = await workflowService.listNamespaces({});
  if (namespaces.some(({ namespaceInfo }) => namespaceInfo?.name === NAMESPACE)) return;
  await workflowService.registerNamespace({
    namespace: NAMESPACE,
    workflowExecutionRetentionPeriod: RETENTION,
  });
}

/** Temporal knows a version from the moment that its first worker asked for work. */
export const makeCurrent = (address: string, deploymentName: string, buildId: string): Promise<void> =>
  withClient(address, async ({ workflowService, options: { identity } }) => {
    await untilDone(() =>
      workflowService.setWorkerDeploymentCurrentVersion({
        namespace: NAMESPACE,
        deploymentName,
        buildId,
        identity,
      }),
    );
  });

// Tries a step again until it works, for as long as a server may take to start, or a cluster to find itself.

const USUAL_MS = 60_000;
const AGAIN_MS = 50;

interface Patience {
  readonly withinMs?: number;
  /** Aborted: nobody waits any more. */
  readonly giveUp?: AbortSignal | undefined;
}

export async function untilDone<Result>(
  step: () => Promise<Result>,
  { withinMs = USUAL_MS, giveUp }: Patience = {},
): Promise<Result> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() > deadline || giveUp?.aborted) throw error;
      await delay(AGAIN_MS);
    }
  }
}
