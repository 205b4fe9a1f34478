// Each rule that the interface states refuses what breaks it, naming the field, and lets the rest through.
import { describe, expect, it } from 'vitest';
import { type ErrorCode, encodeRequest, type OperationName, parseRequest } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { refusal } from '../refusal.ts';

type Body = Readonly<Record<string, unknown>>;
type Name = keyof typeof bodies;

const wireExample = (name: OperationName): Body => encodeRequest(name, examples[name].request) as Body;
const { FromUserUid: _from, ToUserUid: _to, ...local } = wireExample('CreateLocalShipment');
const file = { name: 'a.csv', content: new Uint8Array() };
const side = { width: 1, height: 1, length: 1 };
const address = {
  streetName: 'Stationsplein',
  streetNo: '1',
  mailbox: '',
  city: 'Utrecht',
  countryCode: 'NL',
};

/** What a row adds its changes to. */
const bodies = {
  CreateLocalShipment: local,
  CreateLocalShipmentAsStock: { ...wireExample('CreateLocalShipmentAsStock'), Dimension: undefined },
  SetShipmentDetails: wireExample('SetShipmentDetails'),
  SetShipmentReceiver: { shipmentUid: 's' },
  AddShipmentObject: { shipmentUid: 's' },
  UnlockShipmentLocker: { shipmentUid: 's' },
  CancelShipment: { shipmentUid: 's' },
  SetAccountDetails: { userUid: 'user-anna' },
  SetAccountPickUpPoint: { userUid: 'user-anna' },
  SetAccountMutationConfig: { userUid: 'user-anna' },
  RemoveAccount: {},
  CreateAccount: wireExample('CreateAccount'),
  CreateOrGetAccount: wireExample('CreateOrGetAccount'),
  UploadAccountSuggestions: { data: {}, file },
  GetShipments: { pageNo: 1, pageSize: 500 },
  GetPickUpPoints: { pageNo: 1, pageSize: 500 },
  GetAccount: { userUid: 'user-anna' },
  ConfigureCallback: { authType: 'None' },
} satisfies Partial<Record<OperationName, Body>>;

const [anna, swap] = ['user-anna', { SwapsShipmentUid: 'shipment-1' }];
const delayed = { IsReceiverDelayed: true };

const accepted: readonly (readonly [rule: string, Name, Body])[] = [
  ['only From', 'CreateLocalShipment', { FromUserUid: anna }],
  ['only To', 'CreateLocalShipment', { ToUserUid: anna, FromUserUid: null }],
  ['no user when it swaps and the receiver is delayed', 'CreateLocalShipment', { ...swap, ...delayed }],
  ['From with a delayed receiver', 'CreateLocalShipment', { FromUserUid: anna, ToUserUid: '', ...delayed }],
  [
    'From with a delayed receiver and a swap',
    'CreateLocalShipment',
    { FromUserUid: anna, ...swap, ...delayed },
  ],
  ['a Dimension of 1 cm', 'CreateLocalShipmentAsStock', { Dimension: side }],
  ['a null Description', 'SetShipmentDetails', { Description: null }],
  ['a receiver to remove that is not named', 'SetShipmentReceiver', { removeReceiver: true }],
  ['anything as receiver when removing', 'SetShipmentReceiver', { removeReceiver: true, toUserUid: '' }],
  ['an empty pinCode', 'UnlockShipmentLocker', { unlockGoal: null, pinCode: '' }],
  ['both names', 'SetAccountDetails', { firstName: 'Anna', lastName: 'Jansen' }],
  ['a whole address', 'SetAccountDetails', address],
  ['part of an address on creation', 'CreateAccount', { city: 'Utrecht', streetName: null }],
  ['a phone number with 00', 'SetAccountDetails', { phoneNumber: '0031612345678' }],
  ['a phone number with separators', 'SetAccountDetails', { phoneNumber: '+31 (6) 12-34.56 78' }],
  [
    'no weight, parts of a gram, and one',
    'AddShipmentObject',
    { details: { weight: 0.25, count: 1, dimension: side } },
  ],
  ['an unknown field', 'CancelShipment', { shipmentColour: 'red' }],
  ['a time with an offset', 'GetShipments', { updatedSince: '2026-03-02T09:15:00+01:00' }],
];

