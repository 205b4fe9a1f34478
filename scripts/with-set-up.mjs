// The first thing that every npm script runs. It works on any Node from 20 on: it installs what the lock file names,
// obtains Temporal, and then runs the command given as arguments on the project's own Node. It prints nothing when
// everything is in place.
import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './dependencies.mjs';

const folder = dirname(dirname(fileURLToPath(import.meta.url)));
// What Node compiles is kept, so that programs begin sooner. In the folder of shared/terminal/user-cache.ts, which needs a newer
// Node.
const NODE_COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'lockerflow', 'compiled');
const PATH = `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;

/** @param {string} line */
function say(line) {
  console.error(`lockerflow: ${line}`);
}

/**
 * Runs a command to its end and resolves with its exit code. Signals are passed on: this process must not
 * end before the command has stopped cleanly.
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
function run([program = '', ...args], env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...process.env, PATH, NODE_COMPILE_CACHE, ...env },
      shell: process.platform === 'win32',
    });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    child.on('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

try {
  // Older ones have an npm that cannot read the lock file, and fail later with a less clear message.
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Error(`Node 20 or newer is needed to set up, this is ${process.version}`);
  }
  await installDependencies(folder, say);
  // NODE_USE_ENV_PROXY: a download behind a company's proxy goes through it.
  let code = await run(['node', join(folder, 'scripts', 'set-up.ts')], { NODE_USE_ENV_PROXY: '1' });
  const command = process.argv.slice(2);
  if (code === 0 && command.length > 0) code = await run(command);
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
