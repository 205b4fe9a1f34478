// The activities of a flow that is under way: undoing, the receiver, reports that are not its own, the reconciler.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ShipmentRecord, ShipmentReport } from '../../contract/index.ts';
import type { UndoInput } from '../../flows/booking/activities.ts';
import { failure, type Reply } from '../shared/locker-api/test-server.ts';
import { newBooking, newFileProgress, newProgress } from '../support/progress.ts';
import {
  applicationFailure,
  inTurn,
  listing,
  reset,
  shipmentRecord,
  startTestApi,
  succeeded,
  useActivityWorker,
} from './activity-harness.ts';

const harness = useActivityWorker();
const withListing = { LOCKER_CAPABILITIES: 'getShipments' };

const listed = (shipmentUid: string, fields: Partial<ShipmentRecord> = {}): ShipmentRecord =>
  shipmentRecord({ shipmentUid, toUserUid: null, ...fields });

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
    const { api } = await startTestApi({ CancelShipment: cancel });
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
      const { api } = await startTestApi({
        CancelShipment: wrongState,
        GetShipments: listing(listed('shipment-1', { stateCode })),
      });
      expect(await harness(api, withListing).run('undo', shipment())).toEqual(result('AlreadyEnded', told));
    },
  );

  it('takes InvalidShipmentState for an end without a listing too', async () => {
    const { api } = await startTestApi({ CancelShipment: wrongState });
    expect(await harness(api).run('undo', shipment())).toEqual(result('AlreadyEnded'));
  });

  it('tries again while the answer is lost or the service is away', async () => {
    const { api, sent } = await startTestApi({
      CancelShipment: inTurn(reset, failure(500, 'InternalError'), done),
    });
    expect(await harness(api).run('undo', shipment())).toEqual(result('Cancelled'));
    expect(sent('CancelShipment')).toHaveLength(3);
  });

  it('takes only the receiver from stock whose item is not in the locker yet', async () => {
    const { api, sent } = await startTestApi({ SetShipmentReceiver: done });
    expect(await harness(api).run('undo', shipment(true, 'ReadyForDropoff'))).toEqual(
      result('ReceiverRemoved'),
    );
    expect(sent('SetShipmentReceiver')[0]?.body).toMatchObject({
      shipmentUid: 'shipment-1',
      removeReceiver: true,
    });
  });

  it('cancels stock if its receiver can no longer be removed', async () => {
    const { api, sent } = await startTestApi({ SetShipmentReceiver: wrongState, CancelShipment: done });
    expect(await harness(api).run('undo', shipment(true))).toEqual(result('Cancelled'));
    expect(await harness(api).run('undo', shipment(true, 'ReadyForPickup'))).toEqual(result('Cancelled'));
    expect(sent('SetShipmentReceiver')).toHaveLength(1);
  });

  it.each(['Registered', 'ReadyForDropoff', 'WaitForReceiver'])(
    'does not cancel stock in %s whose receiver an earlier call took away',
    async (stateCode) => {
      const { api, sent } = await startTestApi({
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
        shipmentUid: 'shipment-1',
        stateCode: 'ReadyForDropoff',
        isIssuedFromStock: true,
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
    const { api, service, sent } = await startTestApi({
      GetShipments: listing(stock),
      SetShipmentDetails: described,
      SetShipmentReceiver: removed,
    });
    expect(await harness(api, withListing).run('undo', issued(former))).toEqual(receiverRemoved);
    expect(sent('SetShipmentDetails').map(({ body }) => body)).toEqual([
      {
        shipmentUid: 'shipment-1',
        Description: 'Drill',
        ReferenceNo: 'R-1',
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
    const { api, sent } = await startTestApi({
      GetShipments: listing({ ...stock, ...fields }),
      SetShipmentReceiver: removed,
    });
    expect(await harness(api, withListing).run('undo', issued())).toEqual(receiverRemoved);
    expect(sent('SetShipmentDetails')).toEqual([]);
  });

  it('tries again while that may help, and gives the stock back where the service refuses it for good', async () => {
    const { api, sent } = await startTestApi({
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
    const { api, sent } = await startTestApi({ SetShipmentReceiver: done });
    await harness(api).run('changeReceiver', change);
    expect(sent('SetShipmentReceiver')[0]?.body).toEqual({ ...change, removeReceiver: false });
  });

  it('is refused with the code of the service, at once', async () => {
    const { api, sent } = await startTestApi({ SetShipmentReceiver: wrongState });
    const failed = await applicationFailure(harness(api).run('changeReceiver', change));
    expect(failed).toMatchObject({ type: 'InvalidShipmentState', nonRetryable: true, category: 'BENIGN' });
    expect(sent('SetShipmentReceiver')).toHaveLength(1);
  });

  it('is done when an answer was lost and the listing shows the receiver, or there is no listing', async () => {
    const replies = () => ({ SetShipmentReceiver: inTurn(reset, wrongState) });
    const bare = await startTestApi(replies());
    await harness(bare.api).run('changeReceiver', change);
    const shown = await startTestApi({
      ...replies(),
      GetShipments: listing(listed('shipment-1', { toUserUid: 'user-bram' })),
    });
    await harness(shown.api, withListing).run('changeReceiver', change);
    const another = await startTestApi({
      ...replies(),
      GetShipments: listing(listed('shipment-1', { toUserUid: 'user-anna' })),
    });
    const failed = applicationFailure(harness(another.api, withListing).run('changeReceiver', change));
    expect((await failed).type).toBe('InvalidShipmentState');
  });

  it('is refused if the service refused the earlier attempt, so that nothing was done', async () => {
    const unauthorized = failure(401, 'Unauthorized');
    const { api, sent } = await startTestApi({
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

it('the reports of a shipment are kept together', async () => {
  const { api } = await startTestApi({});
  const { run, client } = harness(api);
  const uid = `shipment-${randomUUID()}`;
  const reports = [report(uid, 'ReadyForPickup'), report(uid)];
  await run('keepReports', { reports });
  const unmatched = client.workflow.getHandle(`unmatched:${uid}`);
  expect(await unmatched.query('kept')).toEqual(reports);
  await unmatched.terminate();
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

  it('signals each flow only the reports that it lacks, with our state codes', async () => {
    const [first, second, third] = uids();
    const { api, sent } = await startTestApi({
      GetShipments: listing(
        listed(first, { stateCode: 'Done' }),
        listed(second, { stateCode: 'Done' }),
        listed(third, { stateCode: 'ReadyForPickup' }),
        listed(`nobody's "${first}"`),
      ),
    });
    const { run, holdsShipments } = harness(api, { ...withListing, LOCKER_STATE_MAP: 'Done=Completed' });
    const issue = { ...known(first, 'ReadyForPickup'), done: false };
    const reportHistory = {
      shipmentUid: second,
      stateCode: 'Completed',
      stateStart: null,
      receivedAt: '',
      judgement: 'next' as const,
      times: 1,
    };
    const flow = await holdsShipments({
      shipmentUids: [first, second, third],
      progress: newProgress({
        shipments: { issue },
        reportHistory: [reportHistory],
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

  it('asks for what each booking of a flow file knows', async () => {
    const [first, second] = uids();
    const { api } = await startTestApi({
      GetShipments: listing(
        listed(first, { stateCode: 'Completed' }),
        listed(second, { stateCode: 'Completed' }),
      ),
    });
    const { run, holdsShipments } = harness(api, withListing);
    const flow = await holdsShipments({
      shipmentUids: [first, second],
      progress: newFileProgress({
        bookings: [
          newBooking({
            id: 'laptop',
            shipments: { issue: { ...known(first, 'ReadyForPickup'), done: false } },
          }),
          newBooking({ id: 'charger', shipments: { issue: { ...known(second, 'Completed'), done: true } } }),
        ],
      }),
    });
    expect(await run('reconcile', { since: '2031-05-01T12:00:00.000Z' })).toMatchObject({ signalled: 1 });
    expect((await flow.heard()).reports).toMatchObject([{ shipmentUid: first, stateCode: 'Completed' }]);
  });

  it('tells of the last pick-up of a kept-booked shipment, until the flow has it', async () => {
    const [kept] = uids();
    const lastPickUpAt = '2031-05-01T12:30:00.000Z';
    const { api } = await startTestApi({
      GetShipments: listing(listed(kept, { stateCode: 'ReadyForPickup', lastPickUpAt })),
    });
    const { run, holdsShipments } = harness(api, withListing);
    const collect = { ...known(kept, 'ReadyForPickup'), done: false };
    const entry = {
      shipmentUid: kept,
      stateCode: 'ReadyForPickup',
      stateStart: null,
      receivedAt: '',
      judgement: 'pickedUp' as const,
      times: 1,
    };
    const since = '2031-05-01T12:00:00.000Z';
    const lacking = await holdsShipments({
      shipmentUids: [kept],
      progress: newProgress({
        shipments: { collect },
        reportHistory: [{ ...entry, pickedUpAt: '2031-05-01T12:10:00.000Z' }],
      }),
    });
    const having = await holdsShipments({
      shipmentUids: [kept],
      progress: newProgress({
        shipments: { collect },
        reportHistory: [{ ...entry, pickedUpAt: lastPickUpAt }],
      }),
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
    const { api } = await startTestApi({
      GetShipments: (...asked) => listing(listed(first, state))(...asked),
    });
    const { run, holdsShipments } = harness(api, withListing);
    const issue = { ...known(first, 'ReadyForPickup'), done: false };
    const flow = await holdsShipments({
      shipmentUids: [first],
      progress: newProgress({ shipments: { issue } }),
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
    const { api } = await startTestApi({ GetShipments: succeeded('GetShipments', page) });
    const { until, seen } = await harness(api, withListing).run('reconcile', { since: minutesAgo(60) });
    expect({ until, seen }).toEqual({ until: reached, seen: 2 });
  });

  it('signals every change to a workflow that is not of lockerflow, and is done with it', async () => {
    const [uid] = uids();
    const { api } = await startTestApi({ GetShipments: listing(listed(uid, { stateCode: 'Completed' })) });
    const { run, holdsShipments } = harness(api, withListing);
    const own = await holdsShipments({ shipmentUids: [uid], progress: undefined });
    const before = Date.now();
    const { signalled, until } = await run('reconcile', { since: new Date(before - 60_000).toISOString() });
    expect(signalled).toBe(1);
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before);
    expect(await run('reconcile', { since: until })).toMatchObject({ seen: 1, signalled: 0 });
    expect((await own.heard()).reports).toMatchObject([{ shipmentUid: uid, stateCode: 'Completed' }]);
  });

  it('comes back to the same moment when a flow could not be asked, but to no more than a day ago', async () => {
    const [uid] = uids();
    const { api } = await startTestApi({ GetShipments: listing(listed(uid)) });
    const { run, holdsShipments } = harness(api, withListing);
    // Its progress is none, so that looking into it fails.
    await holdsShipments({ shipmentUids: [uid], progress: null as never });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    expect(await run('reconcile', { since })).toMatchObject({ until: since, signalled: 0 });
    const { until } = await run('reconcile', { since: new Date(0).toISOString() });
    expect(Date.now() - Date.parse(until)).toBeLessThan(25 * 3_600_000);
  });
});
