// Stock whose booking is in doubt, and which another flow issues before anybody looks: it has a receiver and another case number
// then, and is held by that flow. It is the booking all the same; and where nothing tells, a person decides.
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import type {
  BookingProgress,
  ReplacedCaseNo,
  Role,
  ShipmentRecord,
  Superseded,
} from '../../../contract/index.ts';
import { newBooking, newFileProgress, newProgress } from '../../support/progress.ts';
import { eachSampled } from '../../support/suite.ts';
import {
  inTurn,
  issueInput,
  leg,
  reset,
  shipmentRecord,
  startTestApi,
  succeeded,
  useActivityWorker,
} from '../activity-harness.ts';

const harness = useActivityWorker();

const flows = {
  Stock: { operation: 'CreateLocalShipmentAsStock', legs: [leg('stock', 'details')] },
  Intake: { operation: 'CreateLocalShipmentAsIntake', legs: [leg('intake', 'details')] },
  IntakeAndCircularStock: {
    operation: 'CreateLocalShipmentAsIntakeAndCircularStock',
    legs: [
      leg('intake', 'details'),
      leg('circularStock', 'details', { follows: { role: 'intake', link: 'circularStock' } }),
    ],
  },
} as const;

interface Holds {
  /** `holdShipments`: a flow file that has issued it by the second of its two bookings. */
  readonly type: 'Stock' | 'IssueFromStock' | 'StockAfterSwapIntake' | 'holdShipments';
  /** As which it holds the shipment. */
  readonly as?: Role;
  readonly replaced?: (own: string) => ReplacedCaseNo;
  /** At first it is in its own booking, and says nothing of the shipment. */
  readonly isBooking?: true;
}

interface Case {
  readonly flow?: keyof typeof flows;
  /** The flow file of which it is a booking. */
  readonly file?: string;
  /** What the listing shows of the shipment that was, or may have been, booked. */
  readonly shows: (own: string) => Partial<ShipmentRecord>;
  readonly holders?: readonly Holds[];
  /** A workflow of that type has the case number as its key, and the list does not show it yet. `holdShipments`: a flow file. */
  readonly named?: 'Stock' | 'holdShipments';
}

const record = (fields: Partial<ShipmentRecord>) =>
  shipmentRecord({ stateCode: 'ReadyForPickup', ...fields });

/** The flow's booking gets no answer; gives how often it was sent, what came of it, and what the flow was told. */
async function inDoubt({ flow = 'Stock', file, shows, holders = [], named }: Case) {
  const own = `order-${randomUUID()}`;
  const [shipmentUid, again] = [`found-${randomUUID()}`, `again-${randomUUID()}`];
  const first = { ...shows(own), shipmentUid };
  const items = flow === 'IntakeAndCircularStock' ? withItsIntake(first, own) : [record(first)];
  const { operation, legs } = flows[flow];
  const { api, sent } = await startTestApi({
    [operation]: inTurn(reset, succeeded(operation, { shipmentUids: [again] })),
    GetShipments: succeeded('GetShipments', { items, totalItems: items.length, totalPages: 1 } as never),
  });
  const { client, taskQueue, holdsShipments } = harness(api, { LOCKER_CAPABILITIES: 'getShipments' });
  for (const { type, as, replaced, isBooking } of holders) {
    const shipments = as ? { [as]: { shipmentUid } } : {};
    const replacedCaseNo = replaced?.(own);
    const known = { shipments: shipments as never, ...(replacedCaseNo && { replacedCaseNo }) };
    await holdsShipments(
      {
        shipmentUids: [shipmentUid],
        progress: type === 'holdShipments' ? bySecondBooking(known) : newProgress(known),
        ...(isBooking && { atFirst: newProgress({ activity: 'Booking' }) }),
      },
      type,
    );
  }
  if (named) {
    const workflowId = first.referenceCaseNo ?? '';
    const isFile = named === 'holdShipments';
    const other = await client.workflow.start(named, {
      taskQueue,
      workflowId,
      args: [{ shipmentUids: [], ...(isFile && { progress: withSecondUnderWay }) }],
      ...(isFile && { searchAttributes: { LockerFlowVersion: ['Loan@1'] } }),
    });
    onTestFinished(() => void other.terminate().catch(() => undefined));
  }
  const booking = { pupUid: 'pup-central', allowLargerLockers: true, allowOverflowLockers: false };
  const user = flow === 'Stock' ? {} : { fromUserUid: 'user-bram' };
  const request = { ...booking, ...user, dimension: { width: 1, height: 2, length: 3 }, details: {} };
  const input = issueInput({
    flow: file ?? flow,
    operation,
    input: { request } as never,
    legs,
    idempotencyKey: randomUUID(),
    workflowId: own,
  });
  const handle = await client.workflow.start('bookAndFollow', {
    taskQueue,
    workflowId: own,
    args: [input, { startToCloseTimeout: '1 minute' }],
  });
  onTestFinished(() => void handle.terminate().catch(() => undefined));
  const outcome = await vi.waitUntil(
    () =>
      handle
        .query<{ shipments: { shipmentUid: string; role: Role }[] } | string>('outcome')
        .catch(() => undefined),
    { timeout: 60_000 },
  );
  return {
    outcome,
    shipmentUid,
    again,
    times: sent(operation).length,
    superseded: await handle.query<readonly Superseded[]>('superseded'),
  };
}

