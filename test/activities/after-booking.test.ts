// The activities of a flow that is under way: undoing, the receiver, reports that are not its own, the reconciler.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UndoInput } from '../../activities/flow-activities.ts';
import type { Progress, ShipmentRecord, ShipmentReport } from '../../contract/index.ts';
import { spreadOf } from '../support/suite.ts';
import {
  applicationFailure,
  inTurn,
  reset,
  startApiPeer,
  succeeded,
  useActivityWorker,
} from './activity-harness.ts';
import { failure, json, type Reply } from './api/peer.ts';

const harness = useActivityWorker();
const withListing = { LOCKER_CAPABILITIES: 'getShipments' };

const listed = (shipmentUid: string, fields: Partial<ShipmentRecord> = {}): ShipmentRecord => ({
  shipmentUid,
  shipmentType: 'LocalPupShipment',
  stateCode: 'ReadyForDropoff',
  stateStart: '2031-05-01T12:00:00',
  referenceNo: null,
  referenceCaseNo: null,
  description: null,
  fromUserUid: 'main',
  toUserUid: null,
  pupUid: 'pup-central',
  lockerName: '7',
  swapsShipmentUid: null,
  priorShipmentUid: null,
  circularPriorShipmentUid: null,
  lastPickUpAt: null,
  ...fields,
});

const listing =
  (...records: ShipmentRecord[]): Reply =>
  (response, asked) => {
    const { shipmentUid } = JSON.parse(asked.body);
    const items = records.filter((each) => !shipmentUid || each.shipmentUid === shipmentUid);
    const page = { items, pageNo: 1, pageSize: 500, totalItems: items.length, totalPages: 1 };
    return succeeded('GetShipments', page)(response, asked);
  };

const done = succeeded('CancelShipment', {});
const wrongState = failure(409, 'InvalidShipmentState');

describe('undoing', () => {
  const shipment = (isIssuedFromStock = false, stateCode: string | null = null): UndoInput => ({
    shipments: [{ shipmentUid: 'shipment-1', stateCode, isIssuedFromStock }],
  });
  const result = (undone: string, stateCode: string | null = null, error: string | null = null) => ({
    shipments: [{ shipmentUid: 'shipment-1', undone, stateCode, error }],
  });

  it('cancels each shipment, and goes on with the others when one fails', async () => {
    const cancel: Reply = (response, asked) => {
      const { shipmentUid } = JSON.parse(asked.body);
      return (shipmentUid === 'unknown' ? failure(404, 'InvalidShipment') : done)(response, asked);
    };
    const { api } = await startApiPeer({ CancelShipment: cancel });
    const uids = ['one', 'unknown', 'two'];
    const input = {
      shipments: uids.map((shipmentUid) => ({ shipmentUid, stateCode: null, isIssuedFromStock: false })),
    };
    const { shipments } = await harness(api).run('undo', input);
    expect(shipments.map(({ undone, error }) => [undone, error])).toEqual([
      ['Cancelled', null],
      ['NotUndone', 'InvalidShipment'],
      ['Cancelled', null],
    ]);
  });

  it.each([
    ['Completed', 'Completed'],
    ['Cancelled', 'Cancelled'],
    ['SomethingElse', null],
  ])(
    'treats InvalidShipmentState as an end, and reports the end that the listing shows: %s',
    async (stateCode, told) => {
      const { api } = await startApiPeer({
        CancelShipment: wrongState,
        GetShipments: listing(listed('shipment-1', { stateCode })),
      });
      expect(await harness(api, withListing).run('undo', shipment())).toEqual(result('AlreadyEnded', told));
    },
  );

  it('takes InvalidShipmentState for an end without a listing too', async () => {
    const { api } = await startApiPeer({ CancelShipment: wrongState });
    expect(await harness(api).run('undo', shipment())).toEqual(result('AlreadyEnded'));
  });

  it('tries again while the answer is lost or the service is away', async () => {
    const { api, sent } = await startApiPeer({
      CancelShipment: inTurn(reset, failure(500, 'InternalError'), done),
    });
    expect(await harness(api).run('undo', shipment())).toEqual(result('Cancelled'));
    expect(sent('CancelShipment')).toHaveLength(3);
  });

  it('takes only the receiver from stock whose item is not in the locker yet', async () => {
    const { api, sent } = await startApiPeer({ SetShipmentReceiver: done });
    expect(await harness(api).run('undo', shipment(true, 'ReadyForDropoff'))).toEqual(
      result('ReceiverRemoved'),
    );
    expect(sent('SetShipmentReceiver')[0]?.body).toMatchObject({
      shipmentUid: 'shipment-1',
      removeReceiver: true,
    });
  });

  it('cancels stock if its receiver can no longer be removed', async () => {
    const { api, sent } = await startApiPeer({ SetShipmentReceiver: wrongState, CancelShipment: done });
    expect(await harness(api).run('undo', shipment(true))).toEqual(result('Cancelled'));
    expect(await harness(api).run('undo', shipment(true, 'ReadyForPickup'))).toEqual(result('Cancelled'));
    expect(sent('SetShipmentReceiver')).toHaveLength(1);
  });

  it.each(['Registered', 'ReadyForDropoff', 'WaitForReceiver'])(
    'does not cancel stock in %s whose receiver an earlier call took away',
    async (stateCode) => {
      const { api, sent } = await startApiPeer({
        SetShipmentReceiver: inTurn(reset, wrongState),
        CancelShipment: done,
        GetShipments: listing(listed('shipment-1', { stateCode })),
      });
      expect(await harness(api, withListing).run('undo', shipment(true))).toEqual(result('ReceiverRemoved'));
      expect(sent('CancelShipment')).toEqual([]);
    },
  );
});

