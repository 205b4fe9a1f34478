// The table of handlers, one for each operation of the contract: a missing one does not compile.
import { accountHandlers } from './accounts/handlers.ts';
import { getAuditLog } from './audit/get-audit-log.ts';
import { configureCallback } from './callbacks/configuration/configure-callback.ts';
import type { Handlers } from './handler.ts';
import { getLockers } from './lockers/get-lockers.ts';
import { getPickUpPointUse } from './lockers/get-pick-up-point-use.ts';
import { setLockerEmptied, setLockerOutOfOrder } from './lockers/set-locker.ts';
import { simulateLockerAccess } from './lockers/simulate-locker-access.ts';
import { unlockShipmentLocker } from './lockers/unlock-shipment-locker.ts';
import { shipmentHandlers } from './shipments/handlers.ts';

export const handlers = {
  ...accountHandlers,
  ...shipmentHandlers,
  SimulateLockerAccess: simulateLockerAccess,
  UnlockShipmentLocker: unlockShipmentLocker,
  ConfigureCallback: configureCallback,
  GetAuditLog: getAuditLog,
  GetLockers: getLockers,
  GetPickUpPointUse: getPickUpPointUse,
  SetLockerOutOfOrder: setLockerOutOfOrder,
  SetLockerEmptied: setLockerEmptied,
} satisfies Handlers;
