// One of our own entries as a process of its own, for one benchmark. It is up once it logs so; its log is read to its end,
// or it would wait for a reader.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface LocalProcess {
  /** The line of its log that told that it is up. */
  readonly up: Readonly<Record<string, unknown>>;
  readonly processId: number;
  stop(): Promise<void>;
}

export interface LocalProcessOptions {
  /** Of Node.js. */
  readonly nodeOptions?: readonly string[];
  /** Gets each other line of its log. */
  readonly onLine?: (line: string) => void;
}

/** @param entry from the folder of this project, like service/main.ts */
export async function startLocalProcess(
  entry: string,
  upMessage: string,
  variables: Readonly<Record<string, string>>,
  { nodeOptions = [], onLine = () => undefined }: LocalProcessOptions = {},
): Promise<LocalProcess> {
  const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, '..', entry)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  });
  const up = await new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(`"msg":"${upMessage}"`)) resolve(JSON.parse(line));
      else onLine(line);
    });
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code}`)));
  });
  return {
    up,
    processId: child.pid ?? Number.NaN,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const CLOCK_TICK_MS = 10;

/** What a process has used of the processors so far, of the kernel on its behalf too; NaN where there is no /proc. */
export async function processorMs(processId: number): Promise<number> {
  const stat = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => '');
  // Behind its name, which may have blanks: the 12th and the 13th field, in clock ticks (man proc_pid_stat).
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * CLOCK_TICK_MS;
}
