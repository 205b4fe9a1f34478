// How the service behaves towards one tenant. A staging tenant may choose, to try its software against another service
// (assumptions: A bare vendor): it switches our extras off, and uses the freedom that the interface leaves.

import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type OperationName, type operations, type StateCode, stateCodes } from '../../contract/index.ts';
import { textOf } from '../../contract/wire/text.ts';
import type { Database } from '../storage/database.ts';

/** What the published interface does not describe. */
type OwnOperation = {
  [Name in OperationName]: (typeof operations)[Name]['source'] extends `assumptions: ${string}`
    ? Name
    : never;
}[OperationName];

/** The switch that takes an operation away. Null: it stays, for no flow needs it, or the interface names it. */
const extras: Readonly<Record<OwnOperation, 'getShipments' | 'accessCodes' | null>> = {
  GetShipments: 'getShipments',
  GetLocalShipments: 'getShipments',
  GetCollectOnlyShipments: 'getShipments',
  GetPickUpPoints: 'getShipments',
  GetLockers: 'getShipments',
  GetShipment: 'getShipments',
  GetShipmentObjects: 'getShipments',
  GetShipmentEvents: 'getShipments',
  GetShipmentAccessCode: 'accessCodes',
  GetAccount: null,
  GetAccountMutationConfig: null,
  ConfigureCallback: null,
  GetAuditLog: null,
  SetLockerOutOfOrder: null,
  SetLockerEmptied: null,
  OpenLocker: null,
  ReportShipmentAccess: null,
  SearchAccounts: null,
};

export const extraOf = (operation: OperationName) =>
  operation in extras ? extras[operation as OwnOperation] : null;

export const switchedOffBy = (extra: 'getShipments' | 'accessCodes'): OperationName[] =>
  (Object.keys(extras) as OwnOperation[]).filter((operation) => extras[operation] === extra);

const allBy = new Intl.ListFormat('en-GB');

export const switches = z.object({
  getShipments: z
    .boolean()
    .default(true)
    .describe(`Whether ${allBy.format(switchedOffBy('getShipments'))} exist`),
  idempotencyKey: z
    .boolean()
    .default(true)
    .describe('Whether Idempotency-Key counts; when off it is ignored'),
  accessCodes: z.boolean().default(true).describe('Whether GetShipmentAccessCode exists'),
  shuffledShipmentUids: z.boolean().default(false).describe('Whether shipmentUids come in any order'),
  plainCallbacks: z
    .boolean()
    .default(false)
    .describe(
      "Whether callbacks have exactly the published interface's fields, also if the tenant asks for more",
    ),
  standardWebhooks: z
    .boolean()
    .default(true)
    .describe('Whether callbacks have the headers of Standard Webhooks'),
  accessMessages: z
    .boolean()
    .default(true)
    .describe('Whether a tenant that asks for ShipmentAccess messages gets them'),
  mutationConfigFails: z
    .boolean()
    .default(false)
    .describe(
      'Whether a request of CreateAccount or CreateOrGetAccount with a configuration is MutationConfigFailed',
    ),
  renamedStates: z
    .partialRecord(z.enum(stateCodes), textOf(1, 100))
    .default({})
    .describe('From our state codes to the codes that this tenant sees'),
});
export type Switches = z.infer<typeof switches>;

const asTheyCome: Switches = switches.parse({});

/** The name of a state for the tenant. */
export const asRenamed = ({ renamedStates }: Switches, stateCode: StateCode): string =>
  renamedStates[stateCode] ?? stateCode;

/** The states that the tenant's names mean. An unknown name means none. */
export const formerNames = (switches: Switches, names: readonly string[]): StateCode[] =>
  stateCodes.filter((stateCode) => names.includes(asRenamed(switches, stateCode)));

// How long another process may use the old switches; this process knows new ones at once.
const DELAY_MS = 1_000;
const MAX_KNOWN = 10_000;

/**
 * The stored switches of every tenant. Each process has one board for all its parts. In production no tenant can change a switch.
 */
export class SwitchBoard {
  readonly #database: Kysely<Database>;
  readonly #staging: boolean;
  readonly #known = new LRUCache<number, Switches>({ max: MAX_KNOWN, ttl: DELAY_MS });

  constructor(database: Kysely<Database>, mode: 'staging' | 'production') {
    this.#database = database;
    this.#staging = mode === 'staging';
  }

  async of(tenantId: number): Promise<Switches> {
    if (!this.#staging) return asTheyCome;
    const known = this.#known.get(tenantId);
    if (known) return known;
    const row = await this.#database
      .selectFrom('sandbox_switches')
      .select('switches')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    const read = row ? switches.parse(row.switches) : asTheyCome;
    this.#known.set(tenantId, read);
    return read;
  }

  async set(tenantId: number, changed: Switches): Promise<void> {
    const stored = JSON.stringify(changed);
    await this.#database
      .insertInto('sandbox_switches')
      .values({ tenant_id: tenantId, switches: stored })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ switches: stored }))
      .execute();
    this.#known.set(tenantId, changed);
  }
}
