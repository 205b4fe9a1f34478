// Runs one administrative command: a connection, a schema that is current, one transaction, one report.
import type { Command } from 'commander';
import type { Kysely, Transaction } from 'kysely';
import { CommandFailed } from '../../../terminal/exit-codes.ts';
import { type Report, report } from '../../../terminal/report.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { readSettings } from '../../settings.ts';
import { type Database, openDatabase } from '../../storage/database.ts';
import { requireCurrentSchema } from '../../storage/migrate.ts';
import { inTransaction } from '../../storage/transaction.ts';

/** All of the work happens, or none of it: a command that fails or is interrupted has changed nothing. */
export type Administer = (
  command: Command,
  work: (transaction: Transaction<Database>) => Promise<Report>,
) => Promise<void>;

/** For what would take too long as one transaction: the work commits its steps by itself. */
export type AdministerInSteps = (
  command: Command,
  work: (database: Kysely<Database>) => Promise<Report>,
) => Promise<void>;

export const administerAt =
  (terminal: Terminal): Administer =>
  async (command, work) => {
    let isCommitting = false;
    const whole = (database: Kysely<Database>) =>
      inTransaction(database, async (transaction) => {
        isCommitting = false;
        const outcome = await work(transaction);
        if (terminal.interrupted.aborted) throw interruptedBefore;
        isCommitting = true;
        return outcome;
      });
    // Once Postgres commits, only its answer tells whether the work is done.
    const outcome = await atDatabase(terminal, whole, () => (isCommitting ? undefined : interruptedBefore));
    report(terminal, command, outcome);
  };

export const administerInStepsAt =
  (terminal: Terminal): AdministerInSteps =>
  async (command, work) =>
    report(terminal, command, await atDatabase(terminal, work, () => interruptedBetween));

const interruptedBefore = new CommandFailed('interrupted', 'interrupted; nothing was changed');
const interruptedBetween = new CommandFailed('interrupted', 'interrupted; what was done before stays done');

/** @param interruption what a Ctrl-C makes of it now; undefined where it has to wait for the end */
async function atDatabase(
  terminal: Terminal,
  work: (database: Kysely<Database>) => Promise<Report>,
  interruption: () => CommandFailed | undefined,
): Promise<Report> {
  const { databaseUrl } = readSettings(terminal.variables);
  const database = openDatabase({ url: databaseUrl, connections: 1, onBrokenConnection: () => undefined });
  const working = requireCurrentSchema(database).then(() => work(database));
  try {
    return await orInterrupted(terminal, working, interruption);
  } finally {
    // Its connection may wait for a lock: who has interrupted it does not wait with it.
    const closed = database.destroy();
    if (!terminal.interrupted.aborted) await closed;
  }
}

/** What is left behind is cut with the process; Postgres undoes what was not committed. */
export function orInterrupted<Value>(
  { interrupted }: Terminal,
  working: Promise<Value>,
  interruption: () => CommandFailed | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const interrupt = () => {
      const failure = interruption();
      if (failure) reject(failure);
    };
    if (interrupted.aborted) interrupt();
    interrupted.addEventListener('abort', interrupt, { once: true });
    working.then(resolve, reject);
  });
}
