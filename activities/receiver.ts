// Sets and removes the receiver of a shipment, where an answer may be lost: the same call once more then meets a
// shipment that has the receiver already, and is refused for it.
import { activityInfo, heartbeat } from '@temporalio/activity';
import type { ChangeReceiverInput } from '../flows/booking/activities.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { findShipment } from '../shared/locker-api/list-shipments.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { apiFailure } from './failures.ts';
import { callOperation, shipmentReader } from './operation-call.ts';
import { persistently } from './repeat-call.ts';

// Within the 30 s that a flow gives one attempt, so that the attempt that is in doubt also settles the doubt.
const TRYING_MS = 20_000;
const CALL_TIMEOUT_MS = 8_000;

/** What an attempt that was definitely refused, or not sent, leaves to the next one. */
const NOTHING_DONE = 'nothing was done';

// interface: SetShipmentReceiver, toUserUid: "required; ignored when removing".
const IGNORED_USER_UID = 'none';

export function removeReceiverRequest(shipmentUid: string) {
  return { shipmentUid, toUserUid: IGNORED_USER_UID, removeReceiver: true };
}

export async function changeReceiver(
  dependencies: ActivityDependencies,
  input: ChangeReceiverInput,
): Promise<void> {
  const { shipmentUid, toUserUid, caseReferenceNew } = input;
  const request =
    toUserUid === null
      ? removeReceiverRequest(shipmentUid)
      : { shipmentUid, toUserUid, caseReferenceNew, removeReceiver: false };
  const { attempt, heartbeatDetails } = activityInfo();
  // An earlier attempt that has not reported its outcome may have been carried out.
  let isInDoubt = attempt > 1 && heartbeatDetails !== NOTHING_DONE;
  try {
    await persistently(
      () => callOperation(dependencies.api, 'SetShipmentReceiver', request, { timeoutMs: CALL_TIMEOUT_MS }),
      {
        until: Date.now() + TRYING_MS,
        onFailure: (error) => {
          isInDoubt ||= error.mayHaveReachedService === 'unknown';
        },
      },
    );
  } catch (error) {
    if (!(error instanceof LockerApiError)) throw error;
    if (!isInDoubt && error.mayHaveReachedService !== 'unknown') heartbeat(NOTHING_DONE);
    const mayBeDone = isInDoubt && error.code === 'InvalidShipmentState';
    if (!(mayBeDone && (await hasReceiver(dependencies, shipmentUid, toUserUid))))
      throw apiFailure(error, dependencies.serviceProfile);
  }
}

/** Without a listing the refusal of a repeated call is best explained by the call before it. */
async function hasReceiver(
  dependencies: ActivityDependencies,
  shipmentUid: string,
  toUserUid: string | null,
): Promise<boolean> {
  if (!dependencies.serviceProfile.capabilities.has('getShipments')) return true;
  const shipment = await findShipment(
    shipmentReader(dependencies, { endsWithCancellation: false }),
    shipmentUid,
  );
  return shipment !== null && shipment.toUserUid === toUserUid;
}
