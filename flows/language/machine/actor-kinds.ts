// The kinds of `src` that an invoke can have. Workflows cannot import the contract's table of operations, because it needs
// zod. So this file has its own list, and the compiler checks that it has every operation.
import type { AccountOperation } from '../../../contract/flows/account-operations.ts';
import type { OperationName } from '../../../contract/operations/operations.ts';

/**
 * Whether a file may invoke an operation. Histories keep every answer, so files may not invoke operations that ask for or
 * send access codes or keys. Files may not upload either, since an upload is not JSON, nor read the audit log, nor search
 * for people.
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
  OpenLocker: false,
  ReportShipmentAccess: false,
  FindAccount: true,
  SetAccount: true,
} as const satisfies Record<OperationName | AccountOperation, boolean>;

/** The operations that a file may invoke. */
export const operationsOfFiles: readonly string[] = Object.entries(operations)
  .filter(([, isOpen]) => isOpen)
  .map(([name]) => name);

/**
 * `ask`: a question to people. `call`: an HTTP call through a connector. `each`: one of these for each item of a list. `undo`:
 * undoes the steps that are done.
 */
const own = ['ask', 'book', 'call', 'each', 'undo'] as const;

export type ActorKind = 'flow' | 'operation' | (typeof own)[number];

/** What a file may invoke beside flows and operations. */
export const ownSources: readonly string[] = own;

export function kindOfActor(src: string): ActorKind {
  const found = own.find((each) => each === src);
  if (found) return found;
  return Object.hasOwn(operations, src) ? 'operation' : 'flow';
}