describe('giving stock its case number back', () => {
  const replacedCaseNo = { former: 'STOCK-7', by: 'order-1' };
  const issued = (former: string | null = 'STOCK-7'): UndoInput => ({
    shipments: [
      {
        ...{ shipmentUid: 'shipment-1', stateCode: 'ReadyForDropoff', isIssuedFromStock: true },
        replacedCaseNo: { ...replacedCaseNo, former },
      },
    ],
  });
  const stock = listed('shipment-1', {
    referenceNo: 'R-1',
    referenceCaseNo: 'order-1',
    description: 'Drill',
  });
  const receiverRemoved = {
    shipments: [{ shipmentUid: 'shipment-1', undone: 'ReceiverRemoved', stateCode: null, error: null }],
  };
  const described = succeeded('SetShipmentDetails', {});
  const removed = succeeded('SetShipmentReceiver', {});

  it.each([
    ['its own', 'STOCK-7', 'STOCK-7'],
    ['none', null, ''],
  ])('writes %s back with the other details, before it removes the receiver', async (_, former, written) => {
    const { api, service, sent } = await startApiPeer({
      GetShipments: listing(stock),
      SetShipmentDetails: described,
      SetShipmentReceiver: removed,
    });
    expect(await harness(api, withListing).run('undo', issued(former))).toEqual(receiverRemoved);
    expect(sent('SetShipmentDetails').map(({ body }) => body)).toEqual([
      {
        ...{ shipmentUid: 'shipment-1', Description: 'Drill', ReferenceNo: 'R-1' },
        ReferenceCaseNo: written,
      },
    ]);
    const order = service.requests.map(({ path }) => path).filter((path) => path.includes('SetShipment'));
    expect(order.map((path) => path.split('/').at(-1))).toEqual([
      'SetShipmentDetails',
      'SetShipmentReceiver',
    ]);
  });

  it.each([
    ['somebody else has changed it', { referenceCaseNo: 'THEIRS' }],
    ['its item is in the locker by now', { stateCode: 'ReadyForPickup' }],
  ])('leaves the number alone where %s', async (_, fields) => {
    const { api, sent } = await startApiPeer({
      GetShipments: listing({ ...stock, ...fields }),
      SetShipmentReceiver: removed,
    });
    expect(await harness(api, withListing).run('undo', issued())).toEqual(receiverRemoved);
    expect(sent('SetShipmentDetails')).toEqual([]);
  });

  it('tries again while that may help, and gives the stock back where the service refuses it for good', async () => {
    const { api, sent } = await startApiPeer({
      GetShipments: inTurn(reset, listing(stock)),
      SetShipmentDetails: inTurn(failure(500, 'InternalError'), failure(400, 'InvalidRequest')),
      SetShipmentReceiver: removed,
    });
    expect(await harness(api, withListing).run('undo', issued())).toEqual(receiverRemoved);
    expect([sent('GetShipments').length, sent('SetShipmentDetails').length]).toEqual([2, 2]);
  });
});

