// Runs a program that must not outlive this process, even when this one is killed. A shell stands between the two: it
// ends the program when its standard input closes, and the kernel closes that pipe in any end of this process.
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** So many characters are kept of what the program said first, and of what it said last: the reason of a failure is
 *  in one of the two, and a long stack is between them. */
const KEPT_LENGTH = 4_000;

// $1 is the signal that asks the program to stop, $2 the seconds it has for that, $3 the folder to remove when the
// program has ended, or nothing; the rest is the program. The shell
// ends with it, so its exit is the program's exit; the guard does too, for its number may be another program's later.
// A background command reads from /dev/null unless told otherwise: hence descriptor 4. The program's number goes to
// descriptor 3. The shell may say that, and how the program ended, when nobody reads it any more: hence the trap, which
// comes after the program's start, for it would inherit it.
const SHELL = `
exec 4<&0
signal=$1 seconds=$2 scratch=$3
shift 3
"$@" </dev/null 3>&- 4<&- &
program=$!
trap '' PIPE
echo $program >&3
exec 3>&-
{ read -r _ <&4; kill -s "$signal" $program; sleep "$seconds"; kill -s KILL $program; } >/dev/null 2>&1 &
guard=$!
wait $program
code=$?
kill $guard
[ -z "$scratch" ] || rm -rf "$scratch"
exit $code`;

export type SupervisedOptions = {
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
  /** Gets all its output that is read here. */
  readonly log?: NodeJS.WritableStream;
  /** An open file that its output goes to, unread. */
  readonly outputFile?: number;
  /** True: its errors go to those of this process, unread. */
  readonly showsErrors?: boolean;
};

export type SupervisedProcess = {
  /** Of the program itself; NaN if it could not be started. */
  readonly processId: Promise<number>;
  /** Resolves, with its first and last output, when the program has ended for any reason. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends the program, gently first, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Kills it at once, as if the machine failed; resolves when it is gone. */
  kill(): Promise<void>;
};

export function startSupervised(
  program: string,
  args: readonly string[],
  options: SupervisedOptions = {},
): SupervisedProcess {
  const { stopSignal = 'TERM', stopWithinSeconds = 10, scratchFolder = '', log, ...others } = options;
  const { outputFile = 'pipe', showsErrors = false, ...as } = others;
  // Detached, in a process group of its own: a Ctrl-C in the terminal reaches this process alone, which knows the
  // order in which to stop things; and the group can be killed as one.
  const told = [stopSignal, String(stopWithinSeconds), scratchFolder];
  const shellArgs = ['-c', SHELL, 'sh', ...told, program, ...args];
  const shell = spawn('sh', shellArgs, {
    ...as,
    detached: true,
    stdio: ['pipe', outputFile, showsErrors ? 'inherit' : 'pipe', 'pipe'],
  });
  const said = keepEnds();
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said.add(String(chunk));
      log?.write(chunk);
    });
  }
  const ended = new Promise<string>((resolve) => {
    shell.on('error', (error) => resolve(error.message));
    // The rest of the group: the waiting half of the shell, or the program if the shell was killed.
    shell.on('exit', () => killGroup(shell.pid));
    shell.on('close', () => resolve(said.text()));
  });
  return {
    // Where there is no shell, `ended` tells why.
    processId: numberIn(shell.stdio[3]).catch(() => Number.NaN),
    ended,
    async stop() {
      shell.stdin?.destroy();
      await ended;
    },
    async kill() {
      killGroup(shell.pid);
      await ended;
    },
  };
}

function keepEnds(): { add(said: string): void; text(): string } {
  let first = '';
  let last = '';
  let cut = false;
  return {
    add(said) {
      const room = KEPT_LENGTH - first.length;
      first += said.slice(0, room);
      const rest = last + said.slice(room);
      cut ||= rest.length > KEPT_LENGTH;
      last = rest.slice(-KEPT_LENGTH);
    },
    text: () => `${first}${cut ? '\n[...]\n' : ''}${last}`.trim(),
  };
}

async function numberIn(stream: unknown): Promise<number> {
  return stream instanceof Readable ? Number.parseInt(await text(stream), 10) : Number.NaN;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