/** `fields`: those that the refusal names. */
const refused: readonly (readonly [rule: string, Name, Body, fields: string, code?: ErrorCode])[] = [
  ['one of From and To', 'CreateLocalShipment', {}, 'FromUserUid'],
  [
    'one of From and To that is not empty',
    'CreateLocalShipment',
    { FromUserUid: '', ToUserUid: '' },
    'FromUserUid',
  ],
  ['one of From and To without a swap', 'CreateLocalShipment', delayed, 'FromUserUid'],
  ['one of From and To with a swap to a known receiver', 'CreateLocalShipment', swap, 'FromUserUid'],
  [
    'no To with a delayed receiver',
    'CreateLocalShipment',
    { FromUserUid: anna, ToUserUid: anna, ...delayed },
    'ToUserUid',
  ],
  [
    'every offending field at once',
    'CreateLocalShipment',
    { PupUid: 5, Dimension: { ...side, height: 0.5 } },
    'PupUid Dimension.height FromUserUid',
  ],
  [
    'a minimum of 1 cm for each side',
    'CreateLocalShipmentAsStock',
    { Dimension: { width: 0.99, height: 0, length: -1 } },
    'Dimension.width Dimension.height Dimension.length',
  ],
  [
    'a minimum of 1 cm for each side of an object',
    'AddShipmentObject',
    { details: { dimension: { ...side, length: 0 } } },
    'details.dimension.length',
  ],
  [
    'a weight that is not negative, and a count of whole objects',
    'AddShipmentObject',
    { details: { weight: -0.5, count: 2.25 } },
    'details.weight details.count',
  ],
  ['a count from 1', 'AddShipmentObject', { details: { weight: 0, count: 0 } }, 'details.count'],
  ['a receiver to set', 'SetShipmentReceiver', { toUserUid: '' }, 'toUserUid'],
  ['an unlockGoal of DropOff or PickUp', 'UnlockShipmentLocker', { unlockGoal: 'Steal' }, 'unlockGoal'],
  ['both names: last', 'SetAccountDetails', { firstName: 'Anna' }, 'lastName'],
  ['both names: first', 'SetAccountDetails', { lastName: 'Jansen', firstName: null }, 'firstName'],
  [
    'a whole address, beside another wrong field',
    'SetAccountDetails',
    { city: 'Utrecht', emailAddress: 'anna' },
    'emailAddress streetName streetNo mailbox countryCode',
  ],
  ['an international phone number', 'CreateAccount', { phoneNumber: '0612345678' }, 'phoneNumber'],
  ['a phone number that has kept its +', 'CreateAccount', { phoneNumber: '31612345678' }, 'phoneNumber'],
  ['a country of the ISO list', 'CreateAccount', { countryCode: 'XX' }, 'countryCode'],
  ['a country of two letters', 'CreateAccount', { countryCode: 'NLD' }, 'countryCode'],
  ['a language of the forms', 'CreateAccount', { languageCode: 'Dutch' }, 'languageCode'],
  ['a language with a hyphen', 'CreateAccount', { languageCode: 'nl_NL' }, 'languageCode'],
  ['an e-mail address', 'CreateAccount', { emailAddress: 'anna@' }, 'emailAddress'],
  ['a user name of some length', 'CreateAccount', { userName: 'x'.repeat(321) }, 'userName'],
  ['pages from 1', 'GetShipments', { pageNo: 0, pageSize: 501 }, 'pageNo pageSize'],
  ['an order that exists', 'GetShipments', { sortBy: 'Newest' }, 'sortBy'],
  ['a point in time', 'GetShipments', { updatedSince: 'yesterday' }, 'updatedSince'],
  ['only one key', 'GetAccount', { emailAddress: 'anna@example.com' }, 'emailAddress'],
  ['a web address', 'ConfigureCallback', { url: 'file:///etc/hosts' }, 'url'],
  ['text without half a surrogate pair', 'GetPickUpPoints', { searchText: 'a\ud800' }, 'searchText'],
  ['text without NUL', 'GetPickUpPoints', { searchText: 'a\0b' }, 'searchText'],
  ['a uid of some length', 'CancelShipment', { shipmentUid: 's'.repeat(201) }, 'shipmentUid'],
  [
    'one casing of a name',
    'CreateLocalShipmentAsStock',
    { Dimension: { ...side, Width: 2 }, dimension: side },
    'Dimension Dimension.width',
  ],
  // interface: Errors: what has a code of its own when it is absent or invalid.
  ['a user to set details of', 'SetAccountDetails', { userUid: undefined }, 'userUid', 'InvalidUserUid'],
  [
    'a user whose pick up point is set',
    'SetAccountPickUpPoint',
    { userUid: null },
    'userUid pickUpPointUid',
    'InvalidUserUid',
  ],
  ['a pick up point to set', 'SetAccountPickUpPoint', {}, 'pickUpPointUid', 'InvalidPupUid'],
  ['a user to set flags of', 'SetAccountMutationConfig', { userUid: '' }, 'userUid', 'InvalidUserUid'],
  ['a user to remove', 'RemoveAccount', { userUid: 7 }, 'userUid', 'InvalidUserUid'],
  [
    'a pick up point of the new account',
    'CreateAccount',
    { pickUpPointUid: null },
    'pickUpPointUid',
    'InvalidPupUid',
  ],
  [
    'a pick up point of the account to get',
    'CreateOrGetAccount',
    { pickUpPointUid: '' },
    'pickUpPointUid',
    'InvalidPupUid',
  ],
  [
    'more than a pick up point',
    'CreateAccount',
    { pickUpPointUid: null, emailAddress: null },
    'emailAddress pickUpPointUid',
  ],
  ['part data', 'UploadAccountSuggestions', { data: undefined }, 'data', 'NoRequestData'],
  ['part data as an object', 'UploadAccountSuggestions', { data: 'x' }, 'data', 'NoRequestData'],
  ['part file', 'UploadAccountSuggestions', { file: undefined }, 'file', 'NoRequestFile'],
  [
    'both parts',
    'UploadAccountSuggestions',
    { data: undefined, file: undefined },
    'data file',
    'NoRequestData',
  ],
];

