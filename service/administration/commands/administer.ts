// Runs one administrative command: a connection, a schema that is current, one transaction, one report.

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Kysely, Transaction } from 'kysely';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { type Report, report } from '../../../shared/terminal/report.ts';
import { table } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
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
    // While Postgres commits, only its answer says whether the work is done.
    const outcome = await atDatabase(terminal, whole, () => (isCommitting ? undefined : interruptedBefore));
    report(terminal, command, outcome);
  };

export const administerInStepsAt =
  (terminal: Terminal): AdministerInSteps =>
  async (command, work) =>
    report(terminal, command, await atDatabase(terminal, work, () => interruptedBetween));

const interruptedBefore = new CommandFailed('interrupted', 'interrupted; nothing was changed');
const interruptedBetween = new CommandFailed('interrupted', 'interrupted; what was done before stays done');

/** @param interruption the failure to report on Ctrl-C; undefined if Ctrl-C must wait for the end */
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
    // The connection may wait for a lock; after Ctrl-C the operator does not wait for it.
    const closed = database.destroy();
    if (!terminal.interrupted.aborted) await closed;
  }
}

/** Open connections end with the process; Postgres rolls back uncommitted work. */
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

/** Writes an operator's change into the audit log of the tenant, in the transaction of the change. */
export async function auditCommand(
  database: Kysely<Database>,
  command: Command,
  tenantId: number,
  uids: readonly string[] = [],
): Promise<void> {
  const operation = `${command.parent?.name()} ${command.name()}`;
  const noClient = { clientId: null, onBehalfOf: null, why: null };
  const entry = { tenantId, ...noClient, operation, uids, outcome: SUCCESS, requestId: randomUUID() };
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
  readonly text: Report['text'];
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
  (tenantUid: string, ...args: [...Given, Command]): Promise<void> => {
    const command = args.at(-1) as Command;
    return administer(command, async (transaction) => {
      const tenantId = await tenantIdOf(transaction, tenantUid);
      const tenant = { transaction, tenantId, tenantUid };
      const { changed, ...report } = await work(tenant, ...(args.slice(0, -1) as Given));
      if (changed) await auditCommand(transaction, command, tenantId, changed);
      return { text: report.text, data: { tenantUid, ...report.data } };
    });
  };

/** A table for a person; without rows, words that say so. */
export const rowsOr = (
  none: string,
  headings: string[],
  rows: readonly (readonly string[])[],
): Report['text'] => (rows.length > 0 ? table(headings, rows) : none);
