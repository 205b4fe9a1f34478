// @module-tag invariant
// Nothing of a tenant's pick up points, lockers and shipments is visible or touchable for another, on any operation, by
// any uid: another tenant's uid looks exactly like one that does not exist (assumptions: The wire).
import { beforeAll, expect, test } from 'vitest';
import { type OperationName, operationNames, operationRow } from '../../../contract/index.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { messagesOf } from '../../support/notifications.ts';
import { eachSampled } from '../../support/suite.ts';
import { useTenants } from '../../support/use-service.ts';

let foreign: Record<'shipmentUid' | 'priorShipmentUid' | 'swapsShipmentUid' | 'shipmentObjectUid', string>;
const unknown = 'unknown-uid';

const { service, demo, other } = useTenants();
beforeAll(async () => {
  const [shipmentUid] = await demo.book('CreateLocalShipmentAsStock');
  const { shipmentObjectUid } = await demo.ok('AddShipmentObject', { shipmentUid, details: {} });
  foreign = {
    shipmentUid,
    priorShipmentUid: shipmentUid,
    swapsShipmentUid: shipmentUid,
    shipmentObjectUid: String(shipmentObjectUid),
  };
});

const state = async () => {
  const tables = ['shipments', 'lockers', 'access_codes', 'shipment_objects', 'shipment_events'] as const;
  return Promise.all(tables.map((table) => service.database.selectFrom(table).selectAll().execute()));
};

const onShipments = operationNames.filter((name) => !operationRow(name).path.startsWith('/v1/Account/'));
const named = (field: string) => onShipments.filter((name) => field in operationRow(name).request.shape);

/** The other tenant's own place, so that nothing but the uid in question is foreign. */
const ownRequest = (name: OperationName) => ({
  ...examples[name].request,
  ...('pupUid' in examples[name].request && { pupUid: 'pup-other' }),
});

const cases = (['shipmentUid', 'priorShipmentUid', 'swapsShipmentUid', 'shipmentObjectUid'] as const).flatMap(
  (field) => named(field).map((name) => ({ field, name })),
);

test.each(cases)('$name looks the same for a foreign and for an unknown $field', async ({ field, name }) => {
  const before = await state();
  const body = (uid: string) => ({ ...ownRequest(name), [field]: uid });
  const [toForeign, toUnknown] = [
    await other.call(name, body(foreign[field])),
    await other.call(name, body(unknown)),
  ];
  const text = JSON.stringify(toForeign.body);
  expect(text.replaceAll(foreign[field], unknown)).toBe(JSON.stringify(toUnknown.body));
  expect(toForeign.status).toBe(toUnknown.status);
  if ('totalItems' in examples[name].response)
    expect(toForeign.body).toMatchObject({ success: true, totalItems: 0, items: [] });
  else expect(toForeign).toMatchObject({ status: 404, body: { success: false } });
  expect(await state()).toEqual(before);
});

const placed = (['pupUid', 'bookedPupUid', 'lockerUid'] as const).flatMap((field) =>
  named(field).map((name) => ({ field, name })),
);

test.each(placed)('$name looks the same for a foreign and for an unknown $field', async ({ field, name }) => {
  const before = await state();
  const uid = field === 'lockerUid' ? 'pup-central-1' : 'pup-central';
  const answers = await Promise.all(
    [uid, unknown].map((value) => other.call(name, { ...ownRequest(name), [field]: value })),
  );
  const [toForeign, toUnknown] = answers.map(({ status, body }) => ({
    status,
    body: JSON.stringify(body).replaceAll(uid, unknown),
  }));
  expect(toForeign).toEqual(toUnknown);
  expect(await state()).toEqual(before);
});

/** Fields that name what is not a tenant's own, or only filter what is the caller's own. */
const nobodysOwn: Readonly<Record<string, string>> = {
  fromUserUid: 'any account may be a user of a shipment (assumptions: Lockers and codes): below',
  toUserUid: 'likewise',
  userUid: 'filters own shipments: below; of the account operations: test/service/accounts',
  pickUpPointUid: 'of the account operations: test/service/accounts',
  uid: "filters the tenant's own audit log: test/service/audit.test.ts",
};

test('every field of every operation that names a thing is tried with what another tenant has', () => {
  const tried = new Set([...cases, ...placed].map(({ name, field }) => `${name} ${field}`));
  const untried = operationNames.flatMap((name) =>
    Object.keys(operationRow(name).request.shape)
      .filter((field) => /uid$/i.test(field) && !tried.has(`${name} ${field}`))
      .map((field) => ({ name, field })),
  );
  for (const { name, field } of untried) {
    expect(nobodysOwn[field], `${name} ${field}`).toBeDefined();
    if (field === 'pickUpPointUid') expect(operationRow(name).path).toContain('/Account/');
  }
  expect(new Set(untried.map(({ field }) => field))).toEqual(new Set(Object.keys(nobodysOwn)));
});

