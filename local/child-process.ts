// Starts every process of local/, scripts/ and test/, and keeps what each says. None outlives this process, even when
// this one is killed: a shell stands between the two. It ends the program when the lifeline between them closes, and the
// kernel closes that in any end of this process.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** So many characters are kept of what the program said first, and of what it said last: the reason of a failure is
 *  in one of the two, and a long stack is between them. */
const KEPT_LENGTH = 4_000;

/** Far longer than any program takes on a busy machine: only what never comes reaches it. */
const SAYS_WITHIN_MS = 180_000;

// $1 is the signal that asks the program to stop, $2 the seconds it has for that, $3 the folder to remove when the
// program has ended, or nothing; the rest is the program. The shell ends with it, so its exit is the program's exit; the
// guard does too, for its number may be another program's later.
// Descriptor 3 is for the program's number, 4 is the lifeline, 5 the channel of Node's messages where there is one. A
// background command reads from /dev/null unless told otherwise: hence descriptor 6. The shell may say the number, and how the
// program ended, when nobody reads it any more: hence the trap, which comes after the program's start, for it would inherit it.
// The program's PATH may lack the system's own programs: hence command -p.
const SHELL = `
exec 6<&0
signal=$1 seconds=$2 scratch=$3
shift 3
"$@" <&6 3>&- 4<&- 6<&- &
program=$!
trap '' PIPE
exec 5>&- 6<&-
echo $program >&3
exec 3>&-
{ read -r _ <&4; kill -s "$signal" $program; command -p sleep "$seconds"; kill -s KILL $program; } >/dev/null 2>&1 &
guard=$!
wait $program
code=$?
kill $guard
[ -z "$scratch" ] || command -p rm -rf "$scratch"
exit $code`;

export interface ChildOptions {
  /** This process's environment if not given. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user that runs it: the user of this process if not given. */
  readonly uid?: number;
  readonly gid?: number;
  readonly stopSignal?: 'TERM' | 'INT' | 'KILL';
  /** Killed if it has not stopped by then: 10, if not given, is longer than Temporal and Postgres take. */
  readonly stopWithinSeconds?: number;
  /** Removed when the program has ended, even if this process is gone by then; not after `kill`. */
  readonly scratchFolder?: string;
  /** All that it reads; `open`: what is written to its stdin. Nothing if not given. */
  readonly input?: string | 'open';
  /** Gets all its output that is read here. */
  readonly log?: NodeJS.WritableStream;
  /** An open file that its output goes to, unread. */
  readonly outputFile?: number;
  /** True: its errors go to those of this process, unread. */
  readonly showsErrors?: boolean;
  /** True: a program of Node that sends and takes messages. */
  readonly hasChannel?: boolean;
  /** Characters that are kept of the beginning of its output, and of its end. */
  readonly keptLength?: number;
}

/** What is known of every program that was started, whatever it serves. */
export interface Running {
  /** Resolves, with its first and last output, when the program has ended for any reason. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends the program, gently first, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Kills it at once, as if the machine failed; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface Child extends Running, AsyncDisposable {
  /** The id of the program itself; NaN if it could not be started. */
  readonly processId: Promise<number>;
  /** As a shell gives it: 128 and the signal's number if a signal has ended it. Never rejects. */
  readonly exitCode: Promise<number>;
  hasEnded(): boolean;
  /** What is kept of its output, of its errors, and of both in the order in which they came. */
  out(): string;
  err(): string;
  said(): string;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** What `look` finds first, asked again with each output; rejects with what was said if the program ends before, or says nothing
   *  of it in time. */
  until<Found>(look: () => Found | undefined | false, withinMs?: number): Promise<Found>;
  says(text: string): Promise<unknown>;
  /** The line of its log (pino's) that has this message. */
  logged(message: string): Promise<Readonly<Record<string, unknown>>>;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** The next of its messages; rejects if the program ends before, or sends none in time. */
  message(): Promise<unknown>;
  /** To the program itself, unless it has ended. */
  signal(name: NodeJS.Signals): Promise<void>;
}

/** On the Node of this process, in the folder of the project if not told otherwise: `startNode(['worker/main.ts'])`. */
export function startNode(args: readonly string[], options: ChildOptions = {}): Child {
  return startChild(process.execPath, args, { cwd: join(import.meta.dirname, '..'), ...options });
}

