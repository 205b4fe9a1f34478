// What a flow takes from a report about a shipment, and what it must not take: late reports, references that two legs may
// have, and reports after a person has settled a contradiction.
import { describe, expect, test } from 'vitest';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import type { Booked } from '../../flows/booking/activities.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing } from './playing.ts';
import { resolves, storyOf, underWay } from './under-way.ts';

const booked = (flow: string, change?: (booked: Booked) => Booked, isBare = true) =>
  underWay(flow, { isBare, ...(change && { change }) });

describe('a report that comes late', () => {
  test('is evidence for a role too', async () => {
    const { outside, playing } = await booked('IssueAndSwapIntake');
    const intake = outside.uid('intake');
    playing.receive(reportOf(intake, 'ReadyForPickup', '2031-01-01T12:00:00'));
    expect(playing.progress.unassigned).toHaveLength(2);
    playing.receive(reportOf(intake, 'Registered', '2031-01-01T10:00:00'));
    expect(playing.progress.reportHistory.at(-1)?.judgement).toBe('stale');
    expect(playing.progress.shipments.intake).toMatchObject({
      shipmentUid: intake,
      stateCode: 'ReadyForPickup',
      stateStart: '2031-01-01T12:00:00',
    });
  });

  test('or is repeated changes neither the state nor the moment when that began', async () => {
    const { outside, playing } = await booked('Issue');
    const uid = outside.uid('issue');
    playing.receive(reportOf(uid, 'ReadyForPickup', '2031-01-01T10:00:00'));
    playing.receive(reportOf(uid, 'ReadyForPickup', '2031-01-01T10:00:30'));
    playing.receive(reportOf(uid, 'ReadyForDropoff', '2031-01-01T09:00:00'));
    expect(playing.progress.reportHistory.map(({ judgement }) => judgement)).toEqual([
      'next',
      'repeated',
      'stale',
    ]);
    expect(playing.progress.shipments.issue).toMatchObject({
      stateCode: 'ReadyForPickup',
      stateStart: '2031-01-01T10:00:00',
    });
  });

  test('does not take a shipment back if it is not known when its state began', async () => {
    const { outside, playing } = await booked('Issue');
    const uid = outside.uid('issue');
    playing.receive(reportOf(uid, 'ReadyForPickup', null));
    playing.receive(reportOf(uid, 'ReadyForDropoff', '2031-01-01T10:00:00'));
    expect(playing.progress.shipments.issue).toMatchObject({ stateCode: 'ReadyForPickup', stateStart: null });
  });

  test('shows that a leg was done before it was cancelled', async () => {
    const { outside, playing } = await booked('IntakeAndCircularStock');
    const [intake, stock] = [outside.uid('intake'), outside.uid('circularStock')];
    playing.receive(reportOf(stock, 'Cancelled', '2031-01-01T12:00:00'));
    playing.receive(reportOf(stock, 'ReadyForPickup', '2031-01-01T10:00:00'));
    playing.receive(reportOf(intake, 'Completed', '2031-01-01T10:00:00'));
    expect((playing.ending as { result: FlowResult }).result).toMatchObject({
      outcome: 'Done',
      itemsLeft: [{ shipmentUid: stock }],
    });
  });
});

test('a leg that was done stays done, whatever its shipment is set to later', async () => {
  const { outside, playing } = await booked('IntakeAndCircularStock', undefined, false);
  playing.receive(reportOf(outside.uid('circularStock'), 'ReadyForPickup', '2031-01-01T10:00:00'));
  resolves(playing, { action: 'setState', role: 'circularStock', stateCode: 'Registered' });
  expect(playing.progress.shipments.circularStock).toMatchObject({ stateCode: 'Registered', done: true });
  playing.receive(reportOf(outside.uid('intake'), 'Completed', '2031-01-01T10:00:00'));
  expect(playing.ending).toMatchObject({ result: { outcome: 'Done' } });
});

test('a report that changes neither the state of a leg nor its deadline leaves the timers alone', async () => {
  const { outside, playing } = await underWay('Issue', {
    input: { deadlines: { issue: { dropOff: 'P1D' } } },
  });
  const armed = playing.timers;
  expect(armed).toHaveLength(1);
  for (const stateCode of ['ReadyForDropoff', 'Quarantined'])
    playing.receive(reportOf(outside.uid('issue'), stateCode, '2031-01-01T10:00:00'));
  expect(playing.progress.reportHistory.map(({ judgement }) => judgement)).toEqual(['repeated', 'unknown']);
  expect(playing.timers[0]).toBe(armed[0]);
});