describe('changing the receiver', () => {
  const change = { shipmentUid: 'shipment-1', toUserUid: 'user-bram', caseReferenceNew: 'CASE-9' };

  it('sends the fields of the interface', async () => {
    const { api, sent } = await startApiPeer({ SetShipmentReceiver: done });
    await harness(api).run('changeReceiver', change);
    expect(sent('SetShipmentReceiver')[0]?.body).toEqual({ ...change, removeReceiver: false });
  });

  it('is refused with the code of the service, at once', async () => {
    const { api, sent } = await startApiPeer({ SetShipmentReceiver: wrongState });
    const failed = await applicationFailure(harness(api).run('changeReceiver', change));
    expect(failed).toMatchObject({ type: 'InvalidShipmentState', nonRetryable: true, category: 'BENIGN' });
    expect(sent('SetShipmentReceiver')).toHaveLength(1);
  });

  it('is done when an answer was lost and the listing shows the receiver, or there is no listing', async () => {
    const replies = () => ({ SetShipmentReceiver: inTurn(reset, wrongState) });
    const bare = await startApiPeer(replies());
    await harness(bare.api).run('changeReceiver', change);
    const shown = await startApiPeer({
      ...replies(),
      GetShipments: listing(listed('shipment-1', { toUserUid: 'user-bram' })),
    });
    await harness(shown.api, withListing).run('changeReceiver', change);
    const another = await startApiPeer({
      ...replies(),
      GetShipments: listing(listed('shipment-1', { toUserUid: 'user-anna' })),
    });
    const failed = applicationFailure(harness(another.api, withListing).run('changeReceiver', change));
    expect((await failed).type).toBe('InvalidShipmentState');
  });

  it('is refused if the service refused the earlier attempt, so that nothing was done', async () => {
    const unauthorized = failure(401, 'Unauthorized');
    const { api, sent } = await startApiPeer({
      // The client asks once more with a new token before it believes it.
      SetShipmentReceiver: inTurn(unauthorized, unauthorized, wrongState),
    });
    const failed = await applicationFailure(harness(api).run('changeReceiver', change));
    expect(failed.type).toBe('InvalidShipmentState');
    expect(sent('SetShipmentReceiver')).toHaveLength(3);
  });
});

const report = (shipmentUid: string, stateCode = 'Completed'): ShipmentReport => ({
  shipmentUid,
  stateCode,
  stateStart: '2031-05-01T12:00:00',
  shipmentType: null,
  referenceNo: null,
  referenceCaseNo: null,
  description: null,
  pupUid: null,
  fromUserUid: null,
  toUserUid: null,
  receivedAt: '2031-05-01T12:00:01.000Z',
  source: 'callback',
});

it('parking keeps the reports of a shipment together', async () => {
  const { api } = await startApiPeer({});
  const { run, client } = harness(api);
  const uid = `shipment-${randomUUID()}`;
  const reports = [report(uid, 'ReadyForPickup'), report(uid)];
  await run('parkReports', { reports });
  const parked = client.workflow.getHandle(`parked:${uid}`);
  expect(await parked.query('kept')).toEqual(reports);
  await parked.terminate();
});

