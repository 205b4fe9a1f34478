// A request of each operation that succeeds, made ready by what it needs: the example of the contract, on shipments and
// accounts of its own. Where an operation can do more or less work, it does the most.
import { type OperationName, operationNames, operationRow } from '../../contract/index.ts';
import { examples } from '../../contract/operations/examples.ts';
import type { Wall } from '../support/wall.ts';
import { newAccount } from './accounts/support.ts';

type Ready = (wall: Wall) => Promise<object>;

const booked = async (wall: Wall) => ({ shipmentUid: (await wall.book('CreateLocalShipment'))[0] });
const stored = async (wall: Wall) => {
  const [shipmentUid] = await wall.book('CreateLocalShipmentAsStock');
  await wall.drop(shipmentUid);
  return { shipmentUid };
};
const prior = async (wall: Wall) => ({ priorShipmentUid: (await stored(wall)).shipmentUid });
const registered = async (wall: Wall) => ({
  userUid: (await wall.ok('CreateAccount', newAccount())).userUid,
});

/** The fields in which the request differs from the example. */
const changes: Partial<Record<OperationName, Ready>> = {
  CreateLocalShipmentAsStockAfterSwapIntake: async (wall) => ({
    priorShipmentUid: (await wall.book('CreateLocalShipmentAsIntake'))[0],
  }),
  CreateLocalShipmentAsIssueFromStock: prior,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: prior,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: prior,
  SetShipmentDetails: booked,
  AddShipmentObject: async (wall) => ({
    ...(await booked(wall)),
    changePickUpAccess: true,
    changeDropOffAccess: true,
  }),
  RemoveShipmentObject: async (wall) => {
    const { shipmentUid } = await booked(wall);
    return wall.ok('AddShipmentObject', { shipmentUid, details: {} });
  },
  SetShipmentReceiver: async (wall) => ({ ...(await stored(wall)), removeReceiver: false }),
  CancelShipment: booked,
  SimulateLockerAccess: async (wall) => {
    const [shipmentUid] = await wall.book('CreateLocalShipmentAsIssueAndSwapIntake');
    await wall.drop(shipmentUid);
    const { pupUid, lockerName } = await wall.shipment(shipmentUid);
    return { pupUid, lockerName, pinCode: (await wall.codes(shipmentUid)).pickUpCode };
  },
  UnlockShipmentLocker: async (wall) => ({ ...(await booked(wall)), unlockGoal: 'DropOff', pinCode: null }),
  ReportShipmentAccess: async (wall) => ({
    ...(await booked(wall)),
    accessGoal: 'DropOff',
    reason: 'opened with the key',
  }),
  GetShipmentAccessCode: booked,
  GetShipment: booked,
  GetShipmentObjects: booked,
  GetShipmentEvents: booked,
  SetAccountDetails: async (wall) => ({
    ...(await registered(wall)),
    emailAddress: newAccount().emailAddress,
  }),
  SetAccountPickUpPoint: registered,
  SetAccountMutationConfig: registered,
  RemoveAccount: registered,
  CreateAccount: async () => newAccount({ userName: null }),
  CreateOrGetAccount: async () => newAccount({ userName: null }),
  ConfigureCallback: async () => ({ url: 'http://127.0.0.1:9/callbacks', resetKey: true, authKey: null }),
};

export const readyRequest = async (name: OperationName, wall: Wall): Promise<Record<string, unknown>> => ({
  ...examples[name].request,
  ...(await changes[name]?.(wall)),
});

export const jsonOperations = operationNames.filter((name) => !operationRow(name).isMultipart);
export const withEffect = jsonOperations.filter((name) => operationRow(name).effect !== 'none');
