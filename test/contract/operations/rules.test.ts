// Each rule that the interface states refuses what breaks it, naming the field, and lets the rest through.
import { describe, expect, it } from 'vitest';
import { encodeRequest, type OperationName, parseRequest } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { refusal } from '../refusal.ts';

type Body = Readonly<Record<string, unknown>>;

const wireExample = (name: OperationName): Body => encodeRequest(name, examples[name].request) as Body;
const { FromUserUid: _from, ToUserUid: _to, ...local } = wireExample('CreateLocalShipment');
const { Dimension: _dimension, ...withoutDimension } = wireExample('CreateLocalShipmentAsStock');
const newAccount = wireExample('CreateAccount');
const anna = { userUid: 'user-anna' };
const address = {
  streetName: 'Stationsplein',
  streetNo: '1',
  mailbox: '',
  city: 'Utrecht',
  countryCode: 'NL',
};
const file = { name: 'a.csv', content: new Uint8Array() };
const page = { pageNo: 1, pageSize: 500 };
const side = { width: 1, height: 1, length: 1 };

const accepted: readonly (readonly [rule: string, OperationName, Body])[] = [
  ['only From', 'CreateLocalShipment', { ...local, FromUserUid: 'user-anna' }],
  ['only To', 'CreateLocalShipment', { ...local, ToUserUid: 'user-anna', FromUserUid: null }],
  [
    'no user when it swaps and the receiver is delayed',
    'CreateLocalShipment',
    { ...local, SwapsShipmentUid: 'shipment-1', IsReceiverDelayed: true },
  ],
  [
    'From with a delayed receiver',
    'CreateLocalShipment',
    { ...local, FromUserUid: 'user-anna', IsReceiverDelayed: true },
  ],
  [
    'From with a delayed receiver and a swap',
    'CreateLocalShipment',
    { ...local, FromUserUid: 'user-anna', SwapsShipmentUid: 'shipment-1', IsReceiverDelayed: true },
  ],
  ['a Dimension of 1 cm', 'CreateLocalShipmentAsStock', { ...withoutDimension, Dimension: side }],
  [
    'a null Details',
    'CreateCollectOnlyShipmentAsCollectByUser',
    {
      ...wireExample('CreateCollectOnlyShipmentAsCollectByUser'),
      Details: null,
      LockerUid: null,
    },
  ],
  ['a null Description', 'SetShipmentDetails', { ...wireExample('SetShipmentDetails'), Description: null }],
  [
    'a receiver to remove that is not named',
    'SetShipmentReceiver',
    { shipmentUid: 's', removeReceiver: true },
  ],
  [
    'anything as receiver when removing',
    'SetShipmentReceiver',
    { shipmentUid: 's', removeReceiver: true, toUserUid: '' },
  ],
  ['an empty pinCode', 'UnlockShipmentLocker', { shipmentUid: 's', unlockGoal: null, pinCode: '' }],
  ['both names', 'SetAccountDetails', { ...anna, firstName: 'Anna', lastName: 'Jansen' }],
  ['a whole address', 'SetAccountDetails', { ...anna, ...address }],
  ['part of an address on creation', 'CreateAccount', { ...newAccount, city: 'Utrecht', streetName: null }],
  ['a phone number with 00', 'SetAccountDetails', { ...anna, phoneNumber: '0031612345678' }],
  ['a phone number with separators', 'SetAccountDetails', { ...anna, phoneNumber: '+31 (6) 12-34.56 78' }],
  ['en as language', 'SetAccountDetails', { ...anna, languageCode: 'en' }],
  ['en-GB as language', 'SetAccountDetails', { ...anna, languageCode: 'en-GB' }],
  [
    'flags true, false and null',
    'SetAccountMutationConfig',
    {
      ...anna,
      canChangeAddress: true,
      canRemoveManually: false,
      canChangeFirstName: null,
    },
  ],
  [
    'a weight of nothing or of parts of a gram, and a count of one',
    'AddShipmentObject',
    { shipmentUid: 's', details: { weight: 0.25, count: 1, dimension: side } },
  ],
  ['no mutationConfig', 'CreateOrGetAccount', { ...newAccount, mutationConfig: null }],
  ['no reference', 'UploadAccountSuggestions', { data: {}, file }],
  ['an unknown field', 'CancelShipment', { shipmentUid: 's', shipmentColour: 'red' }],
  ['a time with an offset', 'GetShipments', { ...page, updatedSince: '2026-03-02T09:15:00+01:00' }],
];

