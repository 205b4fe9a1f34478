// An empty string is not a value in an optional uid, user name, phone number, language or country code, and in the upload's
// reference: many clients write one for a field that they leave out. Codes are read whatever their case.
import { describe, expect, it } from 'vitest';
import { encodeRequest, type OperationName, operationRow, parseRequest } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { refusal } from '../refusal.ts';

type Body = Readonly<Record<string, unknown>>;

const wireExample = (name: OperationName): Body => encodeRequest(name, examples[name].request) as Body;

const local = wireExample('CreateLocalShipment');
const newAccount = wireExample('CreateAccount');
const page = { pageNo: 1, pageSize: 10 };
const file = { name: 'march.csv', content: new Uint8Array([1]) };

const optionalFields: readonly (readonly [OperationName, field: string, Body])[] = [
  ['CreateLocalShipment', 'FromUserUid', { ...local, ToUserUid: 'user-anna' }],
  ['CreateLocalShipment', 'ToUserUid', { ...local, FromUserUid: 'user-anna' }],
  ['CreateLocalShipment', 'SwapsShipmentUid', local],
  ...[
    'CreateLocalShipment',
    'CreateLocalShipmentAsIssue',
    'CreateLocalShipmentAsIssueAndSwapIntake',
    'CreateLocalShipmentAsStock',
    'CreateLocalShipmentAsIntake',
    'CreateLocalShipmentAsIntakeAndCircularStock',
    'CreateCollectOnlyShipment',
    'CreateCollectOnlyShipmentAsCollectByDispatcher',
    'CreateCollectOnlyShipmentAsCollectByUser',
  ].map((name) => [name as OperationName, 'LockerUid', wireExample(name as OperationName)] as const),
  ['CreateCollectOnlyShipment', 'ToUserUid', wireExample('CreateCollectOnlyShipment')],
  ['SetShipmentReceiver', 'toUserUid', { shipmentUid: 's', removeReceiver: true }],
  ['GetShipments', 'userUid', page],
  ['GetShipments', 'bookedPupUid', page],
  ['GetShipments', 'shipmentUid', page],
  ['GetPickUpPoints', 'pupUid', page],
  ['GetAccount', 'userUid', { emailAddress: 'anna@example.com' }],
  ['GetAccount', 'userName', { userUid: 'user-anna' }],
  ['SetAccountDetails', 'phoneNumber', { userUid: 'user-anna' }],
  ['SetAccountDetails', 'languageCode', { userUid: 'user-anna' }],
  ['SetAccountDetails', 'countryCode', { userUid: 'user-anna' }],
  ...(['CreateAccount', 'CreateOrGetAccount'] as const).flatMap((name) =>
    ['phoneNumber', 'userName', 'languageCode', 'countryCode'].map(
      (field) => [name, field, newAccount] as const,
    ),
  ),
];

describe('an empty string', () => {
  it.each(optionalFields)('is not a value for %s: %s', (name, field, body) => {
    const { [field]: _, ...without } = body;
    expect(parseRequest(name, { ...without, [field]: '' })).toEqual({
      ...parseRequest(name, without),
      [own(name, field)]: null,
    });
  });

  it("is not a value for the upload's reference", () => {
    const { data } = parseRequest('UploadAccountSuggestions', { data: { reference: '' }, file });
    expect(data.reference).toBeNull();
  });

  it('counts as absent in the rules over several fields', () => {
    const { FromUserUid: _from, ToUserUid: _to, ...neither } = local;
    const issues = (name: OperationName, body: Body) =>
      refusal(() => parseRequest(name, body)).issues.map(({ field }) => field);
    expect(issues('CreateLocalShipment', { ...neither, FromUserUid: '', ToUserUid: '' })).toEqual([
      'FromUserUid',
    ]);
    expect(
      issues('SetAccountDetails', {
        userUid: 'u',
        city: 'Utrecht',
        streetName: '',
        streetNo: '',
        mailbox: '',
        countryCode: '',
      }),
    ).toEqual(['countryCode']);
    expect(() =>
      parseRequest('CreateLocalShipment', {
        ...neither,
        FromUserUid: 'user-anna',
        ToUserUid: '',
        IsReceiverDelayed: true,
      }),
    ).not.toThrow();
  });

  it.each([
    ['CancelShipment', 'shipmentUid', {}],
    ['CreateLocalShipmentAsIssue', 'ToUserUid', wireExample('CreateLocalShipmentAsIssue')],
    ['SetShipmentReceiver', 'toUserUid', { shipmentUid: 's' }],
    ['CreateAccount', 'firstName', newAccount],
  ] as const)('is refused where a value is required: %s: %s', (name, field, body) => {
    const error = refusal(() => parseRequest(name, { ...body, [field]: '' }));
    expect(error.issues.map((issue) => issue.field)).toEqual([field]);
  });
});

describe('a code', () => {
  it.each([
    ['nl', 'nl'],
    ['NL', 'nl'],
    ['nl-nl', 'nl-NL'],
    ['EN-gb', 'en-GB'],
    ['en-GB', 'en-GB'],
  ])('of a language is read in any case: %s is %s', (given, kept) => {
    expect(parseRequest('CreateAccount', { ...newAccount, languageCode: given }).languageCode).toBe(kept);
    expect(
      parseRequest('SetAccountDetails', { userUid: 'user-anna', languageCode: given }).languageCode,
    ).toBe(kept);
  });

  it.each([
    ['nl', 'NL'],
    ['Be', 'BE'],
    ['ZW', 'ZW'],
  ])('of a country is read in any case: %s is %s', (given, kept) => {
    expect(parseRequest('CreateAccount', { ...newAccount, countryCode: given }).countryCode).toBe(kept);
  });
});

/** The property's name within lockerflow. */
function own(name: OperationName, field: string): string {
  const found = Object.keys(operationRow(name).request.shape).find(
    (property) => property.toLowerCase() === field.toLowerCase(),
  );
  if (found === undefined) throw new TypeError(`${name} has no field ${field}`);
  return found;
}
