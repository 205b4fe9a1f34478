// The process entry of the service.
import { readFileSync } from 'node:fs';
import { takeSecretsFromFiles } from '../shared/settings/secret-files.ts';
import { exitCodes } from '../shared/terminal/exit-codes.ts';
import { endProcess, processTerminal } from '../shared/terminal/terminal.ts';
import { keepCompiled } from '../shared/terminal/user-cache.ts';

keepCompiled(process.env);
const { failureMessage } = await import('./administration/commands/failure-messages.ts');
const { runCommandLine } = await import('./command-line.ts');

const terminal = processTerminal('lockerflow-service');
endProcess(withSecrets() ? await runCommandLine(process.argv.slice(2), terminal) : exitCodes.wrongUse);

function withSecrets(): boolean {
  try {
    takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
    return true;
  } catch (error) {
    terminal.complain(failureMessage(error).text ?? '');
    return false;
  }
}
