#!/usr/bin/env node
// The process entry of `lockerflow`.
import { readFileSync } from 'node:fs';
import { takeSecretsFromFiles } from '../shared/settings/secret-files.ts';
import { exitCodes } from '../shared/terminal/exit-codes.ts';
import { endProcess, processTerminal } from '../shared/terminal/terminal.ts';
import { keepCompiled } from '../shared/terminal/user-cache.ts';
import { takeRunningInstallation } from './running-installation.ts';

keepCompiled(process.env);
const { runCommandLine } = await import('./command-line.ts');

const terminal = processTerminal('lockerflow');
endProcess(
  (await withSecrets()) ? await runCommandLine(process.argv.slice(2), terminal) : exitCodes.wrongUse,
);

async function withSecrets(): Promise<boolean> {
  try {
    takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
    takeRunningInstallation(process.env);
    return true;
  } catch (error) {
    const { failureMessage } = await import('./failure-messages.ts');
    terminal.complain(failureMessage(error).text ?? '');
    return false;
  }
}
