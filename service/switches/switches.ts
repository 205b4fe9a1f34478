// How the service behaves towards one tenant. A staging tenant may choose, to try its software against another service
// (assumptions: A bare vendor): it switches our extras off, and uses the freedom that the interface leaves.
import { z } from 'zod';
import { type OperationName, type StateCode, stateCodes } from '../../contract/index.ts';
import { filledText } from '../../contract/wire/fields.ts';

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
  /** Extra: the headers of Standard Webhooks on callbacks. */
  standardWebhooks: z.boolean().default(true),
  /** The creation of a shipment makes a callback, like a change of state. */
  callbackOnCreation: z.boolean().default(false),
  /** CreateAccount and CreateOrGetAccount: MutationConfigFailed if the request has a configuration. */
  mutationConfigFails: z.boolean().default(false),
  /** From our state codes to the codes that this tenant sees. */
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

/** The name of a state for the tenant. */
export const asRenamed = ({ renamedStates }: Switches, stateCode: StateCode): string =>
  renamedStates[stateCode] ?? stateCode;

/** The states that the tenant's names mean. An unknown name means none. */
export const formerNames = (switches: Switches, names: readonly string[]): StateCode[] =>
  stateCodes.filter((stateCode) => names.includes(asRenamed(switches, stateCode)));
