// The command line of the service: serve, or administer what it serves. Each group of verbs is in a file of its own.
import { Command, Option } from 'commander';
import { administerAt, administerInStepsAt } from './administration/commands/administer.ts';
import { addCallbackCommands } from './administration/commands/callback-commands.ts';
import { addClientCommands } from './administration/commands/client-commands.ts';
import { addEncryptionKeyCommands } from './administration/commands/encryption-key-commands.ts';
import { EXIT_CODES, wrongUse } from './administration/commands/exit-codes.ts';
import { addLockerCommands } from './administration/commands/locker-commands.ts';
import { addPickUpPointCommands } from './administration/commands/pick-up-point-commands.ts';
import { report, type Terminal } from './administration/commands/report.ts';
import { addSigningKeyCommands } from './administration/commands/signing-key-commands.ts';
import { addTenantCommands } from './administration/commands/tenant-commands.ts';
import { readSettings } from './settings.ts';
import { migrate } from './storage/migrate.ts';

/** Throws what commander throws on a wrong command, and what the command itself throws. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<void> {
  await commandLine(terminal).parseAsync(words, { from: 'user' });
}

const json = new Option('--json', 'tell the outcome as one JSON object');

export function commandLine(terminal: Terminal): Command {
  const program = new Command('lockerflow-service')
    .description('The locker service. Settings are environment variables; every command needs DATABASE_URL.')
    .addOption(json)
    .exitOverride()
    // The message comes with the error that is thrown.
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.write, outputError: () => undefined })
    // Of the program's own options, the one that every command takes.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: ({ parent }) => (parent ? [json] : []) })
    .addHelpText('after', EXIT_CODES);
  addServing(program, terminal);
  const administer = administerAt(terminal);
  addTenantCommands(program, administer);
  addClientCommands(program, administer);
  addPickUpPointCommands(program, administer);
  addLockerCommands(program, administer);
  addCallbackCommands(program, administer, administerInStepsAt(terminal));
  addSigningKeyCommands(program, administer, terminal);
  addEncryptionKeyCommands(program, administer, terminal);
  return program;
}

function addServing(program: Command, terminal: Terminal): void {
  program
    .command('serve', { isDefault: true })
    .description('run the service until SIGINT or SIGTERM; this is what no command at all does')
    // It is also what an unknown command comes to.
    .allowExcessArguments()
    .action(async (_options, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw wrongUse(`there is no command ${unknown}`);
      // Only here: the other commands would wait for all of the server to be read.
      const { runService } = await import('./run.ts');
      await runService(terminal.variables);
    });

  program
    .command('migrate')
    .description('bring the schema of the database up to date, as serve does when it starts')
    .action(async (_options, command: Command) => {
      const applied = await migrate(readSettings(terminal.variables).databaseUrl);
      const words = applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the schema was up to date';
      report(terminal, command, { words, data: { applied } });
    });
}
