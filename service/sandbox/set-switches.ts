// GET and POST /sandbox/switches: shows and changes the tenant's switches. Switches that are not named do not change.
import { z } from 'zod';
import { switches } from '../switches/switches.ts';
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

const { shape } = switches;
const change = z.strictObject({
  bareVendor: z
    .boolean()
    .optional()
    .describe('true: exactly the published interface. false: every switch at its default'),
  getShipments: shape.getShipments.unwrap().optional(),
  idempotencyKey: shape.idempotencyKey.unwrap().optional(),
  accessCodes: shape.accessCodes.unwrap().optional(),
  shuffledShipmentUids: shape.shuffledShipmentUids.unwrap().optional(),
  plainCallbacks: shape.plainCallbacks.unwrap().optional(),
  standardWebhooks: shape.standardWebhooks.unwrap().optional(),
  accessMessages: shape.accessMessages.unwrap().optional(),
  callbackOnCreation: shape.callbackOnCreation.unwrap().optional(),
  mutationConfigFails: shape.mutationConfigFails.unwrap().optional(),
  renamedStates: shape.renamedStates.unwrap().optional(),
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
