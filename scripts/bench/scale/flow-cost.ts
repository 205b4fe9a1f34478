// What one flow costs to its end, with its bookings, callbacks and doors: events and bytes of its history, statements,
// transactions and rows of each database, what Postgres has logged, Temporal's actions, and the processors. What lies between
// two looks is what was done between them, without what goes on while no flow runs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databases } from '../../cluster/temporal/databases.ts';
import { runConcurrently } from '../measure.ts';
import { keptInPostgres, processesOf, query, usedBy } from '../used.ts';
import { type Installation, ISSUE, LOAN, playIssue, playLoan, stocked } from './installation.ts';

const LANES = 4;
/** Postgres logs each statement of so many. */
const LOGGED = 20;
const PLACE = 'bench-1';
// A connection of Postgres that does nothing tells its counts after 10 s at the latest.
const TOLD_AFTER_MS = 11_000;

type Figures = Record<string, number>;
/** By the name of the database; undefined for those of Postgres itself. */
type Half = (database: string) => 'service' | 'Temporal' | undefined;

/** They give the workflow ids. */
const kinds = {
  [ISSUE]: (on: Installation) => playIssue(on, PLACE),
  [LOAN]: async (on: Installation) => {
    // A device that came back is stock for the next user.
    const { workflowId, stockUid } = await playLoan(on, inStock.pop() ?? (await stocked(on, PLACE)));
    inStock.push(stockUid);
    return workflowId;
  },
} as const;
const inStock: string[] = [];

export async function flowCost(kind: keyof typeof kinds, on: Installation, flows: number): Promise<Figures> {
  const ids: string[] = [];
  const play = async (count: number) => {
    ids.length = 0;
    await runConcurrently(LANES, new Array(count).fill(on), async () => ids.push(await kinds[kind](on)));
  };
  // The first ones pay for what is made once.
  await play(LANES);
  await logStatements(on, true);
  const logged = await usedByEach(on, Math.min(LOGGED, flows), play);
  await logStatements(on, false);
  const before = await kept(on);
  const each = await usedByEach(on, flows, play);
  const after = await kept(on);
  const grown = Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / flows]);
  const statements = Object.entries(logged).filter(([name]) => name.endsWith(STATEMENTS));
  return { ...(await historyOf(on, ids)), ...each, ...Object.fromEntries([...statements, ...grown]) };
}

async function usedByEach(on: Installation, count: number, play: (count: number) => Promise<void>) {
  const idleFrom = await usedSoFar(on);
  const idleTo = await usedSoFar(on);
  await play(count);
  const after = await usedSoFar(on);
  const entries = Object.entries(after.figures).map(([name, value]) => {
    const before = idleTo.figures[name] ?? 0;
    const idlePerMs = (before - (idleFrom.figures[name] ?? 0)) / (idleTo.at - idleFrom.at);
    return [name, (value - before - idlePerMs * (after.at - idleTo.at)) / count] as const;
  });
  return Object.fromEntries(entries);
}

async function usedSoFar(on: Installation): Promise<{ readonly at: number; readonly figures: Figures }> {
  await delay(TOLD_AFTER_MS);
  const half: Half = (database) => {
    if (database === databases.temporal || database === databases.visibility) return 'Temporal';
    return new URL(on.serviceUrl).pathname === `/${database}` ? 'service' : undefined;
  };
  const all = [inPostgres(on, half), statements(on, half), actions(on), processors(on, half)];
  return { at: performance.now(), figures: Object.assign({}, ...(await Promise.all(all))) };
}

function add(figures: Figures, name: string, value: number): void {
  figures[name] = (figures[name] ?? 0) + value;
}

