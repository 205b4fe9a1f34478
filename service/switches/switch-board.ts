// The stored switches of every tenant. Each process has one board for all its parts. In production no tenant can change
// a switch.
import type { Kysely } from 'kysely';
import type { Database } from '../storage/database.ts';
import { asTheyCome, type Switches, switches } from './switches.ts';

// How long another process may use the old switches; this process knows new ones at once.
const DELAY_MS = 1_000;

export class SwitchBoard {
  readonly #database: Kysely<Database>;
  readonly #staging: boolean;
  readonly #known = new Map<number, { readonly switches: Switches; readonly readAt: number }>();

  constructor(database: Kysely<Database>, mode: 'staging' | 'production') {
    this.#database = database;
    this.#staging = mode === 'staging';
  }

  async of(tenantId: number): Promise<Switches> {
    if (!this.#staging) return asTheyCome;
    const known = this.#known.get(tenantId);
    if (known && performance.now() - known.readAt < DELAY_MS) return known.switches;
    const row = await this.#database
      .selectFrom('sandbox_switches')
      .select('switches')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    return this.#keep(tenantId, row ? switches.parse(row.switches) : asTheyCome);
  }

  async set(tenantId: number, changed: Switches): Promise<void> {
    const stored = JSON.stringify(changed);
    await this.#database
      .insertInto('sandbox_switches')
      .values({ tenant_id: tenantId, switches: stored })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ switches: stored }))
      .execute();
    this.#keep(tenantId, changed);
  }

  #keep(tenantId: number, read: Switches): Switches {
    this.#known.set(tenantId, { switches: read, readAt: performance.now() });
    return read;
  }
}
