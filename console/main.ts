#!/usr/bin/env node
// The process entry of the console; with `user <name> <roles>` it makes a line for the file of its users.
import { readFileSync } from 'node:fs';
import { takeSecretsFromFiles } from '../shared/settings/secret-files.ts';
import { programLog } from '../shared/terminal/program-log.ts';
import { shutdownSignal } from '../shared/terminal/shutdown-signal.ts';
import { processTerminal, write } from '../shared/terminal/terminal.ts';
import { startConsole } from './run.ts';
import { readConsoleSettings } from './settings.ts';
import { newUserLine } from './sign-in/new-user.ts';

try {
  const [command, ...args] = process.argv.slice(2);
  if (command === 'user') await makeUser(args);
  else if (command === undefined) await serve();
  else throw new Error(`${command} is not a command; expected none, or user <name> <roles>`);
} catch (error) {
  processTerminal('lockerflow-console').complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function makeUser([name = '', roles = '', ...rest]: readonly string[]): Promise<void> {
  if (rest.length > 0 || name === '' || roles === '')
    throw new Error('expected user <name> <roles>, like: user anna look,decide');
  write(`${await newUserLine(name, roles, process.stdin, process.stderr)}\n`);
}

async function serve(): Promise<void> {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  const settings = readConsoleSettings(process.env);
  const { log, written } = programLog('console', settings.logLevel);
  const running = await startConsole(settings, process.env, log);
  log.info({ address: running.address }, 'console started');
  await shutdownSignal();
  await running.stop();
  log.info('console stopped');
  await written();
  process.exit();
}
