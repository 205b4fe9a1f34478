// The process entry of the service.
import { readFileSync } from 'node:fs';
import { takeSecretsFromFiles } from '../settings/secret-files.ts';
import { commandFailure } from './administration/commands/exit-codes.ts';
import { runCommand } from './command-line.ts';

try {
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  await runCommand(process.argv.slice(2), {
    variables: process.env,
    write: (text) => process.stdout.write(text),
  });
} catch (error) {
  const { exitCode, words } = commandFailure(error);
  if (words !== null) process.stderr.write(`lockerflow-service: ${words}\n`);
  process.exit(exitCode);
}