// assumptions: States, Pick-ups with KeepBookedAfterPickUp
describe('a report of a pick-up', () => {
  const pickUp = (uid: string, pickedUpAt: string): ShipmentReport => ({
    ...reportOf(uid, 'ReadyForPickup', '2031-01-01T10:00:00'),
    pickedUpAt,
  });

  async function collecting(keepBookedAfterPickUp: boolean, early = false) {
    const outside = new Outside();
    const request = { toUserUid: 'user-anna', keepBookedAfterPickUp };
    const input = { request, deadlines: { collect: { pickUp: 'P1D' } }, onOverdue: 'cancel' };
    const { book } = outside.activities;
    const playing: Playing = new Playing('CollectByUser', input, {
      ...outside.activities,
      book: async (asked) => {
        const answer = await book(asked);
        if (early) playing.receive(pickUp(outside.uid('collect'), '2031-01-01T12:00:00Z'));
        return answer;
      },
    });
    outside.deliver = async (report) => playing.receive(report);
    await playing.answer();
    return { outside, playing, uid: outside.uid('collect') };
  }

  test('meets the deadline of a locker that stays booked, also before the answer to the booking', async () => {
    const { playing } = await collecting(true, true);
    expect(playing.progress).toMatchObject({
      deadlines: [],
      shipments: { collect: { done: false, pickedUpAt: '2031-01-01T12:00:00Z' } },
    });
  });

  test('is counted when it comes again, and an older one does not take the newer back', async () => {
    const { playing, uid } = await collecting(true);
    expect(playing.progress.deadlines).toHaveLength(1);
    for (const at of ['12:00:00Z', '12:00:00Z', '11:00:00Z'])
      playing.receive(pickUp(uid, `2031-01-01T${at}`));
    const { shipments, reportHistory } = playing.progress;
    expect(shipments.collect?.pickedUpAt).toBe('2031-01-01T12:00:00Z');
    expect(
      reportHistory.map(({ pickedUpAt, judgement, times }) => [pickedUpAt?.slice(11, 13), judgement, times]),
    ).toEqual([
      ['12', 'pickedUp', 2],
      ['11', 'pickedUp', 1],
    ]);
  });

  test('does not count after the deadline has begun to cancel the booking', async () => {
    const { playing, uid } = await collecting(true);
    playing.timePasses('collect.pickUp');
    playing.receive(pickUp(uid, '2031-01-01T12:00:00Z'));
    await playing.answer();
    expect(playing.ending).toMatchObject({
      result: { outcome: 'Overdue', shipments: { collect: { stateCode: 'Cancelled' } } },
    });
  });

  test('says nothing new of a locker that is booked for one pick-up: its next state does', async () => {
    const { playing, uid } = await collecting(false);
    playing.receive(pickUp(uid, '2031-01-01T12:00:00Z'));
    expect(playing.progress).toMatchObject({
      deadlines: [{ role: 'collect', passed: false }],
      reportHistory: [{ judgement: 'repeated' }],
    });
    expect(playing.progress.shipments.collect).not.toHaveProperty('pickedUpAt');
  });
});

describe('the callbacks of a bare vendor about two swapped shipments', () => {
  test('if one begins and the other is cancelled, the one that begins is not the successor', async () => {
    const { outside, playing } = await booked('IssueAndSwapIntake');
    playing.receive(reportOf(outside.uid('issue'), 'ReadyForPickup', '2031-01-01T12:00:00'));
    playing.receive(reportOf(outside.uid('intake'), 'Cancelled', '2031-01-01T12:00:00'));
    expect(playing.progress.shipments).toMatchObject({
      issue: { shipmentUid: outside.uid('issue') },
      intake: { shipmentUid: outside.uid('intake') },
    });
  });

  test('are not evidence if they are impossible, and the shipments are followed to their end', async () => {
    const { outside, playing } = await booked('IssueAndSwapIntake');
    const both = [outside.uid('issue'), outside.uid('intake')];
    for (const uid of both) playing.receive(reportOf(uid, 'Registered', null));
    expect(playing.progress).toMatchObject({ phase: 'Open', unassigned: [{}, {}] });
    for (const uid of both) playing.receive(reportOf(uid, 'Completed', null));
    expect(playing.ending).toMatchObject({ result: { outcome: 'Done', unassigned: [{}, {}] } });
  });
});