test('listings, walls and events show no data of another tenant', async () => {
  const page = { pageNo: 1, pageSize: 500 };
  const [shipmentUid] = await demo.book('CreateLocalShipment');
  await demo.drop(shipmentUid);
  const { toUserUid: userUid } = examples.CreateLocalShipment.request;
  expect((await demo.ok('GetShipments', { ...page, userUid })).items).not.toEqual([]);
  for (const name of ['GetShipments', 'GetLocalShipments', 'GetCollectOnlyShipments'] as const)
    for (const request of [page, { ...page, userUid }])
      expect(await other.ok(name, request)).toMatchObject({ totalItems: 0, items: [] });
  const { items } = await other.ok('GetPickUpPoints', { ...page, includeDetails: true });
  expect(items).toMatchObject([{ pupUid: 'pup-other', lockers: { length: 6 } }]);
  expect(await other.refused('GetShipmentEvents', { shipmentUid })).toMatchObject({
    error: 'InvalidShipment',
  });
  const { items: lockers } = await other.ok('GetLockers', page);
  expect((lockers as { pupUid: string }[]).map(({ pupUid }) => pupUid)).toEqual(Array(6).fill('pup-other'));
});

const withUser = (['fromUserUid', 'toUserUid'] as const).flatMap((field) =>
  named(field).map((name) => ({ field, name })),
);

// assumptions: Lockers and codes, Who may be a user of a shipment
eachSampled(
  test,
  withUser,
  6,
)(
  "$name with another tenant's user as $field reveals nothing of that user but the uid that was given",
  async ({ field, name }) => {
    const attributes = {
      emailAddress: 'olga.vdb@mail.example',
      userName: 'olga-vdb',
      pickUpPointUid: 'pup-other',
      firstName: 'Olgalina',
      lastName: 'Vandenbrande',
      phoneNumber: '+32470123456',
      languageCode: 'fr-BE',
      streetName: 'Kouter',
      streetNo: '77bis',
      mailbox: 'bus-9',
      city: 'Evergem',
    };
    const account = await other.ok('CreateOrGetAccount', { ...attributes, countryCode: 'BE' });
    const userUid = String(account.userUid);
    const seen: string[] = [];
    const call = async (operation: OperationName, request: object) => {
      const { body } = await demo.call(operation, request);
      seen.push(JSON.stringify(body));
      return body;
    };
    const request: Record<string, unknown> = { ...examples[name].request, [field]: userUid };
    const [stock] = await demo.book('CreateLocalShipmentAsStock');
    for (const uid of ['shipmentUid', 'priorShipmentUid']) if (uid in request) request[uid] = stock;
    const answer = await call(name, request);
    expect(answer).toMatchObject({ success: true });
    const booked = [answer.shipmentUids ?? answer.shipmentUid ?? stock].flat().map(String);
    for (const unlockGoal of ['DropOff', 'PickUp', 'DropOff'])
      for (const shipmentUid of booked) await call('UnlockShipmentLocker', { shipmentUid, unlockGoal });
    const page = { pageNo: 1, pageSize: 500 };
    for (const read of operationNames.filter((each) => operationRow(each).effect === 'none')) {
      if (read === 'GetAccount' || read === 'GetAccountMutationConfig') continue;
      for (const shipmentUid of booked) await call(read, { ...examples[read].request, ...page, shipmentUid });
      await call(read, { ...examples[read].request, ...page, userUid, searchText: 'olga' });
    }
    seen.push(JSON.stringify(await messagesOf(service.database, [...booked, stock])));
    for (const shipmentUid of [...booked, stock]) await demo.call('CancelShipment', { shipmentUid });
    const text = seen.join('\n');
    expect(text).toContain(userUid);
    for (const value of [...Object.values(attributes), account.mailCode]) expect(text).not.toContain(value);
    // Nor does the tenant that manages the account learn that a shipment names it.
    expect(await other.ok('GetShipments', { ...page, userUid })).toMatchObject({ totalItems: 0, items: [] });
  },
);

test("another tenant's code opens nothing", async () => {
  const { deliveryCode } = await demo.codes(foreign.shipmentUid);
  const { lockerName } = await demo.shipment(foreign.shipmentUid);
  const typed = { pupUid: 'pup-central', lockerName, pinCode: deliveryCode };
  await other.refuses('SimulateLockerAccess', typed, 'InvalidPupUid');
  expect(await demo.states(foreign.shipmentUid)).toEqual(['ReadyForDropoff']);
});

const inSandbox: [path: string, body: (lockerUid: string, pupUid: string) => object][] = [
  ['faults', (lockerUid) => ({ lockerUid, fault: 'stuck' })],
  ['faults', (_, pupUid) => ({ pupUid, fault: 'offline' })],
];

test.each(inSandbox)('/sandbox/%s does nothing to what another tenant has', async (path, body) => {
  const [shipmentUid = ''] = await demo.book('CreateLocalShipment');
  await demo.drop(shipmentUid);
  const before = await state();
  const answer = await other.sandbox('POST', path, body('pup-central-1', 'pup-central'));
  expect(answer).toMatchObject({ status: 404, body: { success: false } });
  expect(await state()).toEqual(before);
});
