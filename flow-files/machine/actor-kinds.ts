// What the `src` of an invoke is. Where workflows run, the contract's table of operations is not to be had (it needs zod):
// the compiler holds this one to it.
import type { OperationName } from '../../contract/operations/operations.ts';

/**
 * Whether files may call an operation. What opens lockers stays out of histories, which keep every answer: access codes and
 * keys are neither asked for nor sent. So do uploads, which are no JSON, the audit log, and what a search
 * finds of people.
 */
const operations = {
  CreateLocalShipment: true,
  CreateLocalShipmentAsIssue: true,
  CreateLocalShipmentAsIssueAndSwapIntake: true,
  CreateLocalShipmentAsStock: true,
  CreateLocalShipmentAsStockAfterSwapIntake: true,
  CreateLocalShipmentAsIssueFromStock: true,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: true,
  CreateLocalShipmentAsIntake: true,
  CreateLocalShipmentAsIntakeAndCircularStock: true,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: true,
  CreateCollectOnlyShipment: true,
  CreateCollectOnlyShipmentAsCollectByDispatcher: true,
  CreateCollectOnlyShipmentAsCollectByUser: true,
  SetShipmentDetails: true,
  AddShipmentObject: true,
  RemoveShipmentObject: true,
  SetShipmentReceiver: true,
  CancelShipment: true,
  SimulateLockerAccess: false,
  UnlockShipmentLocker: true,
  GetShipmentAccessCode: false,
  GetShipments: true,
  GetLocalShipments: true,
  GetCollectOnlyShipments: true,
  GetPickUpPoints: true,
  SetAccountDetails: true,
  SetAccountPickUpPoint: true,
  SetAccountMutationConfig: true,
  RemoveAccount: true,
  CreateAccount: true,
  CreateOrGetAccount: true,
  GetAccount: true,
  GetAccountMutationConfig: true,
  UploadAccountSuggestions: false,
  ConfigureCallback: false,
  GetAuditLog: false,
  SearchAccounts: false,
  GetShipment: true,
  GetShipmentObjects: true,
  GetShipmentEvents: false,
  GetLockers: true,
  SetLockerOutOfOrder: true,
  SetLockerEmptied: true,
  GetPickUpPointUse: false,
} as const satisfies Record<OperationName, boolean>;

/** Those that a file may invoke. */
export const operationsOfFiles: readonly string[] = Object.entries(operations)
  .filter(([, isOpen]) => isOpen)
  .map(([name]) => name);

/** `ask`: a question to people. `call`: an HTTP call through a connector. */
export type ActorKind = 'flow' | 'operation' | 'ask' | 'call';

export function kindOfActor(src: string): ActorKind {
  if (src === 'ask' || src === 'call') return src;
  return Object.hasOwn(operations, src) ? 'operation' : 'flow';
}