test('a shipment that swaps another waits for that one, so that its drop off has no deadline', async () => {
  const outside = new Outside({ isBare: true });
  const swapsShipmentUid = await outside.existing({ fromUserUid: 'user-bram', toUserUid: 'dispatcher' });
  const input = { deadlines: { shipment: { dropOff: 'P1D', pickUp: 'P1D' } } };
  const { playing } = await underWay('LocalShipment', { outside, request: { swapsShipmentUid }, input });
  expect(playing.progress.shipments.shipment).toMatchObject({ stateCode: 'Registered' });
  expect(playing.progress.deadlines).toEqual([]);
});

describe('the references of a report', () => {
  const one = { referenceNo: 'A', referenceCaseNo: 'case', description: null };
  const reported = async (references: Booked['references'], fields: Partial<ShipmentReport> = one) => {
    const { outside, playing } = await booked('IssueAndSwapIntake', (same) => ({ ...same, references }));
    playing.receive({ ...reportOf(outside.uid('intake'), 'Quarantined', null), ...fields });
    return playing.progress.unassigned.length;
  };
  const issue = { role: 'issue' as const, ...one };
  const intake = { role: 'intake' as const, ...one };

  test('are evidence for a role if one leg alone has them', async () =>
    expect(await reported([intake, { ...issue, referenceNo: 'B' }])).toBe(0));
  // assumptions: A bare vendor, References that a callback leaves out
  test('are evidence for a role if it has only one, and one leg alone has that', async () => {
    const fields = { referenceNo: 'A', referenceCaseNo: null, description: null };
    expect(await reported([intake, { ...issue, referenceNo: 'B' }], fields)).toBe(0);
  });
  // assumptions: A bare vendor, References that a callback leaves out
  test('are not evidence if they are empty, because a service may leave them out', async () => {
    const nothing = { referenceNo: null, referenceCaseNo: null, description: null };
    expect(await reported([issue, { ...intake, ...nothing }], { ...nothing, description: '' })).toBe(2);
  });
  test('are not evidence if two legs have them', async () => expect(await reported([issue, intake])).toBe(2));
  test('are not evidence if another leg with unknown references may have them too', async () =>
    expect(await reported([intake])).toBe(2));
});

test('a booking with an answer that names a shipment twice, in an unknown state, is followed like any other', async () => {
  const { outside, playing } = await booked('Issue', (same) => ({
    ...same,
    shipments: [...same.shipments, ...same.shipments].map((each) => ({ ...each, stateCode: 'Quarantined' })),
  }));
  expect(playing.progress).toMatchObject({
    phase: 'Open',
    shipments: { issue: { stateCode: 'ReadyForDropoff', stateStart: null } },
    unassigned: [],
  });
  playing.receive(reportOf(outside.uid('issue'), 'Completed', null));
  expect(playing.ending).toMatchObject({ result: { outcome: 'Done' } });
});

test('if the service does not say when a stage began, its deadline counts from the receipt of the callback', async () => {
  const input = { deadlines: { issue: { pickUp: 'P1D' } } };
  const { outside, playing } = await underWay('Issue', { isBare: true, input });
  const report = reportOf(outside.uid('issue'), 'ReadyForPickup', null);
  playing.receive({ ...report, receivedAt: '2031-01-01T12:00:00.000Z' });
  expect(playing.progress.deadlines).toMatchObject([{ until: '2031-01-02T12:00:00.000Z' }]);
});

test('a pick up point that the booking did not name is taken from a report', async () => {
  const nowhere = (same: Booked): Booked => ({
    ...same,
    pupUid: null,
    shipments: same.shipments.map((shipment) => ({ ...shipment, pupUid: null })),
  });
  const { outside, playing } = await booked('Issue', nowhere);
  playing.receive({ ...reportOf(outside.uid('issue'), 'Completed', null), pupUid: 'pup-station' });
  const { result } = playing.ending as { result: FlowResult };
  expect(result.shipments.issue).toMatchObject({ pupUid: 'pup-station', stateStart: null });
});

