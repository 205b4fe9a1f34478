// The command line of the service: serve, or administer. Each group of verbs has its own file.
import type { Command } from 'commander';
import { addYesOption, type ConfirmOptions, confirm } from '../shared/terminal/confirm.ts';
import {
  CommandFailed,
  type ExitCode,
  type ExitCodeMeanings,
  wrongUse,
} from '../shared/terminal/exit-codes.ts';
import { newProgram, runProgram } from '../shared/terminal/program.ts';
import { report } from '../shared/terminal/report.ts';
import type { Terminal } from '../shared/terminal/terminal.ts';
import {
  type Administer,
  administerAt,
  administerInStepsAt,
  orInterrupted,
} from './administration/commands/administer.ts';
import { addCallbackCommands } from './administration/commands/callback-commands.ts';
import {
  addClientCommands,
  addTenantCommands,
  addWallCommands,
} from './administration/commands/client-commands.ts';
import { failureMessage } from './administration/commands/failure-messages.ts';
import { addEncryptionKeyCommands, addSigningKeyCommands } from './administration/commands/key-commands.ts';
import { addLockerCommands, addPickUpPointCommands } from './administration/commands/locker-commands.ts';
import { endProductionUse } from './production-use.ts';
import { readSettings } from './settings.ts';
import { migrate } from './storage/migrate.ts';

const EXIT_CODES: ExitCodeMeanings = {
  done: 'done',
  failed: 'the command was refused or failed; nothing was changed',
  wrongUse: 'wrong use: an argument, an option or a setting is wrong, and nothing was done',
  notFound: 'there is no such tenant, client, pick up point, locker or shipment',
  unreachable: 'Postgres cannot be reached; try again later',
  interrupted: 'Ctrl-C',
};

/** Runs one command to its end and gives its exit code; never throws. */
export const runCommandLine = (args: readonly string[], terminal: Terminal): Promise<ExitCode> =>
  runProgram(commandLine(terminal), args, terminal, failureMessage);

export function commandLine(terminal: Terminal): Command {
  const program = newProgram(
    {
      name: 'lockerflow-service',
      description:
        'The locker service. Settings are environment variables; every command needs DATABASE_URL.',
      meanings: EXIT_CODES,
    },
    terminal,
  );
  const administer = administerAt(terminal);
  addServing(program, terminal);
  addStagingPermission(program, administer, terminal);
  addTenantCommands(program, administer);
  addClientCommands(program, administer, terminal);
  addPickUpPointCommands(program, administer);
  addWallCommands(program, administer);
  addLockerCommands(program, administer);
  addCallbackCommands(program, administer, administerInStepsAt(terminal), terminal);
  addSigningKeyCommands(program, administer, terminal);
  addEncryptionKeyCommands(program, administer, terminal);
  return program;
}

function addServing(program: Command, terminal: Terminal): void {
  program
    .command('serve', { isDefault: true })
    .description('run the service until SIGINT or SIGTERM; this is what no command at all does')
    // Commander calls this action for an unknown command too.
    .allowExcessArguments()
    .action(async (_options, { args: [unknown] }: Command) => {
      if (unknown !== undefined) throw wrongUse(`there is no command ${unknown}; see --help`);
      // Imported only here: other commands would have to load the whole server.
      const { runService } = await import('./run.ts');
      await runService(terminal.variables);
    });

  program
    .command('migrate')
    .description('bring the schema of the database up to date, as serve does when it starts')
    .action(async (_options, command: Command) => {
      const migrating = migrate(readSettings(terminal.variables).databaseUrl);
      const applied = await orInterrupted(terminal, migrating, () => interruptedMigration);
      const text = applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the schema was up to date';
      report(terminal, command, { text, data: { applied } });
    });
}

function addStagingPermission(program: Command, administer: Administer, terminal: Terminal): void {
  addYesOption(
    program
      .command('allow-staging')
      .description('let a service in staging start on a database that has served production'),
  ).action(async (options: ConfirmOptions, command: Command) => {
    await confirm(terminal, command, options, 'let staging make clients with publicly known secrets here?');
    await administer(command, async (transaction) => {
      const wasMarked = await endProductionUse(transaction);
      const text = wasMarked
        ? 'a service in staging may start on this database'
        : 'this database has not served production: staging may start on it anyhow';
      return { text, data: { wasMarked } };
    });
  });
}

const interruptedMigration = new CommandFailed(
  'interrupted',
  'interrupted; the migrations that were applied before stay applied, and migrate goes on after them',
);
