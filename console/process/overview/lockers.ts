// The lockers in which the shipments of a process are, or will be.
import type { ProcessProgress } from '../../../contract/flows/flow-answers.ts';
import { goalIn } from '../../../contract/machines/access.ts';
import { hasEnded } from '../../../contract/wire/states.ts';
import { shipmentsAtDesk } from '../../../processes/views/desk-tasks.ts';
import { formatShipmentState, isStockRole } from '../../../processes/views/format-names.ts';
import { shipmentsIn } from '../../../processes/views/progress.ts';
import type { LockerShown } from './overview-view.ts';

/** What has ended has given its locker back. */
export function lockersOf(key: string, progress: ProcessProgress | null): LockerShown[] {
  if (!progress) return [];
  const atDesk = shipmentsAtDesk(progress);
  return shipmentsIn(progress).flatMap(({ role, shipment, name }) => {
    const { shipmentUid, stateCode, pupUid, lockerName } = shipment;
    if (lockerName === null || hasEnded(stateCode)) return [];
    const words = `${name}: ${formatShipmentState(stateCode ?? 'Unknown', isStockRole(role))}`;
    const goal = goalIn(stateCode);
    return [{ key, shipmentUid, words, pupUid, lockerName, goal, isForDesk: atDesk.has(shipmentUid) }];
  });
}
