// Runs one administrative command: a connection, a schema that is current, one transaction, one report.
import type { Command } from 'commander';
import type { Kysely, Transaction } from 'kysely';
import { readSettings } from '../../settings.ts';
import { type Database, openDatabase } from '../../storage/database.ts';
import { requireCurrentSchema } from '../../storage/migrate.ts';
import { inTransaction } from '../../storage/transaction.ts';
import { type Report, report, type Terminal } from './report.ts';

/** All of the work happens, or none of it: a command that fails has changed nothing. */
export type Administer = (
  command: Command,
  work: (transaction: Transaction<Database>) => Promise<Report>,
) => Promise<void>;

/** For what would take too long as one transaction: the work commits its steps by itself. */
export type AdministerInSteps = (
  command: Command,
  work: (database: Kysely<Database>) => Promise<Report>,
) => Promise<void>;

export const administerAt = (terminal: Terminal): Administer => {
  const inSteps = administerInStepsAt(terminal);
  return (command, work) => inSteps(command, (database) => inTransaction(database, work));
};

export const administerInStepsAt =
  (terminal: Terminal): AdministerInSteps =>
  async (command, work) => {
    const { databaseUrl } = readSettings(terminal.variables);
    const database = openDatabase({ url: databaseUrl, connections: 1, onBrokenConnection: () => undefined });
    try {
      await requireCurrentSchema(database);
      report(terminal, command, await work(database));
    } finally {
      await database.destroy();
    }
  };
