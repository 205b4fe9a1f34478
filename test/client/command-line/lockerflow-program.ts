// The command line as people run it: the real program as a process of its own, against the run's Temporal server.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const program = fileURLToPath(new URL('../../../client/command-line/lockerflow.mjs', import.meta.url));

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
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env.PATH,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      // Nothing of whoever runs the tests.
      TEMPORAL_CONFIG_FILE: '/nonexistent',
      NODE_NO_WARNINGS: '1',
      ...(taskQueue !== undefined && { LOCKERFLOW_TASK_QUEUE: taskQueue }),
      ...variables,
    },
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  child.stdin.end(input ?? '');
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { ended, out: () => out, interrupt: () => void child.kill('SIGINT') };
}

export const run = (words: readonly string[], setting?: Setting): Promise<Ran> =>
  startProgram(words, setting).ended;

/** The JSON of a command that must succeed. */
export async function told<Value>(words: readonly string[], setting?: Setting): Promise<Value> {
  const { code, out, err } = await run([...words, '--json'], setting);
  if (code !== 0) throw new Error(`lockerflow ${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as Value;
}
