// Holds the error codes against the interface ("Codes per operation") and the table of statuses in assumptions: The wire,
// both typed by hand.
import { expect, it } from 'vitest';
import {
  errorRow,
  errors,
  genericErrorCodes,
  type OperationName,
  operationNames,
  operationRow,
} from '../../../contract/index.ts';
import { type InterfaceRow, interfaceTable } from '../operations/interface-table.ts';

const statuses: Readonly<Record<string, string>> = {
  400: 'InvalidRequest MissingFile InvalidHeader InvalidImportType NoRequestData NoRequestFile',
  401: 'Unauthorized',
  403: 'AccessDenied InvalidAccessCode NotAvailable',
  404: 'UnknownOperation InvalidShipment InvalidPupUid InvalidUserUid InvalidLockerUid InvalidShipmentObject',
  409:
    'InvalidShipmentState NoLockerAvailable NoFittingLocker EmailAlreadyRegistered UserNameAlreadyRegistered ' +
    'AccountInUse UnlockNotAllowed MutationConfigFailed',
  413: 'PayloadTooLarge',
  429: 'RateLimitExceeded',
  500: 'InternalError',
  502: 'UnlockFailed',
};

/** interface: Errors, codes per operation. */
const usedBy: Readonly<Record<string, readonly OperationName[]>> = {
  InvalidShipmentState: ['SetShipmentReceiver', 'UnlockShipmentLocker'],
  InvalidShipment: ['UnlockShipmentLocker'],
  UnlockNotAllowed: ['UnlockShipmentLocker'],
  InvalidAccessCode: ['UnlockShipmentLocker'],
  UnlockFailed: ['UnlockShipmentLocker'],
  InvalidUserUid: ['SetAccountDetails', 'SetAccountPickUpPoint', 'SetAccountMutationConfig', 'RemoveAccount'],
  EmailAlreadyRegistered: ['SetAccountDetails', 'CreateAccount', 'CreateOrGetAccount'],
  InvalidPupUid: ['CreateAccount', 'CreateOrGetAccount'],
  AccessDenied: ['CreateAccount', 'CreateOrGetAccount'],
  MutationConfigFailed: ['CreateAccount', 'CreateOrGetAccount'],
  MissingFile: ['UploadAccountSuggestions'],
  InvalidHeader: ['UploadAccountSuggestions'],
  InvalidImportType: ['UploadAccountSuggestions'],
  NoRequestData: ['UploadAccountSuggestions'],
  NoRequestFile: ['UploadAccountSuggestions'],
};

/** The operations that name such a thing in a field that they must have. */
const requiring = (field: string) => {
  const rows: [string, InterfaceRow][] = Object.entries(interfaceTable);
  return rows
    .filter(([, row]) => row.required.split(' ').includes(field))
    .map(([name]) => name as OperationName);
};
const withPupUid = requiring('PupUid').filter((name) => name.startsWith('Create'));
const withPriorShipment = requiring('PriorShipmentUid');
const onShipment = requiring('shipmentUid');
const withShipment = onShipment.filter((name) => !name.startsWith('Get'));
const withUser = [...requiring('ToUserUid'), ...requiring('FromUserUid'), ...requiring('toUserUid')];

/** docs/assumptions.md, its first 6 sections, for the operations whose codes the interface does not show. */
const decided: Readonly<Record<string, readonly OperationName[]>> = {
  InvalidPupUid: [...withPupUid, 'SimulateLockerAccess', 'SetAccountPickUpPoint'],
  InvalidLockerUid: [
    ...withPupUid,
    'SimulateLockerAccess',
    'SetLockerOutOfOrder',
    'SetLockerEmptied',
    'OpenLocker',
  ],
  NoFittingLocker: withPupUid,
  NoLockerAvailable: [...withPupUid, 'CreateLocalShipmentAsStockAfterSwapIntake'],
  InvalidShipment: ['CreateLocalShipment', ...withPriorShipment, ...onShipment],
  InvalidShipmentState: ['CreateLocalShipment', ...withPriorShipment, ...withShipment],
  InvalidUserUid: [
    'CreateLocalShipment',
    'CreateCollectOnlyShipment',
    'GetAccount',
    'GetAccountMutationConfig',
    ...withUser,
  ],
  InvalidShipmentObject: ['RemoveShipmentObject'],
  InvalidAccessCode: ['SimulateLockerAccess'],
  UnlockNotAllowed: ['ReportShipmentAccess'],
  UnlockFailed: ['SimulateLockerAccess', 'OpenLocker'],
  NotAvailable: ['SimulateLockerAccess'],
  AccountInUse: ['RemoveAccount'],
  UserNameAlreadyRegistered: ['CreateAccount'],
};

const expectedCodes = (name: OperationName) =>
  [usedBy, decided].flatMap((table) =>
    Object.entries(table).flatMap(([code, names]) => (names.includes(name) ? [code] : [])),
  );

// assumptions: The wire, HTTP status of failures
it('gives every code its status, and has no other code', () => {
  const expected = Object.entries(statuses).flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)] as const),
  );
  const actual = Object.entries(errors).map(([code, { status }]) => [code, status] as const);
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
});

it.each(operationNames)(
  '%s may fail with the codes of the interface and the decisions, and no other',
  (name) => {
    expect([...operationRow(name).errors].sort()).toEqual([...new Set(expectedCodes(name))].sort());
  },
);

it.each(operationNames)('%s lists no generic code, and every code of its own fields', (name) => {
  const { errors: codes, fieldErrors = {} } = operationRow(name);
  expect(codes.filter((code) => genericErrorCodes.some((generic) => generic === code))).toEqual([]);
  expect(codes).toEqual(expect.arrayContaining(Object.values(fieldErrors)));
});

it('makes every code one that some operation may answer with', () => {
  const possible = new Set<string>([
    ...genericErrorCodes,
    ...operationNames.flatMap((name) => operationRow(name).errors),
  ]);
  expect(Object.keys(errors).filter((code) => !possible.has(code))).toEqual([]);
});

it('does not know an unknown code, whatever its name', () => {
  for (const code of ['SolarEclipse', '', 'constructor', '__proto__', 'toString'])
    expect(errorRow(code)).toBeUndefined();
});
