// The process entry of the service.
import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { takeSecretsFromFiles } from '../settings/secret-files.ts';
import { runCommand } from './command-line.ts';

try {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  await runCommand(process.argv.slice(2), {
    variables: process.env,
    write: (text) => process.stdout.write(text),
  });
} catch (error) {
  // Help and version are thrown too, with exit code 0: they were written already.
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(0);
  process.stderr.write(`lockerflow-service: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
