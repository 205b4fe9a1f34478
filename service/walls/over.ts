// What is over at a wall by itself, in the tenant's audit log: it is online again, or a door that stood open is shut. With it stands
// since when it had lasted: nothing else says that afterwards.
import type { Transaction } from 'kysely';
import { SUCCESS } from '../audit/audit-entry.ts';
import type { Database } from '../storage/database.ts';
import type { ApiClient } from '../token/api-clients.ts';
import { newUid } from '../uid.ts';

// A network that comes and goes, and a restart of the service, are nothing that anybody has seen.
const OFFLINE_MS = 60_000;
/** An item is put in, or taken out, within a minute: nobody must know of that door. */
const OPEN_MS = 2 * 60_000;

const worthTelling = { WallOnline: OFFLINE_MS, DoorShut: OPEN_MS } as const;

interface Over {
  readonly operation: keyof typeof worthTelling;
  readonly uids: readonly string[];
  readonly since: Date;
  readonly at: Date;
}

export async function writeOver(
  transaction: Transaction<Database>,
  { tenantId, clientId }: Pick<ApiClient, 'tenantId' | 'clientId'>,
  { operation, uids, since, at }: Over,
): Promise<void> {
  if (at.getTime() - since.getTime() < worthTelling[operation]) return;
  await transaction
    .insertInto('audit_log')
    .values({
      tenant_id: tenantId,
      client_id: clientId,
      on_behalf_of: null,
      operation,
      uids: [...uids],
      outcome: SUCCESS,
      request_id: newUid(),
      occurred_at: at,
      lasted_since: since,
    })
    .execute();
}
