// The command line against a Temporal server: the real program as a process of its own where its signals, its terminal or
// the variables of Node matter, and else within the test's process, which spares the start of Node for each command.
import { fileURLToPath } from 'node:url';
import { inject, vi } from 'vitest';
import { runCommandLine } from '../../cli/command-line.ts';
import { nowhere } from '../support/nowhere.ts';
import { nodeProgram } from '../support/processes/node-program.ts';

const program = fileURLToPath(new URL('../../cli/lockerflow.mjs', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** Everything it has written so far. */
  out(): string;
  interrupt(): void;
  kill(): void;
}

export interface Setting {
  readonly taskQueue?: string;
  readonly input?: string;
  /** Undefined: not even what every command of the tests has. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

export function startProgram(
  words: readonly string[],
  { taskQueue, input, variables }: Setting = {},
): Running {
  const child = nodeProgram([program, ...words], {
    variables: {
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      ...(taskQueue !== undefined && { LOCKERFLOW_TASK_QUEUE: taskQueue }),
      ...variables,
    },
    input: input ?? '',
  });
  const ended = child.exitCode.then((code) => ({ code, out: child.out(), err: child.err() }));
  return {
    ended,
    out: child.out,
    interrupt: () => void child.signal('SIGINT'),
    kill: () => void child.signal('SIGKILL'),
  };
}

/** A command reads these when it runs. Others are read once in a process, or before the command line gets them. */
const READ_BY_COMMANDS =
  /^(LOCKER_(?!.*_FILE$).*|LOCKERFLOW_HOME|LOCKERFLOW_PAYLOAD_KEYS|WALL_URL|TEMPORAL_.*)$/;

export const run = (words: readonly string[], setting: Setting = {}): Promise<Ran> =>
  Object.keys(setting.variables ?? {}).every((name) => READ_BY_COMMANDS.test(name))
    ? runHere(words, setting)
    : runProcess(words, setting);

export const runProcess = (words: readonly string[], setting?: Setting): Promise<Ran> =>
  startProgram(words, setting).ended;

/** Temporal's library and the codec take these from the process. */
function setOfProcess(variables: Setting['variables'] = {}): void {
  const isOurs = (name: string) => name.startsWith('TEMPORAL_') || name === 'LOCKERFLOW_PAYLOAD_KEYS';
  for (const name of Object.keys(process.env)) if (isOurs(name)) vi.stubEnv(name, undefined);
  const all = {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_CONFIG_FILE: '/nonexistent',
    ...variables,
  };
  for (const [name, value] of Object.entries(all))
    if (isOurs(name) && value !== undefined) vi.stubEnv(name, value);
}

async function runHere(
  words: readonly string[],
  { taskQueue, input = '', variables }: Setting,
): Promise<Ran> {
  setOfProcess(variables);
  let out = '';
  let err = '';
  const code = await runCommandLine(words, {
    ...nowhere,
    // Nothing listens there: no service of whoever runs the tests is asked.
    variables: { LOCKERFLOW_TASK_QUEUE: taskQueue, SERVICE_PORT: '1', ...variables },
    write: (text) => {
      out += text;
    },
    complain: (line) => {
      err += `lockerflow: ${line}\n`;
    },
    read: async () => input,
  });
  return { code, out, err };
}

/** The commands of a file that has a namespace of its own. */
export function commandsIn(namespace: string): { run: typeof run; runJson: typeof runJson } {
  const within = (setting: Setting = {}): Setting => ({
    ...setting,
    variables: { TEMPORAL_NAMESPACE: namespace, ...setting.variables },
  });
  return {
    run: (words, setting) => run(words, within(setting)),
    runJson: (words, setting) => runJson(words, within(setting)),
  };
}

/** The JSON of a command that must succeed. */
export async function runJson<Value>(words: readonly string[], setting?: Setting): Promise<Value> {
  const { code, out, err } = await run([...words, '--json'], setting);
  if (code !== 0) throw new Error(`lockerflow ${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as Value;
}
