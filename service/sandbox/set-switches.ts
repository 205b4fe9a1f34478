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
};

const { shape } = switches;
const change = z.strictObject({
  bareVendor: z.boolean().optional(),
  getShipments: shape.getShipments.unwrap().optional(),
  idempotencyKey: shape.idempotencyKey.unwrap().optional(),
  accessCodes: shape.accessCodes.unwrap().optional(),
  shuffledShipmentUids: shape.shuffledShipmentUids.unwrap().optional(),
  plainCallbacks: shape.plainCallbacks.unwrap().optional(),
  standardWebhooks: shape.standardWebhooks.unwrap().optional(),
  callbackOnCreation: shape.callbackOnCreation.unwrap().optional(),
  mutationConfigFails: shape.mutationConfigFails.unwrap().optional(),
  renamedStates: shape.renamedStates.unwrap().optional(),
});

export const showSwitches = sandboxRoute(
  'GET',
  '/sandbox/switches',
  z.object({}),
  async (_, { switchBoard, tenantId }) => switchBoard.of(tenantId),
);

export const setSwitches = sandboxRoute(
  'POST',
  '/sandbox/switches',
  change,
  async ({ bareVendor: isBare, ...given }, { switchBoard, tenantId }) => {
    const before = isBare === undefined ? await switchBoard.of(tenantId) : switches.parse({});
    const after = switches.parse({ ...before, ...(isBare && bareVendor), ...given });
    await switchBoard.set(tenantId, after);
    return after;
  },
);