async function inPostgres({ serviceUrl }: Installation, half: Half): Promise<Figures> {
  const rows = await query<{ name: string; commits: string; written: string }>(
    serviceUrl,
    `select datname as name, xact_commit as commits, tup_inserted + tup_updated + tup_deleted as written
     from pg_stat_database where datname is not null`,
  );
  const log = await query<{ bytes: string }>(
    serviceUrl,
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  const figures: Figures = { 'write-ahead log of Postgres, kB': Number(log[0]?.bytes) / 1_000 };
  for (const { name, commits, written } of rows.filter((row) => half(row.name))) {
    add(figures, `database, ${half(name)}: transactions`, Number(commits));
    add(figures, `database, ${half(name)}: rows written`, Number(written));
  }
  return figures;
}

/** From now on Postgres logs each statement of each database, or no more. */
async function logStatements({ serviceUrl }: Installation, wanted: boolean): Promise<void> {
  const settings = { log_min_duration_statement: '0', log_line_prefix: "'%d '" };
  for (const [name, value] of Object.entries(settings))
    await query(serviceUrl, wanted ? `alter system set ${name} = ${value}` : `alter system reset ${name}`);
  await query(serviceUrl, 'select pg_reload_conf()');
  await delay(1_000);
}

const STATEMENTS = ': statements';

async function statements({ server }: Installation, half: Half): Promise<Figures> {
  const log = await readFile(join(server.folder, 'postgres', 'postgres.log'), 'utf8');
  const figures: Figures = {};
  for (const [, database = ''] of log.matchAll(/^(\S+) LOG: .*? ms +(?:statement|execute [^:]*): /gm))
    if (half(database)) add(figures, `database, ${half(database)}${STATEMENTS}`, 1);
  return figures;
}

const ACTIONS = /^action(?:_total)?\{(.*)\} (\S+)$/gm;

/**
 * What Temporal Cloud would charge for, as Temporal's server counts it: its own documentation names this metric for that
 * (docs.temporal.io, "Estimate Actions for migration"). Those of its own namespace are left out, and the questions that the
 * benchmark asks the flows.
 */
async function actions({ server }: Installation): Promise<Figures> {
  const texts = await Promise.all(server.metrics.map(async (url) => await (await fetch(url)).text()));
  const figures: Figures = {};
  for (const [, labels = '', value] of texts.flatMap((text) => [...text.matchAll(ACTIONS)])) {
    const type = /action_type="([^"]*)"/.exec(labels)?.[1] ?? 'others';
    if (/namespace="temporal-system"/.test(labels) || type === 'grpc_QueryWorkflow') continue;
    add(figures, "Temporal's actions", Number(value));
    add(figures, `Temporal's actions: ${type}`, Number(value));
  }
  return figures;
}

async function processors(on: Installation, half: Half): Promise<Figures> {
  const figures: Figures = {};
  const count = async (name: string, id: number) =>
    add(figures, `CPU ms: ${name}`, (await usedBy(id)).processorMs);
  for (const name of ['service', 'receiver', 'worker'] as const) await count(name, on[name].processId);
  for (const [id, line] of await processesOf(on.server.folder)) {
    if (line.includes('temporal-server')) await count('Temporal', id);
    // Like: postgres: user database 127.0.0.1(40000) idle
    if (line.startsWith('postgres: '))
      await count(`Postgres, ${half(line.split(' ')[2] ?? '') ?? 'its own work'}`, id);
  }
  return figures;
}

async function kept({ server, serviceUrl }: Installation): Promise<Figures> {
  const figures: Figures = {};
  const urls = { [server.urlOf('temporal')]: 'Temporal', [server.urlOf('visibility')]: 'Temporal' };
  for (const [url, name] of Object.entries({ ...urls, [serviceUrl]: 'service' })) {
    const { rows, bytes } = await keptInPostgres(url);
    add(figures, `database, ${name}: rows kept`, rows);
    add(figures, `database, ${name}: bytes kept`, bytes);
  }
  return figures;
}

async function historyOf({ server }: Installation, ids: readonly string[]): Promise<Figures> {
  const all = await Promise.all(ids.map((id) => server.client.workflow.getHandle(id).describe()));
  const mean = (figures: readonly number[]) => figures.reduce((sum, each) => sum + each, 0) / figures.length;
  return {
    'events in its history': mean(all.map(({ historyLength }) => historyLength)),
    'bytes of its history': mean(all.map(({ historySize }) => historySize ?? Number.NaN)),
  };
}