const refused: readonly (readonly [rule: string, OperationName, Body, fields: readonly string[]])[] = [
  ['one of From and To', 'CreateLocalShipment', local, ['FromUserUid']],
  [
    'one of From and To without a swap',
    'CreateLocalShipment',
    { ...local, IsReceiverDelayed: true },
    ['FromUserUid'],
  ],
  [
    'one of From and To with a swap to a known receiver',
    'CreateLocalShipment',
    { ...local, SwapsShipmentUid: 'shipment-1', IsReceiverDelayed: false },
    ['FromUserUid'],
  ],
  [
    'no To with a delayed receiver',
    'CreateLocalShipment',
    { ...local, FromUserUid: 'user-anna', ToUserUid: 'user-bram', IsReceiverDelayed: true },
    ['ToUserUid'],
  ],
  [
    'every offending field at once',
    'CreateLocalShipment',
    { ...withoutDimension, PupUid: 5, Dimension: { ...side, height: 0.5 } },
    ['PupUid', 'Dimension.height', 'FromUserUid'],
  ],
  [
    'a minimum of 1 cm for each side',
    'CreateLocalShipmentAsStock',
    { ...withoutDimension, Dimension: { width: 0.99, height: 0, length: -1 } },
    ['Dimension.width', 'Dimension.height', 'Dimension.length'],
  ],
  [
    'a Dimension of numbers',
    'CreateLocalShipmentAsStock',
    { ...withoutDimension, Dimension: { ...side, width: '30' } },
    ['Dimension.width'],
  ],
  [
    'text in Details',
    'CreateLocalShipmentAsStock',
    { ...withoutDimension, Dimension: side, Details: { ReferenceNo: 7 } },
    ['Details.ReferenceNo'],
  ],
  [
    'KeepBookedAfterPickUp of true or false',
    'CreateCollectOnlyShipment',
    { ...withoutDimension, Dimension: side, KeepBookedAfterPickUp: null },
    ['KeepBookedAfterPickUp'],
  ],
  [
    'a ReferenceNo that is not null',
    'SetShipmentDetails',
    { ...wireExample('SetShipmentDetails'), ReferenceNo: null },
    ['ReferenceNo'],
  ],
  [
    'a minimum of 1 cm for each side of an object',
    'AddShipmentObject',
    { shipmentUid: 's', details: { dimension: { ...side, length: 0 } } },
    ['details.dimension.length'],
  ],
  [
    'a weight that is not negative, and a count of whole objects',
    'AddShipmentObject',
    { shipmentUid: 's', details: { weight: -0.5, count: 2.25 } },
    ['details.weight', 'details.count'],
  ],
  [
    'a count from 1',
    'AddShipmentObject',
    { shipmentUid: 's', details: { weight: 0, count: 0 } },
    ['details.count'],
  ],
  ['a receiver to set', 'SetShipmentReceiver', { shipmentUid: 's', toUserUid: '' }, ['toUserUid']],
  [
    'an unlockGoal of DropOff or PickUp',
    'UnlockShipmentLocker',
    { shipmentUid: 's', unlockGoal: 'Steal' },
    ['unlockGoal'],
  ],
  ['both names: last', 'SetAccountDetails', { ...anna, firstName: 'Anna' }, ['lastName']],
  ['both names: first', 'SetAccountDetails', { ...anna, lastName: 'Jansen', firstName: null }, ['firstName']],
  [
    'a whole address, beside another wrong field',
    'SetAccountDetails',
    { ...anna, city: 'Utrecht', emailAddress: 'anna' },
    ['emailAddress', 'streetName', 'streetNo', 'mailbox', 'countryCode'],
  ],
  [
    'an international phone number',
    'CreateAccount',
    { ...newAccount, phoneNumber: '0612345678' },
    ['phoneNumber'],
  ],
  ['a phone number of digits', 'SetAccountDetails', { ...anna, phoneNumber: '+31 six' }, ['phoneNumber']],
  ['a country of the ISO list', 'CreateAccount', { ...newAccount, countryCode: 'XX' }, ['countryCode']],
  ['a country of two letters', 'CreateAccount', { ...newAccount, countryCode: 'NLD' }, ['countryCode']],
  ['a language of the forms', 'CreateAccount', { ...newAccount, languageCode: 'Dutch' }, ['languageCode']],
  ['an e-mail address', 'CreateAccount', { ...newAccount, emailAddress: 'anna@' }, ['emailAddress']],
  [
    'flags of true, false or null',
    'SetAccountMutationConfig',
    { ...anna, canChangeAddress: 'yes', canRemoveManually: 1 },
    ['canChangeAddress', 'canRemoveManually'],
  ],
  [
    'flags within mutationConfig',
    'CreateAccount',
    { ...newAccount, mutationConfig: { canChangeAddress: 0 } },
    ['mutationConfig.canChangeAddress'],
  ],
  ['a reference of text', 'UploadAccountSuggestions', { data: { reference: 7 }, file }, ['data.reference']],
  ['pages from 1', 'GetShipments', { pageNo: 0, pageSize: 501 }, ['pageNo', 'pageSize']],
  ['an order that exists', 'GetShipments', { ...page, sortBy: 'Newest' }, ['sortBy']],
  ['a point in time', 'GetShipments', { ...page, updatedSince: 'yesterday' }, ['updatedSince']],
  ['only one key', 'GetAccount', { ...anna, emailAddress: 'anna@example.com' }, ['emailAddress']],
  ['a web address', 'ConfigureCallback', { url: 'file:///etc/hosts', authType: 'None' }, ['url']],
  [
    'a web address without half a surrogate pair',
    'ConfigureCallback',
    { url: 'https://example.com/\ud800', authType: 'None' },
    ['url'],
  ],
  [
    'text without half a surrogate pair',
    'GetPickUpPoints',
    { ...page, searchText: 'a\ud800' },
    ['searchText'],
  ],
  ['text without NUL', 'GetPickUpPoints', { ...page, searchText: 'a\0b' }, ['searchText']],
  ['a uid of some length', 'CancelShipment', { shipmentUid: 's'.repeat(201) }, ['shipmentUid']],
  [
    'one casing of a name',
    'CreateLocalShipmentAsStock',
    { ...withoutDimension, Dimension: { ...side, Width: 2 }, dimension: side },
    ['Dimension', 'Dimension.width'],
  ],
];

