// @module-tag invariant
// The booking activity in a real worker against a service that misbehaves: what is sent, what comes back, how it fails.
import { randomUUID } from 'node:crypto';
import { CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import type { Role, ShipmentRecord } from '../../../contract/index.ts';
import {
  type Capability,
  readServiceProfile,
  serviceProfileSettings,
} from '../../../contract/wire/service-profile.ts';
import type { BookInput } from '../../../flows/booking/activities.ts';
import { failure, json, type Reply, success, text } from '../../shared/locker-api/test-server.ts';
import {
  applicationFailure,
  inTurn,
  issueInput,
  issueRequest,
  leg,
  listing,
  reset,
  shipmentRecord,
  startTestApi,
  succeeded,
  useActivityWorker,
} from '../activity-harness.ts';

const harness = useActivityWorker();
// Temporal's number (temporal.api.enums.v1.PendingActivityState).
const CANCEL_REQUESTED = 3;

const operation = 'CreateLocalShipmentAsIssueAndSwapIntake';
const swap = { role: 'issue', link: 'swap' } as const;
const legs = [leg('issue', 'details'), leg('intake', 'return', { follows: swap })];

const bookInput = (changes: Partial<BookInput> = {}): BookInput =>
  issueInput({
    flow: 'IssueAndSwapIntake',
    operation,
    legs,
    deadlines: [{ role: 'issue', stage: 'pickUp' }],
    idempotencyKey: `order-${randomUUID()}`,
    ...changes,
  });

const fromStock = 'CreateLocalShipmentAsIssueFromStock';
const stockLeg = leg('issue', 'issue', { isPrior: true });
const issuing = (prior: string, given: object = {}, changes: Partial<BookInput> = {}) =>
  bookInput({
    operation: fromStock,
    legs: [stockLeg],
    deadlines: [],
    takesOver: true,
    input: { request: { priorShipmentUid: prior, toUserUid: 'user-anna', ...given } },
    ...changes,
  });

const uids = () => {
  const id = randomUUID().slice(0, 8);
  return { issue: `issue-${id}`, intake: `intake-${id}` };
};

/** Answers that it has booked them. */
const books = (both: ReturnType<typeof uids>) => succeeded(operation, { shipmentUids: Object.values(both) });
const uidsOf = (shipments: readonly { readonly shipmentUid: string }[]) =>
  shipments.map(({ shipmentUid }) => shipmentUid);

async function peerThatBooks(replies: Parameters<typeof startTestApi>[0] = {}) {
  const { issue, intake } = uids();
  const booked = succeeded(operation, { shipmentUids: [intake, issue] });
  return { issue, intake, ...(await startTestApi({ [operation]: booked, ...replies })) };
}

const record = (fields: Partial<ShipmentRecord>) => shipmentRecord({ referenceCaseNo: 'order-1', ...fields });

const pair = ({ issue, intake }: ReturnType<typeof uids>) => [
  record({ shipmentUid: issue, referenceNo: 'order-1/issue' }),
  record({
    shipmentUid: intake,
    referenceNo: 'order-1/intake',
    stateCode: 'Registered',
    swapsShipmentUid: issue,
    toUserUid: 'main',
    fromUserUid: 'user-anna',
  }),
];

const withListing = { LOCKER_CAPABILITIES: 'getShipments' };
const withKey = { LOCKER_CAPABILITIES: 'idempotencyKey' };

describe('a booking', () => {
  // assumptions: A bare vendor, Which references a flow
  it('sets its own references if the caller gave none, and returns all known facts', async () => {
    const { api, sent, issue, intake } = await peerThatBooks();
    const input = bookInput({
      input: { request: { ...issueRequest, return: { referenceCaseNo: 'CASE-7' } } },
    });
    const booked = await harness(api).run('book', input);
    expect(sent(operation)).toHaveLength(1);
    expect(sent(operation)[0]?.body).toMatchObject({
      Details: { ReferenceNo: 'order-1/issue', ReferenceCaseNo: 'order-1' },
      Return: { ReferenceNo: 'order-1/intake', ReferenceCaseNo: 'CASE-7' },
    });
    expect(sent(operation)[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
    const unknown = { role: null, stateCode: null, stateStart: null, pupUid: null, lockerName: null };
    expect(booked).toEqual({
      shipments: [
        { shipmentUid: intake, ...unknown },
        { shipmentUid: issue, ...unknown },
      ],
      answeredAt: expect.stringMatching(/Z$/),
      caseNo: 'order-1',
      pupUid: 'pup-central',
      references: [
        { role: 'issue', referenceNo: 'order-1/issue', referenceCaseNo: 'order-1', description: null },
        { role: 'intake', referenceNo: 'order-1/intake', referenceCaseNo: 'CASE-7', description: null },
      ],
      userUids: ['user-anna'],
    });
  });

  it('has references of its own beside another booking of its process, whatever that books', async () => {
    const { api, sent, issue } = await peerThatBooks({
      CreateLocalShipmentAsIssue: succeeded('CreateLocalShipmentAsIssue', { shipmentUids: [uids().issue] }),
    });
    const { run } = harness(api);
    const loan = await run('book', bookInput({ booking: 'loan' }));
    const again = await run('book', issueInput({ booking: 'loan/2', idempotencyKey: randomUUID() }));
    expect(sent(operation)[0]?.body).toMatchObject({
      Details: { ReferenceNo: 'order-1/loan/issue', ReferenceCaseNo: 'order-1' },
      Return: { ReferenceNo: 'order-1/loan/intake', ReferenceCaseNo: 'order-1' },
    });
    expect(again.references).toMatchObject([
      { role: 'issue', referenceNo: 'order-1/loan/2/issue', referenceCaseNo: 'order-1' },
    ]);
    expect([loan.caseNo, again.caseNo]).toEqual(['order-1', 'order-1']);
    expect(uidsOf(loan.shipments)).toContain(issue);
  });

  it('leaves every reference that the caller gave, and fills those that are empty', async () => {
    const { api, sent } = await peerThatBooks();
    const own = { details: { referenceNo: 'NO-1' }, return: { referenceNo: '', referenceCaseNo: 'CASE-7' } };
    await harness(api).run('book', bookInput({ input: { request: { ...issueRequest, ...own } } }));
    expect(sent(operation)[0]?.body).toMatchObject({
      Details: { ReferenceNo: 'NO-1', ReferenceCaseNo: 'order-1' },
      Return: { ReferenceNo: 'order-1/intake', ReferenceCaseNo: 'CASE-7' },
    });
  });

  it('returns the pick up point and the locker of the answer, without a listing', async () => {
    const shipmentUid = `shipment-${randomUUID()}`;
    const { api } = await startTestApi({
      CreateLocalShipment: succeeded('CreateLocalShipment', {
        shipmentUid,
        pupUid: 'pup-station',
        lockerName: '9',
      }),
    });
    const booked = await harness(api).run(
      'book',
      bookInput({
        flow: 'LocalShipment',
        operation: 'CreateLocalShipment',
        legs: [leg('shipment', null)],
        deadlines: [],
      }),
    );
    expect(booked).toMatchObject({
      pupUid: 'pup-station',
      shipments: [{ shipmentUid, role: 'shipment', pupUid: 'pup-station', lockerName: '9' }],
    });
  });

  it('sets no references if the setting is off', async () => {
    const { api, sent } = await peerThatBooks();
    expect(await harness(api, {}, { setsReferences: false }).run('book', bookInput())).toMatchObject({
      caseNo: null,
    });
    expect(sent(operation)[0]?.body).not.toHaveProperty('Details');
  });

  it('finds roles, states and lockers in the listing, for any order of the uids, with our state codes', async () => {
    const both = uids();
    const [first, second] = pair(both).map((each) => ({
      ...each,
      stateCode: each.stateCode === 'Registered' ? 'Planned' : 'Open',
    }));
    const { api } = await startTestApi({
      [operation]: succeeded(operation, { shipmentUids: [both.intake, both.issue] }),
      GetShipments: listing(...[first, second].filter((each) => each !== undefined)),
    });
    const { run } = harness(api, {
      ...withListing,
      LOCKER_STATE_MAP: 'Open=ReadyForDropoff,Planned=Registered',
      LOCKER_TIME_ZONE: 'Europe/Amsterdam',
    });
    const { shipments } = await run('book', bookInput());
    expect(
      shipments.map(({ shipmentUid, role, stateCode, lockerName }) => [
        shipmentUid,
        role,
        stateCode,
        lockerName,
      ]),
    ).toEqual([
      [both.intake, 'intake', 'Registered', '7'],
      [both.issue, 'issue', 'ReadyForDropoff', '7'],
    ]);
    expect(shipments[0]?.stateStart).toBe('2031-05-01T10:00:00.000Z');
  });

  it('finds roles by comparing access codes, and returns no code', async () => {
    const { issue, intake } = uids();
    const codes: Reply = (response, asked) => {
      const { shipmentUid } = JSON.parse(asked.body);
      const isIssue = shipmentUid === issue;
      return succeeded('GetShipmentAccessCode', {
        shipmentUid,
        pickUpCode: isIssue ? '493027' : '118822',
        deliveryCode: isIssue ? '640031' : '493027',
      })(response, asked);
    };
    const { api } = await startTestApi({
      [operation]: succeeded(operation, { shipmentUids: [intake, issue] }),
      GetShipmentAccessCode: codes,
    });
    const handle = await harness(api, { LOCKER_CAPABILITIES: 'accessCodes' }).start('book', bookInput());
    const booked = await handle.result();
    expect(booked.shipments.map(({ role }: { role: Role }) => role)).toEqual(['intake', 'issue']);
    const history = JSON.stringify(await handle.fetchHistory());
    for (const code of ['493027', '118822', '640031'])
      for (const written of [code, Buffer.from(`"${code}"`).toString('base64').slice(2, 8)])
        expect(history).not.toContain(written);
  });

  it.each<[string, Reply]>([
    ['fails', failure(500, 'InternalError')],
    ['does not answer', () => {}],
    ['answers nonsense', text(200, 'text/html', '<html>')],
    ['is missing', failure(404, 'UnknownOperation')],
  ])('stands when a probe %s', async (_, probe) => {
    const { api } = await peerThatBooks({
      GetShipments: probe,
      GetShipmentAccessCode: probe,
    });
    const { shipments } = await harness(api, { LOCKER_CAPABILITIES: 'getShipments,accessCodes' }).run(
      'book',
      bookInput(),
    );
    expect(shipments.map(({ role }) => role)).toEqual([null, null]);
  });

  it('is made once, also where the listing shows a moment that is none', async () => {
    const { issue, intake } = uids();
    const none = pair({ issue, intake }).map((each) => ({ ...each, stateStart: '0001-01-01T00:00:00' }));
    const { api, sent } = await startTestApi({
      [operation]: succeeded(operation, { shipmentUids: [intake, issue] }),
      GetShipments: listing(...none),
    });
    const { shipments } = await harness(api, withListing).run('book', bookInput());
    expect(shipments.map(({ shipmentUid, role }) => [shipmentUid, role])).toEqual([
      [intake, 'intake'],
      [issue, 'issue'],
    ]);
    expect(sent(operation)).toHaveLength(1);
  });

  it('is made once, also if the next step fails unexpectedly', async () => {
    const { api, sent, issue, intake } = await peerThatBooks();
    let failures = 0;
    const serviceProfile = {
      ...readServiceProfile(serviceProfileSettings.parse({})),
      get capabilities() {
        if (sent(operation).length > 0 && failures++ === 0) throw new TypeError('a defect');
        return new Set<Capability>();
      },
    };
    const { shipments } = await harness(api, {}, { serviceProfile }).run('book', bookInput());
    expect(failures).toBeGreaterThan(0);
    expect(uidsOf(shipments)).toEqual([intake, issue]);
    expect(sent(operation)).toHaveLength(1);
  });

  it('creates or finds the account that is given instead of a uid, and books for it', async () => {
    const { toUserUid: _, ...withoutUser } = issueRequest;
    const toUser = { emailAddress: 'anna@example.com', firstName: 'Anna', lastName: 'Jansen' };
    const answer = { success: false, error: 'MutationConfigFailed', message: null, userUid: 'user-new' };
    const { api, sent } = await peerThatBooks({ CreateOrGetAccount: json(409, answer) });
    await harness(api).run('book', bookInput({ input: { request: { ...withoutUser, toUser } } }));
    expect(sent('CreateOrGetAccount')[0]?.body).toEqual({ ...toUser, pickUpPointUid: 'pup-central' });
    expect(sent(operation)[0]?.body.ToUserUid).toBe('user-new');
  });

  it('informs the flow that holds the prior shipment, and counts the prior shipment as its own', async () => {
    const prior = `prior-${randomUUID()}`;
    const { api, sent } = await startTestApi({
      [fromStock]: succeeded(fromStock, { shipmentUids: [prior] }),
    });
    const { run, holdsShipments } = harness(api);
    const stockFlow = await holdsShipments({ shipmentUids: [prior] });
    const booked = await run('book', issuing(prior));
    expect(booked).toMatchObject({
      shipments: [{ shipmentUid: prior, role: 'issue' }],
      caseNo: 'order-1',
      references: [],
    });
    expect(sent(fromStock)[0]?.body.Issue).toEqual({ ReferenceCaseNo: 'order-1' });
    expect((await stockFlow.heard()).superseded).toEqual([
      { shipmentUid: prior, byWorkflowId: expect.any(String) },
    ]);
  });
});

// assumptions: A bare vendor, The case number of stock
describe('the case number of stock that is issued', () => {
  const swapped = 'CreateLocalShipmentAsIssueFromStockAndSwapIntake';
  const newStock = (referenceCaseNo: string | null) => {
    const prior = randomUUID();
    return { prior, record: record({ shipmentUid: prior, referenceCaseNo, toUserUid: null }) };
  };

  it.each(['STOCK-7', null])('is read before the booking replaces it: %s', async (former) => {
    const { prior, record: stock } = newStock(former);
    const { api, service, sent } = await startTestApi({
      GetShipments: listing(stock),
      [fromStock]: succeeded(fromStock, { shipmentUids: [prior] }),
    });
    const booked = await harness(api, withListing).run('book', issuing(prior));
    expect(booked.replacedCaseNo).toEqual({ former, by: 'order-1' });
    expect(sent(fromStock)[0]?.body.Issue).toEqual({ ReferenceCaseNo: 'order-1' });
    expect(service.requests.findIndex(({ path }) => path.endsWith('GetShipments'))).toBeLessThan(
      service.requests.findIndex(({ path }) => path.endsWith(fromStock)),
    );
  });

  it.each([{ issue: null }, { issue: { referenceCaseNo: null } }])(
    'stays as it is where the caller gives null: %o',
    async (given) => {
      const { prior, record: stock } = newStock('STOCK-7');
      const { api, sent } = await startTestApi({
        GetShipments: listing(stock),
        [fromStock]: succeeded(fromStock, { shipmentUids: [prior] }),
      });
      const booked = await harness(api, withListing).run('book', issuing(prior, given));
      expect(booked).not.toHaveProperty('replacedCaseNo');
      expect(booked.caseNo).toBe('STOCK-7');
      expect(sent(fromStock)[0]?.body.Issue).not.toHaveProperty('ReferenceCaseNo', 'order-1');
    },
  );

  it('is what an earlier attempt told of it, once that may have replaced it', async () => {
    const { prior, record: stock } = newStock('order-1');
    const { api } = await startTestApi({
      GetShipments: listing({ ...stock, toUserUid: 'user-anna' }),
      [fromStock]: failure(409, 'InvalidShipmentState'),
    });
    const replacedCaseNo = { former: 'STOCK-7', by: 'order-1' };
    const at = new Date().toISOString();
    const booked = await harness(api, withListing).run(
      'book',
      issuing(prior, {}, { unknownSince: { at, heartbeat: { replacedCaseNo } } }),
    );
    expect(booked.replacedCaseNo).toEqual(replacedCaseNo);
  });

  it('is told with a booking that stays in doubt, for who adopts it', async () => {
    const { prior, record: stock } = newStock('STOCK-7');
    const { api } = await startTestApi({
      GetShipments: inTurn(listing(stock), failure(404, 'UnknownOperation')),
      [fromStock]: reset,
    });
    const failed = await applicationFailure(harness(api, withListing).run('book', issuing(prior)));
    expect(failed).toMatchObject({
      type: 'OutcomeUnknown',
      details: [{ replacedCaseNo: { former: 'STOCK-7', by: 'order-1' } }],
    });
  });

  it('is not known where the listing fails, and the booking is made all the same', async () => {
    const { prior } = newStock('STOCK-7');
    const { api } = await startTestApi({
      GetShipments: failure(500, 'InternalError'),
      [fromStock]: succeeded(fromStock, { shipmentUids: [prior] }),
    });
    const booked = await harness(api, withListing).run('book', issuing(prior));
    expect(booked).not.toHaveProperty('replacedCaseNo');
    expect(booked.caseNo).toBe('order-1');
  });

  it('is no evidence of a booking that left it alone: a lost answer is found by the intake', async () => {
    const { prior, record: stock } = newStock('STOCK-7');
    const intake = randomUUID();
    const { api, sent } = await startTestApi({
      [swapped]: reset,
      GetShipments: listing(
        { ...stock, toUserUid: 'user-anna' },
        record({
          shipmentUid: intake,
          referenceNo: 'order-1/intake',
          swapsShipmentUid: prior,
          stateCode: 'Registered',
          fromUserUid: 'user-anna',
          toUserUid: 'main',
        }),
      ),
    });
    const legs = [stockLeg, leg('intake', 'return', { follows: swap })];
    const input = issuing(prior, { issue: null }, { operation: swapped, legs });
    const { shipments } = await harness(api, withListing).run('book', input);
    expect(uidsOf(shipments)).toEqual([prior, intake]);
    expect(sent(swapped)).toHaveLength(1);
  });
});

describe('a booking that is not made', () => {
  it('names every error of its input, and sends no request', async () => {
    const { api, service } = await startTestApi({});
    const input = {
      request: { toUserUid: 'user-anna' },
      deadlines: { intake: { dropOff: 'P1D' } },
      waitForLocker: 'soon',
    };
    const failed = await applicationFailure(harness(api).run('book', bookInput({ input })));
    expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true, category: 'BENIGN' });
    for (const field of ['request.pupUid', 'request.dimension', 'deadlines.intake', 'waitForLocker'])
      expect(failed.message).toContain(field);
    expect(service.requests).toEqual([]);
  });

  it('has no id of lockerflow as its key: other SDKs start flows too', async () => {
    const { api, service } = await startTestApi({});
    const failed = await applicationFailure(
      harness(api).run('book', bookInput({ workflowId: 'adopted:shipment-1' })),
    );
    expect(failed).toMatchObject({ type: 'InvalidRequest', nonRetryable: true, category: 'BENIGN' });
    expect(failed.message).toContain('key: must not begin with "adopted:"');
    expect(service.requests).toEqual([]);
  });

  it('is refused with the code of the service, at once', async () => {
    const { api, sent } = await startTestApi({
      [operation]: failure(404, 'InvalidPupUid', 'no such pick up point'),
    });
    const failed = await applicationFailure(harness(api).run('book', bookInput()));
    expect(failed).toMatchObject({ type: 'InvalidPupUid', nonRetryable: true, category: 'BENIGN' });
    expect(failed.message).toContain('no such pick up point');
    expect(sent(operation)).toHaveLength(1);
  });

  it('is refused when no locker is free, and tried again only where the flow waits for one', async () => {
    const both = uids();
    const full = failure(400, 'NoBoxLeft');
    const reply = inTurn(full, full, full, full, books(both));
    const { api, sent } = await startTestApi({ [operation]: reply });
    const { run } = harness(api, { LOCKER_NO_LOCKER_CODES: 'NoBoxLeft' });
    expect(await applicationFailure(run('book', bookInput()))).toMatchObject({
      type: 'NoLockerAvailable',
      nonRetryable: true,
    });
    expect(sent(operation)).toHaveLength(1);
    const lockerWaitEndsAt = Date.now() + 3_600_000;
    await run('book', bookInput({ lockerWaitEndsAt }));
    expect(sent(operation)).toHaveLength(5);
  });

  it('keeps what was tried where no locker is free', async () => {
    const size = { pupUid: 'pup-1', size: 'M', lockers: 2, taken: 2, outOfOrder: 0, toBeEmptied: 0 };
    const tried = {
      itemSides: [1, 2, 3],
      tried: [size],
      allowLargerLockers: true,
      allowOverflowLockers: false,
    };
    const full = json(409, { success: false, error: 'NoLockerAvailable', message: 'Full.', ...tried });
    const { api } = await startTestApi({ [operation]: full });
    expect(await applicationFailure(harness(api).run('book', bookInput()))).toMatchObject({
      details: [{ lockersTried: tried }],
    });
  });

  it.each<[string, Reply[]]>([
    ['limits the rate', [json(429, { success: false, error: 'RateLimitExceeded' }, { 'retry-after': '0' })]],
    ['takes no token for a while', [failure(401, 'Unauthorized'), failure(401, 'Unauthorized')]],
  ])('is tried again when the service %s', async (_, refusals) => {
    const both = uids();
    const booked = books(both);
    const { api } = await startTestApi({ [operation]: inTurn(...(refusals as [Reply]), booked) });
    expect((await harness(api).run('book', bookInput())).shipments).toHaveLength(2);
  });

  it('ends cancelled when it is cancelled before it was sent', async () => {
    const { api, sent } = await startTestApi({ [operation]: failure(409, 'NoLockerAvailable') });
    const lockerWaitEndsAt = Date.now() + 7_200_000;
    const handle = await harness(api, {}, { lockerRetryMs: 3_600_000 }).start(
      'book',
      bookInput({ lockerWaitEndsAt }),
      {
        heartbeatTimeout: '5 s',
      },
    );
    await expect.poll(() => sent(operation).length, { timeout: 60_000 }).toBe(1);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
    expect(sent(operation)).toHaveLength(1);
  });
});

describe('a booking whose answer is lost', () => {
  it('is repeated with the same key and body if the service honours the key', async () => {
    const both = uids();
    const reply = inTurn(reset, text(502, 'text/html', '<h1>Bad Gateway</h1>'), books(both));
    const { api, sent } = await startTestApi({ [operation]: reply });
    expect(uidsOf((await harness(api, withKey).run('book', bookInput())).shipments)).toEqual(
      Object.values(both),
    );
    const [first, ...others] = sent(operation);
    expect(others).toHaveLength(2);
    for (const { body, headers } of others) {
      expect(body).toEqual(first?.body);
      expect(headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    }
  });

  it('waits for a person if the search fails unexpectedly, after one request', async () => {
    const { api, sent } = await startTestApi({ [operation]: reset, GetShipments: listing() });
    const broken = {
      firstDelayMs: 1,
      longestDelayMs: 1,
      get settleMs(): number {
        throw new TypeError('a defect');
      },
    };
    const failed = await applicationFailure(
      harness(api, withListing, { pace: broken }).run('book', bookInput()),
    );
    expect(failed).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(failed.message).toContain('a defect');
    expect(sent(operation)).toHaveLength(1);
  });

  it('is adopted from the listing, with its roles, and not repeated', async () => {
    const both = uids();
    const others = pair(uids()).map((each) => ({ ...each, referenceCaseNo: 'another' }));
    const { api, sent } = await startTestApi({
      [operation]: reset,
      GetShipments: listing(...others, ...pair(both)),
    });
    const { shipments } = await harness(api, withListing).run('book', bookInput());
    expect(shipments.map(({ shipmentUid, role }) => [shipmentUid, role])).toEqual([
      [both.issue, 'issue'],
      [both.intake, 'intake'],
    ]);
    expect(sent(operation)).toHaveLength(1);
  });

  it.each<[string, Partial<ShipmentRecord>]>([
    ['does not show it', { referenceCaseNo: 'another' }],
    ['shows it as cancelled', { stateCode: 'Cancelled' }],
  ])('is repeated when a complete listing %s', async (_, shown) => {
    const both = uids();
    const { api, sent } = await startTestApi({
      [operation]: inTurn(reset, books(both)),
      GetShipments: listing(...pair(uids()).map((each) => ({ ...each, ...shown }))),
    });
    const { shipments } = await harness(api, withListing).run('book', bookInput());
    expect(uidsOf(shipments)).toEqual(Object.values(both));
    expect(sent(operation)).toHaveLength(2);
  });

  it('is not taken from a flow that holds it', async () => {
    const theirs = uids();
    const ours = uids();
    const { api } = await startTestApi({
      [operation]: inTurn(reset, books(ours)),
      GetShipments: listing(...pair(theirs)),
    });
    const { run, holdsShipments } = harness(api, withListing);
    await holdsShipments({ shipmentUids: Object.values(theirs) });
    const { shipments } = await run('book', bookInput());
    expect(uidsOf(shipments)).toEqual(Object.values(ours));
  });

  it.each<[string, ShipmentRecord[]]>([
    ['two bookings that may be it', [...pair(uids()), ...pair(uids())]],
    ['a shipment that cannot be read', [...pair(uids()), record({ shipmentUid: null })]],
  ])('stops for a person when the listing shows %s', async (_, records) => {
    const { api, sent } = await startTestApi({ [operation]: reset, GetShipments: listing(...records) });
    const failed = await applicationFailure(harness(api, withListing).run('book', bookInput()));
    expect(failed.type).toBe('OutcomeUnknown');
    const candidates = records.map(({ shipmentUid }) => shipmentUid).filter((uid) => uid !== null);
    expect(failed.details).toEqual([{ why: expect.any(String), candidates }]);
    expect(sent(operation)).toHaveLength(1);
  });

  it('is followed to its outcome when it is cancelled meanwhile', async () => {
    const both = uids();
    let answers = false;
    const { api, sent } = await startTestApi({
      [operation]: (response, asked) => (answers ? books(both) : reset)(response, asked),
    });
    const { start } = harness(api, withKey, {
      pace: { settleMs: 300, firstDelayMs: 100, longestDelayMs: 100 },
    });
    const handle = await start('book', bookInput(), {
      // Each try tells Temporal of itself, and is told then that it is cancelled.
      heartbeatTimeout: '1 minute',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    });
    const triesAre = (count: number) =>
      expect
        .poll(() => sent(operation).length, { timeout: 60_000, interval: 20 })
        .toBeGreaterThanOrEqual(count);
    await triesAre(1);
    await handle.cancel();
    const isToldOfIt = async () => (await handle.describe()).raw.pendingActivities?.[0]?.state;
    await expect.poll(isToldOfIt, { timeout: 60_000, interval: 20 }).toBe(CANCEL_REQUESTED);
    await triesAre(sent(operation).length + 4);
    answers = true;
    expect((await handle.result()).shipments).toHaveLength(2);
  });

  it('is known by the heartbeat alone if the attempt died after the answer', async () => {
    const { issue, intake } = uids();
    const { api, service } = await startTestApi({});
    const heartbeat = {
      shipmentUids: [issue, intake],
      pupUid: null,
      lockerName: null,
      answeredAt: '2031-05-01T12:00:00.000Z',
    };
    const booked = await harness(api).run(
      'book',
      bookInput({ unknownSince: { at: '2031-05-01T11:59:00.000Z', heartbeat } }),
    );
    expect(booked.answeredAt).toBe(heartbeat.answeredAt);
    expect(booked.shipments).toHaveLength(2);
    expect(service.requests).toEqual([]);
  });

  it('stays in doubt if its account is refused by then', async () => {
    const { api, sent } = await startTestApi({ CreateOrGetAccount: failure(403, 'AccessDenied') });
    const toUser = { emailAddress: 'anna@example.com', firstName: 'Anna', lastName: 'Jansen' };
    const { toUserUid: _, ...withoutUser } = issueRequest;
    const input = { request: { ...withoutUser, toUser } };
    const refused = applicationFailure(harness(api).run('book', bookInput({ input })));
    expect((await refused).type).toBe('AccessDenied');
    const unknownSince = { at: new Date().toISOString(), heartbeat: null };
    const failed = applicationFailure(harness(api).run('book', bookInput({ input, unknownSince })));
    expect((await failed).type).toBe('OutcomeUnknown');
    expect(sent(operation)).toEqual([]);
  });

  it('is searched before anything is sent if the attempt died before the answer', async () => {
    const both = uids();
    const { api, sent } = await startTestApi({ GetShipments: listing(...pair(both)) });
    const unknownSince = { at: new Date().toISOString(), heartbeat: null };
    expect((await harness(api, withListing).run('book', bookInput({ unknownSince }))).shipments).toHaveLength(
      2,
    );
    expect(sent(operation)).toEqual([]);
  });

  it('from stock is adopted by its receiver and case, and refused if another booking was faster', async () => {
    const prior = `prior-${randomUUID()}`;
    const input = issuing(prior);
    const attempts = inTurn(reset, failure(409, 'InvalidShipmentState'));
    const ours = await startTestApi({
      [fromStock]: attempts,
      GetShipments: listing(record({ shipmentUid: prior })),
    });
    const first = harness(ours.api, withListing);
    expect((await first.run('book', input)).shipments).toMatchObject([{ shipmentUid: prior, role: 'issue' }]);
    const theirs = await startTestApi({
      [fromStock]: inTurn(reset, failure(409, 'InvalidShipmentState')),
      GetShipments: listing(record({ shipmentUid: prior, toUserUid: 'user-bram' })),
    });
    const other = harness(theirs.api, withListing);
    expect(await applicationFailure(other.run('book', input))).toMatchObject({
      type: 'InvalidShipmentState',
    });
  });
});

it('a success that names no shipment leaves the outcome unknown', async () => {
  const { api } = await startTestApi({ [operation]: success({ shipmentUids: [] }) });
  expect((await applicationFailure(harness(api).run('book', bookInput()))).type).toBe('OutcomeUnknown');
});
