// Writes an operator's change into the audit log of the tenant, in the transaction of the change.
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Kysely } from 'kysely';
import { insertAuditEntry, SUCCESS } from '../../audit/audit-entry.ts';
import type { Database } from '../../storage/database.ts';

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
