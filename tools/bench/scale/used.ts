// What has been used so far, by those who used it: statements, transactions and rows of each database, what Postgres has
// logged, Temporal's actions, and the processors. What lies between two looks is what was done between them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databases } from '../../../local/cluster/temporal/databases.ts';
import { processesOf } from '../engines/usage.ts';
import { processorMs } from '../local-process.ts';
import { parts } from '../whole-flows/processes.ts';
import { query } from './query.ts';
import type { Surroundings } from './surroundings.ts';

type Figures = Readonly<Record<string, number>>;

export interface Used {
  readonly at: number;
  readonly figures: Figures;
}

// A connection of Postgres that does nothing tells its counts after 10 s at the latest.
const TOLD_AFTER_MS = 11_000;

export async function usedSoFar(around: Surroundings): Promise<Used> {
  await delay(TOLD_AFTER_MS);
  const figures = {
    ...(await inPostgres(around)),
    ...(await statements(around)),
    ...(await actions(around)),
    ...(await processors(around)),
  };
  return { at: performance.now(), figures };
}

/** What each of so many took, without what goes on when there are none: `idle` lies between the first two looks. */
export function usedByEach(idleFrom: Used, idleTo: Used, after: Used, count: number): Record<string, number> {
  const idleMs = idleTo.at - idleFrom.at;
  const entries = Object.entries(after.figures).map(([name, value]) => {
    const before = idleTo.figures[name] ?? 0;
    const idle = (before - (idleFrom.figures[name] ?? 0)) / idleMs;
    return [name, (value - before - idle * (after.at - idleTo.at)) / count] as const;
  });
  return Object.fromEntries(entries);
}

const ofService = "the service's database";
const ofTemporal = "Temporal's databases";
export const halves = [ofService, ofTemporal] as const;

/** By the name of the database; undefined for those of Postgres itself. */
const halfOf =
  ({ serviceUrl }: Surroundings) =>
  (database: string): string | undefined => {
    if (database === databases.temporal || database === databases.visibility) return ofTemporal;
    return new URL(serviceUrl).pathname === `/${database}` ? ofService : undefined;
  };

async function inPostgres(around: Surroundings): Promise<Figures> {
  const rows = await query<{ name: string; commits: string; written: string }>(
    around.serviceUrl,
    `select datname as name, xact_commit as commits, tup_inserted + tup_updated + tup_deleted as written
     from pg_stat_database where datname is not null`,
  );
  const [log] = await query<{ bytes: string }>(
    around.serviceUrl,
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  const half = halfOf(around);
  const figures: Record<string, number> = {};
  for (const words of halves) {
    const own = rows.filter(({ name }) => half(name) === words);
    figures[`${words}: transactions`] = own.reduce((sum, { commits }) => sum + Number(commits), 0);
    figures[`${words}: rows written`] = own.reduce((sum, { written }) => sum + Number(written), 0);
  }
  return { ...figures, 'write-ahead log of Postgres, kB': Number(log?.bytes) / 1_000 };
}

/** From now on Postgres logs each statement of each database, or no more. */
export async function logStatements({ serviceUrl }: Surroundings, wanted: boolean): Promise<void> {
  const settings = { log_min_duration_statement: '0', log_line_prefix: "'%d '" };
  for (const [name, value] of Object.entries(settings))
    await query(serviceUrl, wanted ? `alter system set ${name} = ${value}` : `alter system reset ${name}`);
  await query(serviceUrl, 'select pg_reload_conf()');
  await delay(1_000);
}

async function statements(around: Surroundings): Promise<Figures> {
  const log = await readFile(join(around.server.folder, 'postgres', 'postgres.log'), 'utf8');
  const figures: Record<string, number> = Object.fromEntries(halves.map((words) => [isLogged(words), 0]));
  const half = halfOf(around);
  for (const [, database = ''] of log.matchAll(/^(\S+) LOG: .*? ms +(?:statement|execute [^:]*): /gm)) {
    const words = half(database);
    if (words) figures[isLogged(words)] = (figures[isLogged(words)] ?? 0) + 1;
  }
  return figures;
}

/** The name of the figure that is there only while Postgres logs statements. */
export const isLogged = (words: string): string => `${words}: statements`;

const ACTIONS = /^action(?:_total)?\{(.*)\} (\S+)$/gm;

/**
 * What Temporal Cloud would charge for, as Temporal's server counts it: its own documentation names this metric for that
 * (docs.temporal.io, "Estimate Actions for migration"). Those of its own namespace are left out, and the questions that the
 * benchmark asks the flows.
 */
async function actions({ server }: Surroundings): Promise<Figures> {
  const texts = await Promise.all(server.metrics.map(async (url) => await (await fetch(url)).text()));
  const figures: Record<string, number> = { [ALL_ACTIONS]: 0 };
  for (const [, labels = '', value] of texts.flatMap((text) => [...text.matchAll(ACTIONS)])) {
    const type = /action_type="([^"]*)"/.exec(labels)?.[1] ?? 'others';
    if (/namespace="temporal-system"/.test(labels) || type === 'grpc_QueryWorkflow') continue;
    const name = `${ALL_ACTIONS}: ${type}`;
    figures[name] = (figures[name] ?? 0) + Number(value);
    figures[ALL_ACTIONS] = (figures[ALL_ACTIONS] ?? 0) + Number(value);
  }
  return figures;
}

export const ALL_ACTIONS = "Temporal's actions";

async function processors(around: Surroundings): Promise<Figures> {
  const used = new Map<string, number>();
  const add = async (name: string, processId: number) =>
    used.set(name, (used.get(name) ?? 0) + ((await processorMs(processId)) || 0));
  for (const name of parts) await add(`CPU ms: ${name}`, around.processes[name].processId);
  const half = halfOf(around);
  for (const id of await processesOf(around.server.folder)) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    if (line.includes('temporal-server')) await add('CPU ms: Temporal', id);
    // Like: postgres: user database 127.0.0.1(40000) idle
    if (line.startsWith('postgres: '))
      await add(`CPU ms: Postgres, ${half(line.split(' ')[2] ?? '') ?? 'its own work'}`, id);
  }
  return Object.fromEntries(used);
}