describe('a request that the rules allow', () => {
  it.each(accepted)('%s is accepted by %s', (_rule, name, changes) => {
    expect(() => parseRequest(name, { ...bodies[name], ...changes })).not.toThrow();
  });
});

describe('a field that the rules require', () => {
  const rows = refused.map(([rule, name, ...row]) => ({ rule, name, row }));

  it.each(rows)('$rule is required by $name', ({ name, row }) => {
    const [changes, fields, code = 'InvalidRequest'] = row;
    const error = refusal(() => parseRequest(name, { ...bodies[name], ...changes }));
    expect([...new Set(error.issues.map(({ field }) => field))].sort()).toEqual(fields.split(' ').sort());
    expect(error.code).toBe(code);
    for (const field of fields.split(' ')) expect(error.message).toContain(field);
  });
});

it('a refused request names what it has and no field takes', () => {
  const { shipmentUid: given } = bodies.CancelShipment;
  const error = refusal(() => parseRequest('CancelShipment', { shipmentUuid: given, details: {} }));
  expect(error.issues.map(({ field }) => field)).toEqual(['shipmentUid', 'shipmentUuid', 'details']);
  expect(error.message).toContain('shipmentUuid: is not a field of this request, and was not read');
});

// assumptions: Accounts and upload, Codes of languages and countries
it.each([
  ['languageCode', 'NL', 'nl'],
  ['languageCode', 'nl-nl', 'nl-NL'],
  ['languageCode', 'EN-gb', 'en-GB'],
  ['countryCode', 'Be', 'BE'],
] as const)('reads the %s %s in any case, as %s', (field, given, kept) => {
  expect(parseRequest('CreateAccount', { ...bodies.CreateAccount, [field]: given })[field]).toBe(kept);
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

it('refuses to send a request that the service would refuse, with the same code', () => {
  const error = refusal(() => encodeRequest('RemoveAccount', { userUid: '' }));
  expect(error.code).toBe('InvalidUserUid');
});

it('says what a field must be and what it is, with a long text cut, and names the others of a group', () => {
  const words = (name: OperationName, body: object) =>
    refusal(() => parseRequest(name, body)).message.split('; ');
  expect(words('GetShipments', { pageNo: 1.5, pageSize: 501, sortBy: 'x'.repeat(9_000) })).toEqual([
    'pageNo: must be a whole number, not 1.5',
    'pageSize: must be at most 500, not 501',
    `sortBy: must be one of CreatedAsc, CreatedDesc, ActivityAsc, ActivityDesc, not "${'x'.repeat(60)}…"`,
  ]);
  expect(words('SetAccountDetails', { userUid: 'u', firstName: 'A' })).toEqual([
    'lastName: is required when firstName is given',
  ]);
});