const bySecondBooking = (known: Partial<BookingProgress>) =>
  newFileProgress({
    bookings: [
      newBooking({ id: 'return' }, 'Intake'),
      newBooking({ id: 'loan', ...known }, 'IssueFromStock'),
    ],
  });

const withSecondUnderWay = newFileProgress({
  bookings: [
    newBooking({ id: 'loan', shipments: { issue: { shipmentUid: 'its own' } } as never }, 'IssueFromStock'),
    newBooking({ id: 'restock', activity: 'Booking' }, 'Stock'),
  ],
});

const withItsIntake = (circular: Partial<ShipmentRecord>, own: string) => {
  const intake = { shipmentUid: `intake-${randomUUID()}`, fromUserUid: 'user-bram', referenceCaseNo: own };
  return [
    record({ ...intake, stateCode: 'ReadyForDropoff', toUserUid: 'main' }),
    record({ stateCode: 'Registered', ...circular, circularPriorShipmentUid: intake.shipmentUid }),
  ];
};

const another = `another-${randomUUID()}`;
const issued = { referenceCaseNo: 'loan-1' };

eachSampled<readonly [string, Case]>(
  it,
  [
    [
      'issued by a flow that knows its former case number',
      {
        shows: () => issued,
        holders: [
          { type: 'IssueFromStock', as: 'issue', replaced: (own) => ({ former: own, by: 'loan-1' }) },
        ],
      },
    ],
    [
      'issued by a flow that knows its former case number after its own booking',
      {
        shows: () => issued,
        holders: [
          {
            type: 'IssueFromStock',
            as: 'issue',
            replaced: (own) => ({ former: own, by: 'loan-1' }),
            isBooking: true,
          },
        ],
      },
    ],
    [
      'issued twice, one flow after the other',
      {
        shows: () => issued,
        holders: [
          { type: 'IssueFromStock', as: 'issue', replaced: () => ({ former: 'loan-0', by: 'loan-1' }) },
          { type: 'IssueFromStock', as: 'issue', replaced: (own) => ({ former: own, by: 'loan-0' }) },
        ],
      },
    ],
    [
      'issued by a flow that left it its case number',
      { shows: (own) => ({ referenceCaseNo: own }), holders: [{ type: 'IssueFromStock', as: 'issue' }] },
    ],
  ],
  3,
  1,
)('stock that was %s is adopted, and the flow hears who follows it now', async (_, given) => {
  const { outcome, shipmentUid, superseded, times } = await inDoubt(given);
  expect(outcome).toMatchObject({ shipments: [{ shipmentUid, role: 'stock' }] });
  expect(times).toBe(1);
  expect(superseded.map((each) => each.shipmentUid)).toEqual(given.holders?.map(() => shipmentUid));
});