describe('the reconciler', () => {
  const uids = () => Array.from({ length: 3 }, () => `shipment-${randomUUID()}`) as [string, string, string];
  const known = (shipmentUid: string, stateCode: string) => ({
    shipmentUid,
    stateCode,
    stateStart: null,
    pupUid: null,
    lockerName: null,
  });
  const progress = (fields: Partial<Progress>): Progress => ({
    flow: 'Issue',
    version: 1,
    phase: 'Open',
    outcome: null,
    activity: 'Following',
    awaits: [],
    shipments: {},
    unassigned: [],
    deadlines: [],
    itemsLeft: [],
    ledger: [],
    resolutions: [],
    ...fields,
  });

  it('signals each flow only the reports that it lacks, with our state codes', async () => {
    const [first, second, third] = uids();
    const { api, sent } = await startApiPeer({
      GetShipments: listing(
        listed(first, { stateCode: 'Done' }),
        listed(second, { stateCode: 'Done' }),
        listed(third, { stateCode: 'ReadyForPickup' }),
        listed(`nobody's "${first}"`),
      ),
    });
    const { run, holdsShipments } = harness(api, { ...withListing, LOCKER_STATE_MAP: 'Done=Completed' });
    const issue = { ...known(first, 'ReadyForPickup'), done: false };
    const ledger = {
      shipmentUid: second,
      stateCode: 'Completed',
      stateStart: null,
      receivedAt: '',
      verdict: 'next' as const,
      times: 1,
    };
    const flow = await holdsShipments({
      shipmentUids: [first, second, third],
      progress: progress({
        shipments: { issue },
        ledger: [ledger],
        unassigned: [{ ...known(third, 'ReadyForPickup'), possibleRoles: [] }],
      }),
    });
    const before = Date.now();
    const since = '2031-05-01T12:00:00.000Z';
    const reconciled = await run('reconcile', { since });
    expect(reconciled).toMatchObject({ seen: 4, signalled: 1 });
    expect(Date.parse(reconciled.until)).toBeGreaterThanOrEqual(before);
    expect((await flow.heard()).reports).toMatchObject([
      { shipmentUid: first, stateCode: 'Completed', source: 'reconciler' },
    ]);
    expect(sent('GetShipments')[0]?.body).toMatchObject({ updatedSince: '2031-05-01T11:55:00.000Z' });
  });

  it('tells of the last pick-up of a kept-booked shipment, until the flow has it', async () => {
    const [kept] = uids();
    const lastPickUpAt = '2031-05-01T12:30:00.000Z';
    const { api } = await startApiPeer({
      GetShipments: listing(listed(kept, { stateCode: 'ReadyForPickup', lastPickUpAt })),
    });
    const { run, holdsShipments } = harness(api, withListing);
    const collect = { ...known(kept, 'ReadyForPickup'), done: false };
    const entry = {
      ...{ shipmentUid: kept, stateCode: 'ReadyForPickup', stateStart: null, receivedAt: '' },
      ...{ verdict: 'pickedUp' as const, times: 1 },
    };
    const since = '2031-05-01T12:00:00.000Z';
    const lacking = await holdsShipments({
      shipmentUids: [kept],
      progress: progress({
        shipments: { collect },
        ledger: [{ ...entry, pickedUpAt: '2031-05-01T12:10:00.000Z' }],
      }),
    });
    const having = await holdsShipments({
      shipmentUids: [kept],
      progress: progress({ shipments: { collect }, ledger: [{ ...entry, pickedUpAt: lastPickUpAt }] }),
    });
    expect(await run('reconcile', { since })).toMatchObject({ signalled: 1 });
    expect((await lacking.heard()).reports).toMatchObject([
      { shipmentUid: kept, stateCode: 'ReadyForPickup', pickedUpAt: lastPickUpAt, source: 'reconciler' },
    ]);
    expect((await having.heard()).reports).toEqual([]);
  });

  it('asks a flow once for a change that it knows, and again after a restore of the flows', async () => {
    const [first] = uids();
    let state = { stateCode: 'ReadyForPickup', stateStart: '2031-05-01T11:58:00' };
    const { api } = await startApiPeer({
      GetShipments: (...asked) => listing(listed(first, state))(...asked),
    });
    const { run, holdsShipments } = harness(api, withListing);
    const issue = { ...known(first, 'ReadyForPickup'), done: false };
    const flow = await holdsShipments({
      shipmentUids: [first],
      progress: progress({ shipments: { issue } }),
    });
    const asked = async () => (await flow.heard()).asked;
    const minuteAgo = new Date(Date.now() - 60_000).toISOString();
    const { until } = await run('reconcile', { since: minuteAgo });
    const next = await run('reconcile', { since: until });
    expect([await asked(), next.seen]).toEqual([1, 1]);
    // The last run is gone with what the flows heard since.
    const { until: later } = await run('reconcile', { since: minuteAgo });
    expect(await asked()).toBe(2);
    // A change that the flow has not heard of is asked for until it has: what was sent is no answer.
    state = { stateCode: 'Completed', stateStart: '2031-05-01T11:59:00' };
    const sent = await run('reconcile', { since: later });
    await run('reconcile', { since: sent.until });
    expect([await asked(), (await flow.heard()).reports.length]).toEqual([4, 2]);
  });

  it('goes on next time from where it came to, when more has changed than one run reads', async () => {
    const [first, second] = uids();
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const reached = minutesAgo(20);
    const items = [listed(first, { stateStart: reached }), listed(second, { stateStart: minutesAgo(50) })];
    const page = { items, pageNo: 1, pageSize: 500, totalItems: 9, totalPages: 9_999 };
    const { api } = await startApiPeer({ GetShipments: succeeded('GetShipments', page) });
    const { until, seen } = await harness(api, withListing).run('reconcile', { since: minutesAgo(60) });
    expect({ until, seen }).toEqual({ until: reached, seen: 2 });
  });

  it('comes back to the same moment when a flow could not be asked, but to no more than a day ago', async () => {
    const [uid] = uids();
    const { api } = await startApiPeer({ GetShipments: listing(listed(uid)) });
    const { run, holdsShipments } = harness(api, withListing);
    await holdsShipments({ shipmentUids: [uid] }); // Its progress is none, so that looking into it fails.
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await run('reconcile', { since })).toMatchObject({ until: since, signalled: 0 });
    const { until } = await run('reconcile', { since: new Date(0).toISOString() });
    expect(Date.now() - Date.parse(until)).toBeLessThan(25 * 3_600_000);
  });
});

