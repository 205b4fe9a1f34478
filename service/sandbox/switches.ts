// What a staging tenant has switched to see how it copes with another service (assumptions: A bare vendor): extras that the interface
// does not have, and liberties that it leaves. Stored per tenant; in production all are as they come.
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type OperationName, stateCodes } from '../../contract/index.ts';
import { filledText } from '../../contract/wire/fields.ts';
import type { Database } from '../storage/database.ts';

export const switches = z.object({
  /** Extra: GetShipments, GetLocalShipments, GetCollectOnlyShipments and GetPickUpPoints. */
  getShipments: z.boolean().default(true),
  /** Extra: Idempotency-Key; when off it is ignored. */
  idempotencyKey: z.boolean().default(true),
  /** Extra: GetShipmentAccessCode. */
  accessCodes: z.boolean().default(true),
  shuffledShipmentUids: z.boolean().default(false),
  /** Callbacks with exactly the interface's fields. */
  plainCallbacks: z.boolean().default(false),
  /** Creation is told like a change of state. */
  callbackOnCreation: z.boolean().default(false),
  /** Of CreateAccount and CreateOrGetAccount: MutationConfigFailed, wherever one is to be applied. */
  mutationConfigFails: z.boolean().default(false),
  /** Our state codes to those that this tenant gets to see. */
  renamedStates: z.partialRecord(z.enum(stateCodes), filledText.max(100)).default({}),
});
export type Switches = z.infer<typeof switches>;

export const asTheyCome: Switches = switches.parse({});

export const extras: { readonly [Name in OperationName]?: 'getShipments' | 'accessCodes' } = {
  GetShipments: 'getShipments',
  GetLocalShipments: 'getShipments',
  GetCollectOnlyShipments: 'getShipments',
  GetPickUpPoints: 'getShipments',
  GetShipmentAccessCode: 'accessCodes',
};

// How long another instance may go by what was switched before; this one knows at once.
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
