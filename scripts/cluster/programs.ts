// The programs of the cluster that npm does not have: Temporal's production server, the tool for its tables, its Web UI, and
// the balancer. Each is built from the Go module proxy once, into the cache folder that all clones of this user share.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { withFileLock } from '../../local/file-lock.mjs';
import { buildWithGo, type GoProgram } from '../../local/temporal/go-build.ts';
import { isExecutable, putInCache, type SourceContext } from '../../local/temporal/program.ts';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';

const SERVER = 'v1.32.0';

const wanted = {
  temporalServer: {
    file: 'temporal-server',
    words: `temporal-server ${SERVER}`,
    command: 'go.temporal.io/server/cmd/server',
    version: SERVER,
    minutes: 3,
  },
  temporalTables: {
    file: 'temporal-sql-tool',
    words: `temporal-sql-tool ${SERVER}`,
    command: 'go.temporal.io/server/cmd/tools/sql',
    version: SERVER,
    minutes: 1,
  },
  temporalUi: {
    file: 'temporal-ui',
    words: 'temporal-ui v2.54.1',
    command: 'github.com/temporalio/ui-server/v2/cmd/server',
    version: 'v2.54.1',
    minutes: 1,
  },
  balancer: {
    file: 'caddy',
    words: 'caddy v2.11.9',
    command: 'github.com/caddyserver/caddy/v2/cmd/caddy',
    version: 'v2.11.9',
    minutes: 2,
  },
} as const satisfies Record<string, GoProgram & { file: string }>;

export type ClusterPrograms = Readonly<Record<keyof typeof wanted, string>>;
type ClusterProgram = keyof typeof wanted;
type Environment = Readonly<Record<string, string | undefined>>;

const names = Object.keys(wanted) as ClusterProgram[];

export const releaseOf = (name: ClusterProgram): string => wanted[name].version;

export function cachedPrograms(env: Environment = process.env): ClusterPrograms {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const pathOf = ({ file, version }: (typeof wanted)[ClusterProgram]) =>
    join(cacheFolder(env), `${file}-${version}-${process.platform}-${process.arch}${ending}`);
  return Object.fromEntries(names.map((name) => [name, pathOf(wanted[name])])) as Record<
    ClusterProgram,
    string
  >;
}

/** Those that are not in the cache yet, by the names of their files. */
export async function missingPrograms(env: Environment = process.env): Promise<ClusterProgram[]> {
  const paths = cachedPrograms(env);
  const found = await Promise.all(names.map((name) => isExecutable(paths[name])));
  return names.filter((_, index) => !found[index]);
}

/** Builds what is missing, one after the other: a Go build takes all cores by itself. */
export async function obtainClusterPrograms(context: SourceContext): Promise<ClusterPrograms> {
  const paths = cachedPrograms(context.env);
  const missing = await missingPrograms(context.env);
  if (missing.length > 0)
    context.say(
      `${missing.length} programs are to be built, once: ${missing.map((name) => wanted[name].words).join(', ')}; ` +
        `about ${totalMinutes(missing)} min on two cores (this machine has ${availableParallelism()})`,
    );
  for (const [index, name] of missing.entries()) {
    const say = (line: string) => context.say(`${index + 1} of ${missing.length}: ${line}`);
    await withFileLock(
      `${paths[name]}.lock`,
      () => obtain(wanted[name], paths[name], { ...context, say }),
      () => say(`another start is building ${wanted[name].words}; waiting for it`),
    );
  }
  return paths;
}

const totalMinutes = (missing: readonly ClusterProgram[]): number =>
  missing.reduce((sum, name) => sum + wanted[name].minutes, 0);

async function obtain(program: GoProgram, cached: string, context: SourceContext): Promise<void> {
  if (await isExecutable(cached)) return;
  try {
    await putInCache(cached, (folder) => buildWithGo(program, folder, context));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${program.words} cannot be built: ${reason}; the cluster needs Go and its module proxy`,
      {
        cause,
      },
    );
  }
}
