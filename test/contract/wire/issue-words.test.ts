// What a caller reads of a wrong value: what the field must be and what it is, without the words of the library.
import { expect, test } from 'vitest';
import { ContractError, parseRequest } from '../../../contract/index.ts';
import type { OperationName } from '../../../contract/operations/operations.ts';

function refusal(name: OperationName, body: unknown): string[] {
  try {
    parseRequest(name, body);
    return [];
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return error.message.split('; ');
  }
}

test('a wrong type, a value out of bounds and an unknown word are told with what was expected', () => {
  const page = { pageNo: 0, pageSize: 501, activeShipments: 'yes', shipmentState: 'Completed' };
  const others = { sortBy: 'Newest', updatedSince: 'yesterday', userUid: 5, referenceNo: [] };
  expect(refusal('GetShipments', { ...page, ...others })).toEqual([
    'pageNo: must be at least 1, not 0',
    'pageSize: must be at most 500, not 501',
    'activeShipments: must be true or false, not a string',
    'shipmentState: must be a list, not a string',
    'userUid: must be a string, not a number',
    'referenceNo: must be a string, not a list',
    'updatedSince: must be a moment in ISO 8601, like 2031-05-01T12:00:00Z',
    'sortBy: must be one of CreatedAsc, CreatedDesc, ActivityAsc, ActivityDesc, not "Newest"',
  ]);
});

test('a number that is not whole is shown, and null is named', () => {
  expect(refusal('GetShipments', { pageNo: 1.5, pageSize: null })).toEqual([
    'pageNo: must be a whole number, not 1.5',
    'pageSize: must be a number, not null',
  ]);
});

test('a missing field is told as missing, with the type that it needs', () => {
  const body = { PupUid: 'pup', ToUserUid: 'user', AllowLargerLockers: true };
  expect(refusal('CreateLocalShipment', body)).toEqual([
    'AllowOverflowLockers: is required (expected true or false)',
    'Dimension: is required (expected object)',
  ]);
  expect(refusal('ConfigureCallback', { url: null })).toEqual([
    'authType: is required (expected one of None, HMAC, ApiKey)',
  ]);
});

test('a long text is cut where it is shown', () => {
  const [words = ''] = refusal('UnlockShipmentLocker', { shipmentUid: 's', unlockGoal: 'x'.repeat(10_000) });
  expect(words).toBe(`unlockGoal: must be one of DropOff, PickUp, not "${'x'.repeat(60)}…"`);
});

test('each field of a group names the others', () => {
  expect(refusal('SetAccountDetails', { userUid: 'u', firstName: 'A', city: 'B', streetNo: '1' })).toEqual([
    'lastName: is required when firstName is given',
    'streetName: is required when streetNo, mailbox, city or countryCode is given',
    'mailbox: is required when streetName, streetNo, city or countryCode is given',
    'countryCode: is required when streetName, streetNo, mailbox or city is given',
  ]);
});