it('stock that a flow file has issued by one of its two bookings is adopted, and its process hears of it', async () => {
  const { outcome, shipmentUid, superseded, times } = await inDoubt({
    shows: () => issued,
    holders: [{ type: 'holdShipments', as: 'issue', replaced: (own) => ({ former: own, by: 'loan-1' }) }],
  });
  expect(outcome).toMatchObject({ shipments: [{ shipmentUid, role: 'stock' }] });
  expect([times, superseded.map((each) => each.shipmentUid)]).toEqual([1, [shipmentUid]]);
});

it('stock that a flow file has booked, and another flow has issued, is adopted by the file', async () => {
  const { outcome, shipmentUid, times } = await inDoubt({
    file: 'Restock',
    shows: () => issued,
    holders: [{ type: 'IssueFromStock', as: 'issue', replaced: (own) => ({ former: own, by: 'loan-1' }) }],
  });
  expect(outcome).toMatchObject({ shipments: [{ shipmentUid, role: 'stock' }] });
  expect(times).toBe(1);
});

it('circular stock that was issued is adopted with its intake', async () => {
  const { outcome, shipmentUid, times } = await inDoubt({
    flow: 'IntakeAndCircularStock',
    shows: () => issued,
    holders: [{ type: 'IssueFromStock', as: 'issue', replaced: (own) => ({ former: own, by: 'loan-1' }) }],
  });
  expect(outcome).toMatchObject({
    shipments: expect.arrayContaining([
      expect.objectContaining({ shipmentUid, role: 'circularStock' }),
      expect.objectContaining({ role: 'intake' }),
    ]),
  });
  expect(times).toBe(1);
});

it('an intake that another flow swaps stock after is adopted; that flow does not take it over', async () => {
  const { outcome, shipmentUid, superseded, times } = await inDoubt({
    flow: 'Intake',
    shows: (own) => ({ referenceCaseNo: own, fromUserUid: 'user-bram', toUserUid: 'main' }),
    holders: [{ type: 'StockAfterSwapIntake', as: 'intake' }],
  });
  expect(outcome).toMatchObject({ shipments: [{ shipmentUid, role: 'intake' }] });
  expect([times, superseded]).toEqual([1, []]);
});

eachSampled<readonly [string, Case]>(
  it,
  [
    [
      'by a flow that does not know the former case number',
      { shows: () => issued, holders: [{ type: 'IssueFromStock', as: 'issue' }] },
    ],
    ['by a flow that has not its answer yet', { shows: () => issued, holders: [{ type: 'IssueFromStock' }] }],
    ['by another program', { shows: () => issued }],
  ],
  3,
  0,
)('stock that was issued %s waits for a person, and is not booked again', async (_, given) => {
  const { outcome, times } = await inDoubt(given);
  expect(outcome).toContain('has issued since may be this booking');
  expect(times).toBe(1);
});

eachSampled<readonly [string, Case]>(
  it,
  [
    [
      'is held by the flow that has booked it',
      {
        shows: () => issued,
        holders: [
          { type: 'IssueFromStock', as: 'issue' },
          { type: 'Stock', as: 'stock' },
        ],
      },
    ],
    [
      'had another case number before it was issued',
      {
        shows: () => issued,
        holders: [{ type: 'IssueFromStock', as: 'issue', replaced: () => ({ former: 'old', by: 'loan-1' }) }],
      },
    ],
    ['was never issued, and has another case number', { shows: () => ({ ...issued, toUserUid: null }) }],
    [
      'has the case number of a flow that has booked it a moment ago',
      { shows: () => ({ referenceCaseNo: another }), named: 'Stock' },
    ],
    [
      'has the case number of a flow file whose second booking may just have made it',
      { shows: () => ({ referenceCaseNo: `file-${another}` }), named: 'holdShipments' },
    ],
  ],
  3,
  1,
)('stock that %s is no evidence: the booking is repeated', async (_, given) => {
  const { outcome, again, times } = await inDoubt(given);
  expect(outcome).toMatchObject({ shipments: [{ shipmentUid: again }] });
  expect(times).toBe(2);
});
