// Every operation on shipments as another tenant tries it, with uids that are not its own, and what it is told: the same
// as for uids that nobody has.

import { expect } from 'vitest';
import type { ErrorCode, OperationName } from '../../../contract/index.ts';
import { shipmentCreation } from '../../../contract/operations/shipment-creation.ts';
import { shipmentManagement } from '../../../contract/operations/shipment-management.ts';
import { shipmentReading } from '../../../contract/operations/shipment-reading.ts';
import type { Caller } from '../caller.ts';

const shipmentOperations = { ...shipmentCreation, ...shipmentManagement, ...shipmentReading };
type ShipmentOperation = keyof typeof shipmentOperations;
export const shipmentOperationNames = Object.keys(shipmentOperations) as ShipmentOperation[];

/** What belongs to one tenant, and the pick up point of the other, who tries. */
export interface Foreign {
  readonly shipmentUid: string;
  readonly pupUid: string;
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly ownPupUid: string;
}

const dimension = { width: 1, height: 1, length: 1 };
const size = { dimension, allowLargerLockers: true, allowOverflowLockers: true };
const collect = { ...size, keepBookedAfterPickUp: false };
const toUserUid = 'user-anna';
const fromUserUid = 'user-anna';
const page = { pageNo: 1, pageSize: 10 };

/** The pick up point is the foreign thing; or the locker, at a pick up point of one's own. */
const booking = (fields: object) => [
  ({ pupUid }: Foreign) => [{ ...fields, pupUid }, 'InvalidPupUid'] as const,
  ({ ownPupUid, lockerUid }: Foreign) =>
    [{ ...fields, pupUid: ownPupUid, lockerUid }, 'InvalidLockerUid'] as const,
];
const onShipment = (fields: object) => [
  ({ shipmentUid }: Foreign) => [{ ...fields, shipmentUid }, 'InvalidShipment'] as const,
];
const after = (fields: object) => [
  ({ shipmentUid }: Foreign) => [{ ...fields, priorShipmentUid: shipmentUid }, 'InvalidShipment'] as const,
];
const listing = [({ shipmentUid }: Foreign) => [{ ...page, shipmentUid }, 'nothing'] as const];

type Try = (foreign: Foreign) => readonly [body: object, answer: ErrorCode | 'nothing'];

const tries: Record<ShipmentOperation, readonly Try[]> = {
  CreateLocalShipment: [
    ...booking({ ...size, toUserUid }),
    ({ shipmentUid, ownPupUid }) => [
      { ...size, toUserUid, pupUid: ownPupUid, swapsShipmentUid: shipmentUid },
      'InvalidShipment',
    ],
    ({ shipmentUid, pupUid }) => [
      { ...size, isReceiverDelayed: true, pupUid, swapsShipmentUid: shipmentUid },
      'InvalidShipment',
    ],
  ],
  CreateLocalShipmentAsIssue: booking({ ...size, toUserUid }),
  CreateLocalShipmentAsIssueAndSwapIntake: booking({ ...size, toUserUid }),
  CreateLocalShipmentAsStock: booking(size),
  CreateLocalShipmentAsStockAfterSwapIntake: after({ dimension }),
  CreateLocalShipmentAsIssueFromStock: after({ toUserUid }),
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: after({ toUserUid }),
  CreateLocalShipmentAsIntake: booking({ ...size, fromUserUid }),
  CreateLocalShipmentAsIntakeAndCircularStock: booking({ ...size, fromUserUid }),
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: after({ toUserUid }),
  CreateCollectOnlyShipment: booking(collect),
  CreateCollectOnlyShipmentAsCollectByDispatcher: booking(collect),
  CreateCollectOnlyShipmentAsCollectByUser: booking({ ...collect, toUserUid }),
  SetShipmentDetails: onShipment({ description: null, referenceNo: 'taken', referenceCaseNo: 'taken' }),
  AddShipmentObject: onShipment({ details: {}, changePickUpAccess: true, changeDropOffAccess: true }),
  RemoveShipmentObject: onShipment({ shipmentObjectUid: 'any' }),
  SetShipmentReceiver: [...onShipment({ toUserUid }), ...onShipment({ removeReceiver: true })],
  CancelShipment: onShipment({}),
  SimulateLockerAccess: [
    ({ pupUid, lockerName }) => [{ pupUid, lockerName, pinCode: '000000' }, 'InvalidPupUid'],
  ],
  UnlockShipmentLocker: [
    ...onShipment({}),
    ...onShipment({ unlockGoal: 'DropOff' }),
    ...onShipment({ unlockGoal: 'PickUp' }),
  ],
  GetShipmentAccessCode: onShipment({}),
  GetShipments: listing,
  GetLocalShipments: listing,
  GetCollectOnlyShipments: listing,
  GetPickUpPoints: [({ pupUid }) => [{ ...page, pupUid, includeDetails: true }, 'nothing']],
};

/** Tries the operation in every way that there is; fails where it is told anything. */
export async function tryForeign(call: Caller, name: ShipmentOperation, foreign: Foreign): Promise<void> {
  for (const attempt of tries[name]) {
    const [body, answer] = attempt(foreign);
    const reply = await call(name satisfies OperationName, body);
    const words = `${name} ${JSON.stringify(body)}`;
    if (answer === 'nothing')
      expect(reply.body, words).toMatchObject({ success: true, items: [], totalItems: 0 });
    else expect(reply.body, words).toMatchObject({ success: false, error: answer });
  }
}