test('the state that a booking leaves a shipment in gets its moment from a callback on creation', async () => {
  const { outside, playing } = await booked('Issue');
  expect(playing.progress.shipments.issue).toMatchObject({ stateCode: 'ReadyForDropoff', stateStart: null });
  playing.receive(reportOf(outside.uid('issue'), 'ReadyForDropoff', '2031-01-01T10:00:00'));
  expect(playing.progress.shipments.issue).toMatchObject({ stateStart: '2031-01-01T10:00:00' });
  expect(playing.progress.reportHistory).toMatchObject([{ judgement: 'repeated' }]);
});

test('a contradiction is settled by a person who says that nothing has changed', async () => {
  const { outside, playing } = await booked('Issue', undefined, false);
  const uid = outside.uid('issue');
  playing.receive(reportOf(uid, 'ReadyForPickup', '2031-01-01T10:00:00'));
  playing.receive(reportOf(uid, 'ReadyForDropoff', '2031-01-01T12:00:00'));
  expect(playing.progress).toMatchObject({
    phase: 'NeedsPerson',
    shipments: { issue: { stateCode: 'ReadyForPickup' } },
  });
  expect(playing.progress.waitingFor[0]?.words).toContain('reported as ReadyForDropoff after ReadyForPickup');
  expect(playing.attributes).toMatchObject({ LockerPhase: 'NeedsPerson' });
  resolves(playing, { action: 'setState', role: 'issue', stateCode: 'ReadyForPickup' });
  expect(playing.progress).toMatchObject({ phase: 'Open', waitingFor: [{ words: 'issue to be picked up' }] });
});

describe('a report of a shipment that another flow follows', () => {
  const handedOver = ({ emitted }: Playing) =>
    emitted.flatMap((each) => (each.type === 'notOurs' ? [each.payload as ShipmentReport] : []));

  test.each(['superseded', 'alsoFollowed'])('is passed on to it, once each: %s', async (signal) => {
    const { outside, playing } = await booked('IntakeAndCircularStock', undefined, false);
    const shipmentUid = outside.uid('circularStock');
    const before = reportOf(shipmentUid, 'Registered', '2031-01-01T10:00:00');
    playing.receive(before);
    for (const byWorkflowId of ['stock-1', 'stock-2'])
      playing.send({ type: signal, payload: { shipmentUid, byWorkflowId } });
    playing.receive(before);
    const report = reportOf(shipmentUid, 'ReadyForPickup', '2031-01-01T12:00:00');
    playing.receive(report);
    playing.receive(report);
    playing.receive(reportOf(outside.uid('intake'), 'ReadyForPickup', '2031-01-01T12:00:00'));
    expect(handedOver(playing)).toEqual(['stock-1', 'stock-2'].map((passOnTo) => ({ ...report, passOnTo })));
  });

  test('goes on counting for this one, unless the other has taken it over', async () => {
    const { outside, playing } = await booked('IssueAndSwapIntake', undefined, false);
    const payload = { shipmentUid: outside.uid('intake'), byWorkflowId: 'stock-1' };
    playing.send({ type: 'alsoFollowed', payload });
    expect(playing.progress.shipments.intake).toMatchObject({ done: false });
    playing.send({ type: 'superseded', payload });
    expect(playing.progress.shipments.intake).toMatchObject({ done: true });
  });

  test('is passed on also if the flow is told before it knows the shipment', async () => {
    const outside = new Outside();
    const { request } = storyOf('Issue');
    const playing = new Playing('Issue', { request }, outside.activities);
    const { book } = outside.activities;
    outside.activities.book = async (asked) => {
      const answer = await book(asked);
      const payload = { shipmentUid: outside.uid('issue'), byWorkflowId: 'stock-1' };
      playing.send({ type: 'alsoFollowed', payload });
      return answer;
    };
    await playing.answer();
    const report = reportOf(outside.uid('issue'), 'ReadyForPickup', '2031-01-01T10:00:00');
    playing.receive(report);
    expect(handedOver(playing)).toEqual([{ ...report, passOnTo: 'stock-1' }]);
  });
});
