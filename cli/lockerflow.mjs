#!/usr/bin/env node
// `npx lockerflow` in a checkout, on whatever Node is at hand: the program itself is TypeScript, which the project's own
// Node runs as it is. The built package has no need of this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const program = new URL('./main.ts', import.meta.url);
const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));

if (process.features.typescript) {
  await import(program.href);
} else if (existsSync(node)) {
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both: this one must outlive the other, which ends in its own way.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
} else {
  process.stderr.write('lockerflow: this checkout is not set up yet; run npm run setup\n');
  process.exitCode = 1;
}
