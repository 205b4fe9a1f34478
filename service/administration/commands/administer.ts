// Runs one administrative command: a connection, a schema that is current, one transaction, one report.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { Kysely, Transaction } from 'kysely';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { type Report, report, type Terminal, table } from '../../../shared/terminal/terminal.ts';
import { insertAuditEntry, SUCCESS } from '../../audit/audit-entry.ts';
import { readSettings } from '../../settings.ts';
import { type Database, openDatabase } from '../../storage/database.ts';
import { requireCurrentSchema } from '../../storage/migrate.ts';
import { inTransaction } from '../../storage/transaction.ts';
import { tenantIdOf } from '../tenants.ts';
import { readUid } from './arguments.ts';

/** All of the work happens, or none of it: a failed or interrupted command has changed nothing. */
export type Administer = (
  command: Command,
  work: (transaction: Transaction<Database>) => Promise<Report>,
) => Promise<void>;

/** For work that would take too long in one transaction: it commits its steps itself. */
export type AdministerInSteps = (
  command: Command,
  work: (database: Kysely<Database>) => Promise<Report>,
) => Promise<void>;

export const administerAt =
  (terminal: Terminal): Administer =>
  (command, work) =>
    administerInStepsAt(terminal)(command, (database) => inTransaction(database, work));

export const administerInStepsAt =
  (terminal: Terminal): AdministerInSteps =>
  async (command, work) => {
    const { databaseUrl } = readSettings(terminal.variables);
    const database = openDatabase({ url: databaseUrl, connections: 1, onBrokenConnection: () => undefined });
    try {
      const working = requireCurrentSchema(database).then(() => work(database));
      report(terminal, command, await orInterrupted(terminal, working));
    } finally {
      // The connection may wait for a lock; after Ctrl-C the operator does not wait for it.
      const closed = database.destroy();
      if (!terminal.interrupted.aborted) await closed;
    }
  };

/** Open connections end with the process; Postgres rolls back what is not committed. */
export const orInterrupted = <Value>({ interrupted }: Terminal, working: Promise<Value>): Promise<Value> =>
  Promise.race([
    working,
    once(interrupted, 'abort').then(() => {
      throw new CommandFailed('interrupted', 'interrupted; what was not committed is undone');
    }),
  ]);

/** Writes an operator's change into the audit log of the tenant, in the transaction of the change. */
export async function auditCommand(
  database: Kysely<Database>,
  command: Command,
  tenantId: number,
  uids: readonly string[] = [],
): Promise<void> {
  const operation = `${command.parent?.name()} ${command.name()}`;
  const nobody = { clientId: null, onBehalfOf: null };
  const entry = { tenantId, ...nobody, operation, uids, outcome: SUCCESS, requestId: randomUUID() };
  await insertAuditEntry(entry).execute(database);
}

/** A verb that has a tenant as its first argument. */
export const tenantVerb = (group: Command, name: string, description: string, tenant = 'the tenant') =>
  group.command(name).description(description).argument('<tenantUid>', tenant, readUid);

interface Tenant {
  readonly transaction: Transaction<Database>;
  readonly tenantId: number;
  readonly tenantUid: string;
}

interface TenantReport {
  readonly words: string;
  /** Beside the tenant's uid. */
  readonly data: object;
  /** The uids for the audit log; absent if nothing was changed. */
  readonly changed?: readonly string[];
}

/** The action of a tenantVerb. The work gets the other arguments, then the options. */
export const ofTenant =
  <Given extends unknown[]>(
    administer: Administer,
    work: (tenant: Tenant, ...given: Given) => Promise<TenantReport>,
  ) =>
  (tenantUid: string, ...words: [...Given, Command]): Promise<void> => {
    const command = words.at(-1) as Command;
    return administer(command, async (transaction) => {
      const tenantId = await tenantIdOf(transaction, tenantUid);
      const tenant = { transaction, tenantId, tenantUid };
      const { changed, ...report } = await work(tenant, ...(words.slice(0, -1) as Given));
      if (changed) await auditCommand(transaction, command, tenantId, changed);
      return { words: report.words, data: { tenantUid, ...report.data } };
    });
  };

/** A table for a person; without rows, words that say so. */
export const rowsOr = (none: string, headings: string[], rows: readonly (readonly string[])[]): string =>
  rows.length > 0 ? table(headings, rows).join('\n') : none;
