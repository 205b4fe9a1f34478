// The form of each operation of the interface, over real HTTP and in the interface's own names: its path, the fields that its
// request must have and may have, and the fields of its answer. In npm test each rule is tried with some of the operations: the
// form of each is a table (contract), from which all of them are read.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type InterfaceRow, interfaceTable } from '../contract/operations/interface-table.ts';
import { csv } from '../service/accounts/suggestions/upload.ts';
import { accessToken, post, type Reply } from '../support/caller.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { spreadOf } from '../support/suite.ts';
import { type Wall, wallOf } from '../support/wall.ts';
import { type Body, fullRequests, type JsonOperation, jsonOperations } from './requests.ts';

let service: TestService;
let wall: Wall;
let authorization: string;

beforeAll(async () => {
  service = await createTestService();
  wall = await wallOf(service.address);
  authorization = `Bearer ${await accessToken(service.address)}`;
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => wall.sandbox('POST', 'reset'));

const rowOf = (name: JsonOperation): InterfaceRow => interfaceTable[name];
const names = (list = '') => list.split(' ').filter((name) => name !== '');
const pathOf = (name: JsonOperation) =>
  `${service.address}/v1/${/Account(?!s)/.test(name) ? 'Account' : 'Logistics'}/${name}`;

const send = (name: JsonOperation, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  post(pathOf(name), typeof body === 'string' ? body : JSON.stringify(body), {
    'content-type': 'application/json',
    authorization,
    ...headers,
  });

/** Sets or, with undefined, removes a field of a copy; a dot leads into a nested object. */
function changed(body: Body, path: string, value: unknown): Body {
  const [key = '', ...rest] = path.split('.');
  const inner = rest.length > 0 ? changed(body[key] as Body, rest.join('.'), value) : value;
  const { [key]: _, ...others } = body;
  return inner === undefined ? others : { ...others, [key]: inner };
}

const full = (name: JsonOperation): Promise<Body> => fullRequests[name](wall);

/** Only what is required; what lies within an optional object goes with that object. */
function minimal(name: JsonOperation, request: Body): Body {
  const { required, oneOf } = rowOf(name);
  const kept = new Set([...names(required), oneOf].map((path) => path?.split('.')[0]));
  return Object.fromEntries(Object.entries(request).filter(([key]) => kept.has(key)));
}

const envelope = ['error', 'message', 'success'];
const failure = { success: false, error: expect.any(String), message: expect.any(String) };
const succeeded = { status: 200, body: { success: true, error: null } };

test('these are the 26 operations of the interface with a JSON body', () => {
  expect(jsonOperations).toHaveLength(26);
});

// interface: Endpoints
test.each(jsonOperations)('%s takes all its fields, and answers with exactly its own', async (name) => {
  const { status, headers, body } = await send(name, await full(name));
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  expect(body).toMatchObject({ success: true, error: null, message: null });
  expect(Object.keys(body).sort()).toEqual([...names(rowOf(name).answer), ...envelope].sort());
  const uids = Object.entries(body).filter(([field]) => /Uids?$/.test(field));
  for (const [field, uid] of uids)
    for (const each of field === 'shipmentUids' ? (uid as unknown[]) : [uid])
      expect(each, field).toEqual(expect.stringMatching(/./));
});

test.each(spreadOf(jsonOperations, 4))(
  '%s takes a request without its optional fields, or with null in each',
  async (name) => {
    expect(await send(name, minimal(name, await full(name)))).toMatchObject(succeeded);
    const { optional, oneOf } = rowOf(name);
    for (const field of names(optional).filter((each) => each !== oneOf)) {
      await wall.sandbox('POST', 'reset');
      const request = await full(name);
      const [outer = ''] = field.split('.');
      const withNull = changed(request, field, null);
      const body = { ...minimal(name, request), [outer]: withNull[outer] };
      expect(await send(name, body), field).toMatchObject(succeeded);
    }
  },
);

/** interface: Errors: what is absent or invalid here has a code of its own. */
const ownCodes: Partial<Record<JsonOperation, Readonly<Record<string, string>>>> = {
  SetAccountDetails: { userUid: 'InvalidUserUid' },
  SetAccountPickUpPoint: { userUid: 'InvalidUserUid', pickUpPointUid: 'InvalidPupUid' },
  SetAccountMutationConfig: { userUid: 'InvalidUserUid' },
  RemoveAccount: { userUid: 'InvalidUserUid' },
  CreateAccount: { pickUpPointUid: 'InvalidPupUid' },
  CreateOrGetAccount: { pickUpPointUid: 'InvalidPupUid' },
};

/** interface: SetShipmentDetails: "null accepted for Description". */
const mayBeNull = (name: JsonOperation, field: string) =>
  name === 'SetShipmentDetails' && field === 'Description';

async function expectRefusal(name: JsonOperation, request: Body, field: string): Promise<void> {
  const { body } = await send(name, request);
  const error = ownCodes[name]?.[field] ?? 'InvalidRequest';
  expect(body, field).toEqual({ ...failure, error, message: expect.stringContaining(field) });
}

test.each(spreadOf(jsonOperations, 4, 1))(
  '%s is refused without each required field, or with null, naming it',
  async (name) => {
    const request = await full(name);
    for (const field of names(rowOf(name).required)) {
      await expectRefusal(name, changed(request, field, undefined), field);
      if (mayBeNull(name, field))
        expect(await send(name, changed(request, field, null))).toMatchObject(succeeded);
      else await expectRefusal(name, changed(request, field, null), field);
    }
  },
);

const ofAnotherType = (value: unknown) => (typeof value === 'string' ? 7 : 'text');

test.each(spreadOf(jsonOperations, 4, 2))(
  '%s is refused with a field of another type, naming it',
  async (name) => {
    const request = await full(name);
    const { required, optional } = rowOf(name);
    for (const path of names(`${required} ${optional}`)) {
      const value = path.split('.').reduce<unknown>((object, key) => (object as Body)[key], request);
      await expectRefusal(name, changed(request, path, ofAnotherType(value)), path);
    }
  },
);

const withDimension = jsonOperations.filter((name) =>
  /dimension/i.test(rowOf(name).required + rowOf(name).optional),
);

// interface: Dimension
test.each(spreadOf(withDimension, 5))(
  '%s takes sides of 1 cm, and refuses a smaller one, naming it',
  async (name) => {
    const at = name === 'AddShipmentObject' ? 'details.dimension' : 'Dimension';
    const one = changed(await full(name), at, { width: 1, height: 1, length: 1 });
    for (const side of ['width', 'height', 'length'])
      for (const tooSmall of [0.99, 0, -1])
        await expectRefusal(name, changed(one, `${at}.${side}`, tooSmall), `${at}.${side}`);
    expect(await send(name, one)).toMatchObject(succeeded);
  },
);

test.each(spreadOf(jsonOperations, 4, 3))(
  '%s is a POST of JSON with a valid access token, else it is refused',
  async (name) => {
    const request = JSON.stringify(await full(name));
    for (const refused of [
      { authorization: '' },
      { authorization: 'Bearer invalid' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ])
      expect((await send(name, request, refused)).body, JSON.stringify(refused)).toEqual(failure);
    const read = await fetch(pathOf(name), { headers: { authorization } });
    expect([read.headers.get('allow'), await read.json()]).toEqual(['POST', failure]);
    expect(await send(name, request)).toMatchObject(succeeded);
  },
);

// interface: UploadAccountSuggestions
test('UploadAccountSuggestions takes its two parts, and answers with exactly its fields', async () => {
  const form = new FormData();
  form.append('data', JSON.stringify({ reference: 'march' }));
  form.append('file', new File([csv('cor@example.com;;;Cor;Visser;;', 'wrong;;;;;;')], 'residents.csv'));
  const response = await fetch(`${service.address}/v1/Account/UploadAccountSuggestions`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  expect(await response.json()).toEqual({
    reference: 'march',
    totalCount: 2,
    importedCount: 1,
    existedCount: 0,
    removedCount: 0,
    errorCount: 1,
    dateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    errorLogs: [{ id: expect.any(String), message: expect.any(String) }],
    success: true,
    error: null,
    message: null,
  });
});