export function startChild(program: string, args: readonly string[], options: ChildOptions = {}): Child {
  const { stopSignal = 'TERM', stopWithinSeconds = 10, scratchFolder = '', log, input, ...others } = options;
  const { outputFile = 'pipe', showsErrors = false, hasChannel = false, keptLength, ...as } = others;
  // Detached, in a process group of its own: a Ctrl-C in the terminal reaches this process alone, which knows the
  // order in which to stop things; and the group can be killed as one.
  const given = [stopSignal, String(stopWithinSeconds), scratchFolder];
  const shell = spawn('/bin/sh', ['-c', SHELL, 'sh', ...given, program, ...args], {
    ...as,
    detached: true,
    stdio: [
      ...([input === undefined ? 'ignore' : 'pipe', outputFile, showsErrors ? 'inherit' : 'pipe'] as const),
      ...(['pipe', 'pipe', hasChannel ? 'ipc' : 'ignore'] as const),
    ],
  });
  const [, , , numberPipe, lifeline] = shell.stdio;
  // What it does not read any more is lost with it.
  shell.stdin?.on('error', () => undefined);
  if (input !== undefined && input !== 'open') shell.stdin?.end(input);
  const { out, err, said, more } = outputOf(shell, keptLength, log);
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    const end = (words: string) => {
      hasEnded = true;
      resolve(words);
    };
    shell.on('error', (error) => end(error.message));
    // The rest of the group: the waiting half of the shell, or the program if the shell was killed.
    shell.on('exit', () => killGroup(shell.pid));
    shell.on('close', () => end(said().trim()));
  });
  const command = [program, ...args].join(' ');
  const failed = ended.then((words): never => {
    throw new Error(`${command} has ended: ${words || '(it said nothing)'}`);
  });
  failed.catch(() => undefined);
  // Where there is no shell, `ended` tells why.
  const processId = numberIn(numberPipe).catch(() => Number.NaN);
  const within = limitsOf(command, said, failed);
  const until = <Found>(
    look: () => Found | undefined | false,
    withinMs = SAYS_WITHIN_MS,
    what = `what ${look} looks for`,
  ): Promise<Found> => within(withinMs, `said ${what}`, (over) => untilFound(look, more, over));
  async function kill(): Promise<void> {
    killGroup(shell.pid);
    await ended;
  }
  return {
    processId,
    ended,
    exitCode: ended.then(() => shell.exitCode ?? 128 + 9),
    hasEnded: () => hasEnded,
    out,
    err,
    said,
    stdin: shell.stdin,
    stdout: shell.stdout,
    stderr: shell.stderr,
    until,
    says: (words) => until(() => said().includes(words), SAYS_WITHIN_MS, JSON.stringify(words)),
    logged: (message) => until(() => logLine(out(), message), SAYS_WITHIN_MS, JSON.stringify(message)),
    send: (message) => void shell.send(message as object, () => undefined),
    onMessage: (listener) => void shell.on('message', listener),
    message: () => within(SAYS_WITHIN_MS, 'sent a message', (over) => messageOf(shell, over)),
    async signal(name) {
      if (!hasEnded) send(await processId, name);
    },
    async stop() {
      if (lifeline instanceof Readable) lifeline.destroy();
      await ended;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/** Gives what `work` gives, unless the program ends before, or the time is over. */
function limitsOf(command: string, said: () => string, failed: Promise<never>) {
  return async <Value>(withinMs: number, what: string, work: (over: AbortSignal) => Promise<Value>) => {
    try {
      return await Promise.race([work(AbortSignal.timeout(withinMs)), failed]);
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
      const words = said().trim() || '(it said nothing)';
      throw new Error(`${command} has not ${what} within ${withinMs / 1_000} s: ${words}`, { cause: error });
    }
  };
}

async function untilFound<Found>(
  look: () => Found | undefined | false,
  more: EventEmitter,
  signal: AbortSignal,
): Promise<Found> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await once(more, 'more', { signal });
  }
}

const messageOf = async (shell: ChildProcess, signal: AbortSignal): Promise<unknown> =>
  (await once(shell, 'message', { signal }))[0];

/** Keeps its output as it comes; `more` says each time that there is more of it. */
function outputOf({ stdout, stderr }: ChildProcess, keptLength?: number, log?: NodeJS.WritableStream) {
  const [out, err, said] = [keepEnds(keptLength), keepEnds(keptLength), keepEnds(keptLength)];
  const more = new EventEmitter();
  for (const [stream, own] of [[stdout, out] as const, [stderr, err] as const])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      own.add(chunk);
      said.add(chunk);
      log?.write(chunk);
      more.emit('more');
    });
  return { out: out.text, err: err.text, said: said.text, more };
}

/** Resolves with undefined once it is ready, or with what it said if it ended before; one that is not ready in time is stopped. */
export async function untilReady(
  { hasEnded, ended, stop }: Pick<Child, 'hasEnded' | 'ended' | 'stop'>,
  isReady: () => Promise<boolean>,
  withinMs = 60_000,
): Promise<string | undefined> {
  const deadline = performance.now() + withinMs;
  while (!hasEnded()) {
    if (await isReady()) return undefined;
    if (performance.now() > deadline) {
      await stop();
      return `it was not ready after ${withinMs / 1_000} s: ${await ended}`;
    }
    await delay(20);
  }
  return await ended;
}

/** Whether the process at this address says that it is ready. */
export async function saysReady(address: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${address}/health/ready`);
    return ok;
  } catch {
    // It does not listen yet. The caller has the deadline.
    return false;
  }
}

function keepEnds(length = KEPT_LENGTH): { add(said: string): void; text(): string } {
  let first = '';
  let last = '';
  let cut = false;
  return {
    add(said) {
      const room = length - first.length;
      first += said.slice(0, room);
      const rest = last + said.slice(room);
      cut ||= rest.length > length;
      last = rest.slice(-length);
    },
    text: () => `${first}${cut ? '\n[...]\n' : ''}${last}`,
  };
}

/** The first whole line with this message; undefined if there is none yet. */
function logLine(out: string, message: string): Record<string, unknown> | undefined {
  const lines = out.split('\n').slice(0, -1);
  const line = lines.find((each) => each.includes(`"msg":"${message}"`));
  return line === undefined ? undefined : JSON.parse(line);
}

async function numberIn(stream: unknown): Promise<number> {
  return stream instanceof Readable ? Number.parseInt(await text(stream), 10) : Number.NaN;
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) send(-pid, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
