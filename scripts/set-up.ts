// The part of the set-up that needs the dependencies: obtains the Temporal program, and builds the console's page where
// its sources have changed. Run by with-set-up.mjs.
import { join } from 'node:path';
import { buildPage, isPageBuilt } from '../console/build-page.ts';
import { withFileLock } from '../local/file-lock.mjs';
import { obtainTemporalProgram } from '../local/temporal/obtain.ts';
import { processTerminal } from '../shared/terminal/terminal.ts';

const { complain: say } = processTerminal('lockerflow');

try {
  await obtainTemporalProgram({ env: process.env, say });
  if (!isPageBuilt()) await buildPageOnce();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function buildPageOnce(): Promise<void> {
  const lock = join(import.meta.dirname, '../.lockerflow/page.lock');
  await withFileLock(lock, async () => {
    if (isPageBuilt()) return;
    say("building the console's page");
    await buildPage();
  });
}
