// Makes node_modules hold what package-lock.json names, by `npm ci` when it does not. Plain JavaScript
// without dependencies: it runs on any Node from 20 on, before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { withFileLock } from '../local/file-lock.mjs';

/** @param {string} folder @param {(line: string) => void} say */
export async function installDependencies(folder, say) {
  if (isInstalled(folder)) return;
  await withFileLock(
    join(folder, '.lockerflow', 'install.lock'),
    async () => {
      if (isInstalled(folder)) return;
      say('installing the locked dependencies (npm ci), about 1 min');
      await npmCi(folder);
      const missing = whatIsMissing(folder);
      if (missing !== undefined) throw new Error(`npm ci ended well, but ${missing}`);
    },
    () => say('another set-up is installing the dependencies here; waiting for it'),
  );
}

/** @param {string} folder */
export function isInstalled(folder) {
  return whatIsMissing(folder) === undefined;
}

/**
 * The first difference between the lock and what npm says it installed, or undefined. Compared by content and not
 * by a stamp of our own, so that a developer's `npm install` counts as well.
 * @param {string} folder
 * @returns {string | undefined}
 */
function whatIsMissing(folder) {
  const installedLock = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock)) return 'node_modules is missing or incomplete';
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const installed = packagesOf(installedLock);
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = installed[path];
    // An optional package is for another platform, or failed to install, which npm allows.
    if (found === undefined && !entry.optional && !entry.devOptional)
      return `${path} is not installed; remove node_modules and try again`;
    if (found !== undefined && found.integrity !== entry.integrity)
      return `${path} is not at ${entry.version}`;
  }
  if (!('node_modules/node' in wanted) || existsSync(nodeProgram(folder))) return undefined;
  return (
    `${nodeProgram(folder)} is missing: npm was told not to run install scripts. ` +
    'Run `npm ci --ignore-scripts=false` once (the scripts that may run are listed under allowScripts in package.json)'
  );
}

/** @param {string} folder */
function nodeProgram(folder) {
  return join(folder, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * @param {string} path
 * @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}>}
 */
function packagesOf(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages ?? {};
}

/**
 * Runs on the system's Node and npm: `npm ci` removes the Node under node_modules first.
 * @param {string} folder
 * @returns {Promise<void>}
 */
function npmCi(folder) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'));
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise((resolve, reject) => {
    const npm = spawn('npm', args, {
      cwd: folder,
      env: { ...process.env, PATH: path.join(delimiter) },
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    npm.on('error', (error) => reject(new Error(`npm cannot be run: ${error.message}`)));
    npm.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ci failed (${signal ?? `exit code ${code}`}); what it said is above`));
    });
  });
}