/** interface: Errors: what has a code of its own when it is absent or invalid. */
const refusedWithOwnCode: readonly (readonly [
  rule: string,
  OperationName,
  Body,
  fields: readonly string[],
  code: string,
])[] = [
  ['a user to set details of', 'SetAccountDetails', {}, ['userUid'], 'InvalidUserUid'],
  [
    'a user to set the pick up point of',
    'SetAccountPickUpPoint',
    {},
    ['userUid', 'pickUpPointUid'],
    'InvalidUserUid',
  ],
  ['a pick up point to set', 'SetAccountPickUpPoint', anna, ['pickUpPointUid'], 'InvalidPupUid'],
  ['a user to set flags of', 'SetAccountMutationConfig', { userUid: '' }, ['userUid'], 'InvalidUserUid'],
  ['a user to remove', 'RemoveAccount', { userUid: null }, ['userUid'], 'InvalidUserUid'],
  [
    'a pick up point of the new account',
    'CreateAccount',
    { ...newAccount, pickUpPointUid: null },
    ['pickUpPointUid'],
    'InvalidPupUid',
  ],
  [
    'a pick up point of the account to create or get',
    'CreateOrGetAccount',
    { ...newAccount, pickUpPointUid: '' },
    ['pickUpPointUid'],
    'InvalidPupUid',
  ],
  [
    'more than a pick up point',
    'CreateAccount',
    { ...newAccount, pickUpPointUid: null, emailAddress: null },
    ['emailAddress', 'pickUpPointUid'],
    'InvalidRequest',
  ],
  ['part data', 'UploadAccountSuggestions', { file }, ['data'], 'NoRequestData'],
  ['part data as an object', 'UploadAccountSuggestions', { data: 'x', file }, ['data'], 'NoRequestData'],
  ['part file', 'UploadAccountSuggestions', { data: {} }, ['file'], 'NoRequestFile'],
  ['both parts', 'UploadAccountSuggestions', {}, ['data', 'file'], 'NoRequestData'],
];

describe('a request that the rules allow', () => {
  it.each(accepted)('%s is accepted by %s', (_rule, name, body) => {
    expect(() => parseRequest(name, body)).not.toThrow();
  });
});

describe('a field that the rules require', () => {
  it.each(refused)('%s is required by %s', (_rule, name, body, fields) => {
    const error = refusal(() => parseRequest(name, body));
    expect(new Set(error.issues.map(({ field }) => field))).toEqual(new Set(fields));
    expect(error.code).toBe('InvalidRequest');
    for (const field of fields) expect(error.message).toContain(field);
  });

  it.each(refusedWithOwnCode)('%s is required by %s', (_rule, name, body, fields, code) => {
    const error = refusal(() => parseRequest(name, body));
    expect(error.issues.map(({ field }) => field).sort()).toEqual([...fields].sort());
    expect(error.code).toBe(code);
  });
});

it('refuses a body that is not a JSON object, saying so', () => {
  for (const body of [null, 5, 'text', [], undefined, true])
    expect(refusal(() => parseRequest('CreateLocalShipment', body)).message).toBe(
      'the body must be a JSON object',
    );
});

it('names a field once, even if it comes in many casings: else the refusal is many times the request', () => {
  const casing = (number: number) =>
    [...'useruid'].map((letter, at) => (number & (1 << at) ? letter.toUpperCase() : letter)).join('');
  const body = Object.fromEntries(
    Array.from({ length: 2 ** 7 }, (_, number) => [casing(number), 'user-anna']),
  );
  const { issues } = refusal(() => parseRequest('RemoveAccount', body));
  expect(issues).toEqual([
    { field: 'useruid', message: expect.stringContaining('more than once (useruid and Useruid)') },
  ]);
});

it('refuses to send a request that the peer would refuse, with the same code', () => {
  const error = refusal(() => encodeRequest('RemoveAccount', { userUid: '' }));
  expect(error.code).toBe('InvalidUserUid');
});
