// GET and POST /sandbox/switches: shows and changes the tenant's switches. Switches that are not named do not change.
import { z } from 'zod';
import { type Switches, switches } from '../switches/switches.ts';
import { sandboxRoute } from './sandbox-route.ts';

/**
 * All switches of a bare vendor at once: exactly the interface and none of our extras (assumptions: A bare
 * vendor).
 */
const bareVendor = {
  getShipments: false,
  idempotencyKey: false,
  accessCodes: false,
  shuffledShipmentUids: true,
  plainCallbacks: true,
  standardWebhooks: false,
  accessMessages: false,
};

/** Each switch of the tenant, none of them required. */
const each = Object.fromEntries(
  Object.entries(switches.shape).map(([name, schema]) => [name, schema.unwrap().optional()]),
) as { [Name in keyof Switches]: z.ZodOptional<ReturnType<(typeof switches.shape)[Name]['unwrap']>> };

const change = z.strictObject({
  bareVendor: z
    .boolean()
    .optional()
    .describe('true: exactly the published interface. false: every switch at its default'),
  ...each,
});

export const showSwitches = sandboxRoute({
  method: 'GET',
  path: '/sandbox/switches',
  meaning: 'Shows how the service behaves towards the tenant',
  input: z.object({}),
  example: {},
  answer: switches,
  handle: async (_, { switchBoard, tenantId }) => switchBoard.of(tenantId),
});

export const setSwitches = sandboxRoute({
  method: 'POST',
  path: '/sandbox/switches',
  meaning: 'Changes how the service behaves towards the tenant. A switch that is not named stays',
  input: change,
  example: { shuffledShipmentUids: true },
  answer: switches,
  handle: async ({ bareVendor: isBare, ...given }, { switchBoard, tenantId }) => {
    const before = isBare === undefined ? await switchBoard.of(tenantId) : switches.parse({});
    const after = switches.parse({ ...before, ...(isBare && bareVendor), ...given });
    await switchBoard.set(tenantId, after);
    return after;
  },
});
