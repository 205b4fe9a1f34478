#!/usr/bin/env node
// The process entry of `lockerflow`.
import { readFileSync } from 'node:fs';
import { takeSecretsFromFiles } from '../../settings/secret-files.ts';
import { runCommandLine } from './command-line.ts';
import { exitCodes } from './exit-codes.ts';
import { failureWords } from './failure-words.ts';
import { processTerminal } from './terminal.ts';

const terminal = processTerminal();
const exitCode = withSecrets() ? await runCommandLine(process.argv.slice(2), terminal) : exitCodes.wrongUse;
// What has been said is out first; then nothing keeps the process: a call that was interrupted would be tried again.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));

function withSecrets(): boolean {
  try {
    takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
    return true;
  } catch (error) {
    terminal.complain(failureWords(error).words ?? '');
    return false;
  }
}
