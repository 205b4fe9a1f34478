// One of our own entries as a process of its own, for one benchmark, which it does not outlive. It is up once it logs so; its
// log is read to its end, or it would wait for a reader.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  type SupervisedOptions,
  type SupervisedProcess,
  startSupervised,
} from '../local/supervised-process.ts';

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
  const log = new PassThrough();
  const running = startEntry(entry, variables, { nodeOptions, log });
  const up = await new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: log }).on('line', (line) => {
      if (line.includes(`"msg":"${upMessage}"`)) resolve(JSON.parse(line));
      else onLine(line);
    });
    void running.ended.then((said) => reject(new Error(`${entry} ended before it was up: ${said}`)));
  });
  return { up, processId: await running.processId, stop: running.stop };
}

/** A worker takes half a minute if a flow does not let it go. */
const STOP_WITHIN_SECONDS = 60;

/** @param entry from the folder of this project */
export function startEntry(
  entry: string,
  variables: Readonly<Record<string, string>>,
  {
    nodeOptions = [],
    ...output
  }: Pick<LocalProcessOptions, 'nodeOptions'> & Pick<SupervisedOptions, 'log' | 'outputFile'>,
): SupervisedProcess {
  return startSupervised(process.execPath, [...nodeOptions, join(import.meta.dirname, '..', entry)], {
    env: { ...process.env, ...variables },
    showsErrors: true,
    stopWithinSeconds: STOP_WITHIN_SECONDS,
    ...output,
  });
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
