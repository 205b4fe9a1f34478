// The workflows of a project of your own: lockerflow's, and one that gets the callbacks of a shipment.
import { condition, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { hasEnded } from 'lockerflow/contract';
import { lockerShipmentUids, shipmentStatus } from 'lockerflow/workflows';

export * from 'lockerflow/workflows';
// What runs the processes of flow files: `*` leaves it out.
export { default } from 'lockerflow/workflows';

/** Follows a shipment that another program has booked, and gives the state in which it ended. */
export async function FollowShipment(shipmentUid: string): Promise<string> {
  let stateCode = '';
  setHandler(shipmentStatus, (report) => {
    if (report.shipmentUid === shipmentUid) stateCode = report.stateCode;
  });
  // From now on callbacks find it; those that came before are kept, and given to it.
  upsertSearchAttributes([{ key: lockerShipmentUids, value: [shipmentUid] }]);
  await condition(() => hasEnded(stateCode));
  return stateCode;
}
