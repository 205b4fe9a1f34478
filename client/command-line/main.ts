// The process entry of `lockerflow`.
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './terminal.ts';

const exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
// What has been said is out first; then nothing keeps the process: a call that was interrupted would be tried again.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