describe('onboarding', () => {
  const request = {
    emailAddress: 'anna@example.com',
    firstName: 'Anna',
    lastName: 'Jansen',
    pickUpPointUid: 'pup-central',
  };
  const input = (mutationConfig = {}, details = {}) => ({
    input: { request: { ...request, ...details, mutationConfig } },
    idempotencyKey: 'order-1',
  });
  const account = {
    userUid: 'user-anna',
    userName: 'anna@example.com',
    canManageUser: true,
    firstName: 'Anna',
    lastName: 'Jansen',
    emailAddress: 'anna@example.com',
    phoneNumber: null,
    mainPupUid: 'pup-station',
    mainPupName: null,
    languageCode: null,
    mailCode: null,
  };
  const noAddress = { streetName: null, streetNo: null, mailbox: null, city: null, countryCode: null };
  const flags = { canChangeFirstName: true, canChangeLastName: null, canRemoveManually: false };
  const answer = (isExisting: boolean, canManageUser = true) =>
    succeeded('CreateOrGetAccount', { ...account, isExisting, canManageUser });
  const nine = {
    canChangeFirstName: true,
    canChangeLastName: true,
    canChangeEmailAddress: true,
    canChangePhoneNumber: true,
    canChangeLanguageCode: true,
    canChangeMainPickUpPoint: true,
    canChangeAddress: true,
    canRemoveAutomatically: true,
    canRemoveManually: true,
  };
  const present = succeeded('GetAccountMutationConfig', { userUid: 'user-anna', ...nine });

  it.each<[string, Parameters<typeof startApiPeer>[0], object]>([
    ['a new account has its flags', { CreateOrGetAccount: answer(false) }, {}],
    ['an account of another is left alone', { CreateOrGetAccount: answer(true, false) }, {}],
    [
      'an existing one differs where its flags do',
      { CreateOrGetAccount: answer(true), GetAccountMutationConfig: present },
      { canRemoveManually: false },
    ],
    [
      'an existing one whose flags cannot be read may differ in all',
      { CreateOrGetAccount: answer(true) },
      { canChangeFirstName: true, canRemoveManually: false },
    ],
  ])('%s', async (_, replies, differingFlags) => {
    const { api } = await startApiPeer(replies);
    expect(await harness(api).run('createOrGetAccount', input(flags))).toMatchObject({
      userUid: 'user-anna',
      mainPupUid: 'pup-station',
      differingFlags,
    });
  });

  it('goes on with the account when its flags could not be applied', async () => {
    const reply: Reply = (response) =>
      void response
        .writeHead(409, { 'content-type': 'application/json' })
        .end('{"success":false,"error":"MutationConfigFailed","userUid":"user-new"}');
    const { api } = await startApiPeer({ CreateOrGetAccount: reply });
    expect(await harness(api).run('createOrGetAccount', input(flags))).toEqual({
      userUid: 'user-new',
      isExisting: null,
      canManageUser: true,
      mainPupUid: null,
      differingFlags: { canChangeFirstName: true, canRemoveManually: false },
      differingDetails: [],
      unknownDetails: ['firstName', 'lastName'],
    });
  });

  const failsFlags = { success: false, error: 'MutationConfigFailed', message: null };
  const found = { ...account, isExisting: true };

  it.each(
    spreadOf<[string, Parameters<typeof startApiPeer>[0]]>(
      [
        [
          'by its e-mail address',
          {
            CreateOrGetAccount: json(409, failsFlags),
            GetAccount: succeeded('GetAccount', { ...found, ...noAddress }),
          },
        ],
        [
          'without GetAccount by asking for it without flags',
          { CreateOrGetAccount: inTurn(json(409, failsFlags), answer(true)) },
        ],
        [
          'in the same way where GetAccount says that there is none',
          {
            CreateOrGetAccount: inTurn(json(409, failsFlags), answer(true)),
            GetAccount: succeeded('GetAccount', { ...found, ...noAddress, userUid: null, isExisting: false }),
          },
        ],
      ],
      3,
      0,
    ),
  )('finds the account when the answer that its flags failed has no userUid: %s', async (_, replies) => {
    const { api, sent } = await startApiPeer(replies);
    expect(await harness(api).run('createOrGetAccount', input(flags))).toMatchObject({
      userUid: 'user-anna',
      isExisting: null,
      mainPupUid: 'pup-station',
      differingFlags: { canChangeFirstName: true, canRemoveManually: false },
    });
    const [first, second] = sent('CreateOrGetAccount');
    expect(first?.body).toMatchObject({ mutationConfig: flags });
    if (second) expect(second.body.mutationConfig ?? null).toBeNull();
    if (second) expect(second.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  const hidden = { ...Object.fromEntries(Object.keys(account).map((name) => [name, null])) } as const;
  const othersFails = { ...failsFlags, userUid: 'user-olga' };
  const others = { ...account, ...hidden, userUid: 'user-olga', canManageUser: false, isExisting: true };

  // assumptions: Accounts and upload, AccessDenied or behaviour 3
  it.each(
    spreadOf<[string, Parameters<typeof startApiPeer>[0]]>(
      [
        [
          'with GetAccount',
          {
            CreateOrGetAccount: json(409, othersFails),
            GetAccount: succeeded('GetAccount', { ...others, ...noAddress }),
          },
        ],
        [
          'without GetAccount',
          { CreateOrGetAccount: inTurn(json(409, othersFails), succeeded('CreateOrGetAccount', others)) },
        ],
      ],
      2,
      0,
    ),
  )("leaves another's account alone when its flags were refused: %s", async (_, replies) => {
    const { api } = await startApiPeer(replies);
    expect(await harness(api).run('createOrGetAccount', input(flags))).toEqual({
      userUid: 'user-olga',
      isExisting: true,
      canManageUser: false,
      mainPupUid: null,
      differingFlags: {},
      differingDetails: [],
      unknownDetails: [],
    });
  });

  const wanted = {
    phoneNumber: '0031 6 1234 5678',
    languageCode: 'nl-NL',
    city: 'Utrecht',
    countryCode: 'NL',
  };

  it.each(
    spreadOf<[string, object, Parameters<typeof startApiPeer>[0], string[], string[]]>(
      [
        ['none of a new account', wanted, { CreateOrGetAccount: answer(false) }, [], []],
        ["none of another's account", wanted, { CreateOrGetAccount: answer(true, false) }, [], []],
        ['none where none is given', {}, { CreateOrGetAccount: answer(true) }, [], []],
        [
          'what the answer shows, and what of it nobody shows',
          { ...wanted, firstName: 'Anne' },
          { CreateOrGetAccount: answer(true) },
          ['firstName', 'phoneNumber', 'languageCode'],
          ['city', 'countryCode'],
        ],
        [
          'the address as GetAccount shows it',
          wanted,
          {
            CreateOrGetAccount: answer(true),
            GetAccount: succeeded('GetAccount', {
              ...{ ...found, ...noAddress, phoneNumber: '+31612345678' },
              ...{ languageCode: 'nl-nl', countryCode: 'nl', city: 'Zeist' },
            }),
          },
          ['city'],
          [],
        ],
      ],
      2,
      1,
    ),
  )('tells which details differ: %s', async (_, details, replies, differingDetails, unknownDetails) => {
    const { api } = await startApiPeer(replies);
    const onboarded = await harness(api).run('createOrGetAccount', input({}, details));
    expect(onboarded).toMatchObject({ differingDetails, unknownDetails });
  });

  // assumptions: Accounts and upload, What a phone number is
  it.each(
    spreadOf<[wanted: string, shown: string | null, isSame: boolean]>(
      [
        ['+31 (0)6 1234-5678', '+31612345678', true],
        ['0031612345678', '+31 6 12 34 56 78', true],
        ['+31612345678', '0031 (0)6 12345678', true],
        ['+39 06 698 2', '+39066982', true],
        ['+39 06 698 2', '+3966982', false],
        ['+31612345678', '+32612345678', false],
        ['+31612345678', 'unknown', false],
        ['+31612345678', null, false],
      ],
      4,
      1,
    ),
  )('compares phone numbers as numbers: %s and %s', async (wantedNumber, shown, isSame) => {
    const { api } = await startApiPeer({
      CreateOrGetAccount: succeeded('CreateOrGetAccount', { ...found, phoneNumber: shown }),
    });
    const onboarded = await harness(api).run('createOrGetAccount', input({}, { phoneNumber: wantedNumber }));
    expect(onboarded.differingDetails).toEqual(isSame ? [] : ['phoneNumber']);
  });

  it('sets whole groups of details, as the interface asks for', async () => {
    const { api, sent } = await startApiPeer({
      SetAccountDetails: succeeded('SetAccountDetails', account),
    });
    const address = { streetName: 'Dam', streetNo: '1', mailbox: '', city: 'Utrecht', countryCode: 'NL' };
    const given = { ...request, ...address, phoneNumber: '+31612345678' };
    const set = { userUid: 'user-anna', request: given, details: ['lastName', 'city'] as const };
    await harness(api).run('setAccountDetails', set);
    const { firstName, lastName } = request;
    expect(sent('SetAccountDetails')[0]?.body).toEqual({
      userUid: 'user-anna',
      firstName,
      lastName,
      ...address,
    });
  });

  it('refuses wrong input without a request', async () => {
    const { api, service } = await startApiPeer({});
    const wrong = { input: { request: { emailAddress: 'anna' }, apply: true }, idempotencyKey: 'order-1' };
    const failed = await applicationFailure(harness(api).run('createOrGetAccount', wrong));
    expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true, category: 'BENIGN' });
    for (const field of ['emailAddress', 'firstName', 'lastName', 'pickUpPointUid', 'apply'])
      expect(failed.message).toContain(field);
    expect(service.requests).toEqual([]);
  });

  it('has no id of lockerflow as its key: other SDKs start flows too', async () => {
    const { api, service } = await startApiPeer({});
    const { client, taskQueue } = harness(api);
    const workflowId = `parked:${randomUUID()}`;
    const options = { startToCloseTimeout: '1 minute' };
    const started = client.workflow.start('callActivity', {
      ...{ workflowId, taskQueue },
      args: ['createOrGetAccount', input(), options],
    });
    const failed = await applicationFailure((await started).result());
    expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true });
    expect(failed.message).toContain('key: must not begin with "parked:"');
    expect(service.requests).toEqual([]);
  });

  it('is tried again while the answer is lost', async () => {
    const { api, sent } = await startApiPeer({ CreateOrGetAccount: inTurn(reset, answer(false)) });
    await harness(api).run('createOrGetAccount', input());
    expect(sent('CreateOrGetAccount').map(({ headers }) => headers['idempotency-key'])).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });
});
