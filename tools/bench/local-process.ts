// Starts our own entries for the benchmarks: none outlives the benchmark that started it.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Child, type ChildOptions, startNode } from '../../local/child-process.ts';

export interface LocalProcess {
  /** The line of its log that told that it is up. */
  readonly up: Readonly<Record<string, unknown>>;
  readonly processId: number;
  stop(): Promise<void>;
}

export interface LocalProcessOptions {
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
  /** Gets each line of its log. */
  readonly onLine?: (line: string) => void;
}

/** @param entry from the folder of this project, like service/main.ts; it is up once it logs so */
export async function startLocalProcess(
  entry: string,
  upMessage: string,
  variables: Readonly<Record<string, string>>,
  { nodeOptions = [], onLine }: LocalProcessOptions = {},
): Promise<LocalProcess> {
  const child = startEntry(entry, variables, { nodeOptions });
  if (onLine && child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
  return { up: await child.logged(upMessage), processId: await child.processId, stop: child.stop };
}

/** A worker takes half a minute if a flow does not let it go. */
const STOP_WITHIN_SECONDS = 60;

/** @param entry from the folder of this project */
export function startEntry(
  entry: string,
  variables: Readonly<Record<string, string>>,
  { nodeOptions = [], ...options }: Pick<LocalProcessOptions, 'nodeOptions'> & ChildOptions = {},
): Child {
  return startNode([...nodeOptions, entry], {
    env: { ...process.env, ...variables },
    showsErrors: true,
    stopWithinSeconds: STOP_WITHIN_SECONDS,
    ...options,
  });
}

/** One of the benchmarks' own programs, which says by a message that it is up, and answers questions by messages. */
export async function startAnswering(
  args: readonly string[],
  options: ChildOptions = {},
): Promise<AsyncDisposable & { readonly up: unknown; ask(question: string): Promise<unknown> }> {
  const child = startNode(args, { ...options, hasChannel: true, showsErrors: true });
  return {
    up: await child.message(),
    ask(question) {
      const answer = child.message();
      child.send(question);
      return answer;
    },
    [Symbol.asyncDispose]: child.stop,
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
