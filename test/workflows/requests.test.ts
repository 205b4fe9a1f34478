// What people ask of a running flow by updates: the flow does it if it can, else it refuses and says what was wrong and what
// was expected.
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { Outside, reportOf } from './outside.ts';
import { Playing, wordsOf } from './playing.ts';
import { requestOf } from './stories.ts';
import { asks, refuses, storyOf, underWay } from './under-way.ts';

const following = (flow: string, request: object = {}, input: object = {}) =>
  underWay(flow, { request, input, subscribes: true });

const delayed = { toUserUid: undefined, fromUserUid: 'user-bram', isReceiverDelayed: true };
const inThreeDays = Date.now() + 3 * 86_400_000;

test('what the booking of a built-in flow can do stands once among the actions of its process', async () => {
  const { playing } = await following('Issue');
  const names = playing.asked().actions.map(({ command }) => command);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toContain('cancel');
  expect(names).toContain('extendDeadline');
  const cancel = playing.asked().actions.find(({ command }) => command === 'cancel');
  expect(cancel?.consequence?.shipments).toHaveLength(1);
});

describe('setReceiver and removeReceiver', () => {
  test('a receiver that is set late lets the shipment be picked up', async () => {
    const { outside, playing } = await following('LocalShipment', delayed);
    await outside.does(outside.uid('shipment'), 'ItemDroppedOff');
    expect(wordsOf(playing.progress.waitingFor)).toEqual(['shipment to get a receiver']);
    asks(playing, 'setReceiver', { role: 'shipment', toUserUid: 'user-anna' });
    await playing.answer();
    expect(playing.emitted).toEqual([{ type: 'answer', updateId: 'u1', value: null }]);
    expect(wordsOf(playing.progress.waitingFor)).toEqual(['shipment to be picked up']);
  });

  test('a receiver can be removed again before the item is there', async () => {
    const { playing, outside } = await following('Issue');
    asks(playing, 'removeReceiver', { role: 'issue' });
    await playing.answer();
    await outside.does(outside.uid('issue'), 'ItemDroppedOff');
    expect(outside.stateOf(outside.uid('issue'))).toBe('WaitForReceiver');
  });

  test('a refusal of the service gives its code, and the next try is possible', async () => {
    const { playing, outside } = await following('Issue');
    outside.activities.changeReceiver = async () => {
      throw ApplicationFailure.create({
        type: 'InvalidUserUid',
        message: 'no such user',
        nonRetryable: true,
      });
    };
    const payload = { role: 'issue', toUserUid: 'nobody' };
    asks(playing, 'setReceiver', payload);
    expect(playing.refusal('setReceiver', payload)).toContain('under way');
    await playing.answer();
    expect(playing.emitted).toEqual([
      { type: 'refusal', updateId: 'u1', code: 'InvalidUserUid', message: 'no such user' },
    ]);
    expect(playing.can('setReceiver', payload)).toBe(true);
  });

  test('a flow that is done meanwhile still answers a change of receiver that is under way', async () => {
    const { playing, outside } = await following('Issue');
    asks(playing, 'removeReceiver', { role: 'issue' });
    playing.receive(reportOf(outside.uid('issue'), 'Completed', null));
    expect(playing.ending).toBeUndefined();
    await playing.answer();
    expect(playing.emitted).toEqual([{ type: 'answer', updateId: 'u1', value: null }]);
    expect(playing.ending).toMatchObject({ result: { outcome: 'Done' } });
  });

  test('undoing the flow waits for a change of receiver that is under way', async () => {
    const { playing, outside } = await following('Issue');
    asks(playing, 'removeReceiver', { role: 'issue' });
    playing.send({ type: 'cancelRequested' });
    expect(playing.progress.activity).toBe('Following');
    await playing.answer();
    expect(outside.calls).toEqual(['CreateLocalShipmentAsIssue', 'changeReceiver', 'undo']);
  });

  test('the new case number goes along with a receiver that is set, and not with one that is removed', async () => {
    const { playing, outside } = await following('Issue');
    const asked: unknown[] = [];
    outside.activities.changeReceiver = async (input) => void asked.push(input);
    const change = { role: 'issue', toUserUid: 'user-bram', caseReferenceNew: 'CASE-2' };
    for (const type of ['removeReceiver', 'setReceiver']) {
      playing.send({ type, payload: change, updateId: type });
      await playing.answer();
    }
    const shipmentUid = outside.uid('issue');
    expect(asked).toEqual([
      { shipmentUid, toUserUid: null, caseReferenceNew: null },
      { shipmentUid, toUserUid: 'user-bram', caseReferenceNew: 'CASE-2' },
    ]);
  });

  test('it is refused for a leg with an unknown shipment', async () => {
    const { playing } = await underWay('IssueAndSwapIntake', { isBare: true });
    const payload = { role: 'intake', toUserUid: 'user-bram' };
    refuses(playing, 'setReceiver', payload, 'not known yet which shipment is intake');
  });
});

test('an update that a flow does not have is refused as that, and not as a change of a receiver', async () => {
  const { playing } = await following('Issue');
  for (const type of ['paintLocker', 'toString'])
    refuses(playing, type, { role: 'issue', toUserUid: 'user-anna' }, `has no update ${type}`);
});

describe('extendDeadline', () => {
  const dropOff = { role: 'issue', stage: 'dropOff' };
  const ends = ({ progress }: Playing) => progress.deadlines.map(({ until }) => until);
  const inADay = { deadlines: { issue: { dropOff: 'P1D' } } };
  const later = (until: string | undefined, ms: number) =>
    new Date(Date.parse(until ?? '') + ms).toISOString();
  const HOUR_MS = 3_600_000;

  test('by a duration it moves the end that there is, and says which that was', async () => {
    const { playing } = await following('Issue', {}, inADay);
    const [from] = ends(playing);
    asks(playing, 'extendDeadline', { ...dropOff, extendBy: 'P2D' });
    expect(ends(playing)).toEqual([later(from, 48 * HOUR_MS)]);
    expect(playing.emitted).toMatchObject([{ value: { from, until: later(from, 48 * HOUR_MS) } }]);
    asks(playing, 'extendDeadline', { ...dropOff, shortenBy: 'PT1H' });
    expect(ends(playing)).toEqual([later(from, 47 * HOUR_MS)]);
    refuses(playing, 'extendDeadline', { ...dropOff, shortenBy: 'P4D' }, 'would have passed');
    refuses(
      playing,
      'extendDeadline',
      { ...dropOff, stage: 'pickUp', extendBy: 'P1D' },
      'issue.pickUp has no end yet',
    );
  });

  test('who means to give more time takes none, and the other way round', async () => {
    const { playing } = await following('Issue', {}, inADay);
    const hours = (fromNow: string, only: string) => ({ ...dropOff, fromNow, only });
    refuses(playing, 'extendDeadline', hours('PT4H', 'later'), 'is not later than the present one');
    refuses(playing, 'extendDeadline', hours('P3D', 'earlier'), 'is not earlier than the present one');
    refuses(
      playing,
      'extendDeadline',
      { ...dropOff, stage: 'pickUp', fromNow: 'P3D', only: 'earlier' },
      'no end',
    );
    refuses(playing, 'extendDeadline', hours('P3D', 'sooner'), 'only is "sooner", expected later or earlier');
    expect(playing.can('extendDeadline', hours('P3D', 'later'))).toBe(true);
    expect(playing.can('extendDeadline', hours('PT4H', 'earlier'))).toBe(true);
  });

  test('a move is taken back to what was before, unless it was moved again', async () => {
    const { playing } = await following('Issue', {}, inADay);
    const [from] = ends(playing);
    asks(playing, 'extendDeadline', { ...dropOff, extendBy: 'P2D' });
    const undo = { from, until: ends(playing)[0] };
    const other = { from, until: later(from, 1) };
    refuses(playing, 'extendDeadline', { ...dropOff, undo: other }, 'has been moved again meanwhile');
    refuses(playing, 'extendDeadline', { ...dropOff, undo: 'all' }, 'expected from and until of the move');
    asks(playing, 'extendDeadline', { ...dropOff, undo });
    expect(ends(playing)).toEqual([from]);
  });

  test('a deadline that was given to a stage without one is taken away again', async () => {
    const { playing } = await following('Issue');
    const pickUp = { role: 'issue', stage: 'pickUp' };
    asks(playing, 'extendDeadline', { ...pickUp, fromNow: 'P2D' });
    const [until] = ends(playing);
    expect(playing.emitted).toMatchObject([{ value: { from: null, until, isAhead: true } }]);
    asks(playing, 'extendDeadline', { ...pickUp, undo: { from: null, until } });
    expect(ends(playing)).toEqual([]);
    expect(playing.emitted[1]).toMatchObject({ value: { from: until, until: null } });
  });

  test('one that had passed is extended from now, and overdue again once that is taken back', async () => {
    const { playing } = await following('Issue', {}, { deadlines: { issue: { dropOff: 'PT1S' } } });
    playing.timePasses('issue.dropOff');
    const [from] = ends(playing);
    const before = Date.now();
    asks(playing, 'extendDeadline', { ...dropOff, extendBy: 'P1D' });
    expect(Date.parse(ends(playing)[0] ?? '')).toBeGreaterThanOrEqual(before + 24 * HOUR_MS);
    expect(playing.progress.phase).toBe('Open');
    asks(playing, 'extendDeadline', { ...dropOff, undo: { from, until: ends(playing)[0] } });
    expect(playing.progress).toMatchObject({ phase: 'Overdue', deadlines: [{ until: from, passed: true }] });
  });

  test('it moves the deadline of the stage that the leg is in', async () => {
    const { playing } = await following('Issue', {}, { deadlines: { issue: { dropOff: 'PT1H' } } });
    const [from] = ends(playing);
    const until = new Date(inThreeDays).toISOString();
    asks(playing, 'extendDeadline', { role: 'issue', stage: 'dropOff', until });
    expect(playing.progress.deadlines).toEqual([{ role: 'issue', stage: 'dropOff', until, passed: false }]);
    // The timer is moved, too.
    expect(playing.delay).toBeGreaterThan(2 * 86_400_000);
    const value = { from, until, isAhead: false };
    expect(playing.emitted).toEqual([{ type: 'answer', updateId: 'u1', value }]);
  });

  test('a deadline of stock that waits already begins with its issue, and not before', async () => {
    const outside = new Outside();
    const yesterday = Date.now() - 86_400_000;
    outside.now = () => new Date(yesterday);
    const stock = await outside.existing({ toUserUid: null }, 'ItemDroppedOff');
    const answeredAt = new Date().toISOString();
    const { playing } = await underWay('IssueFromStockAndSwapIntake', {
      outside,
      request: { priorShipmentUid: stock },
      input: { deadlines: { issue: { pickUp: 'P1D' } } },
      change: (booked) => ({ ...booked, answeredAt }),
    });
    const until = new Date(Date.parse(answeredAt) + 86_400_000).toISOString();
    expect(playing.progress.deadlines).toEqual([{ role: 'issue', stage: 'pickUp', until, passed: false }]);
  });

  test('it gives a deadline to a stage that has none, also before it begins', async () => {
    const { playing, outside } = await following('Issue');
    const payload = { role: 'issue', stage: 'pickUp', fromNow: 'P2D' };
    asks(playing, 'extendDeadline', payload);
    expect(playing.progress.deadlines).toMatchObject([
      { role: 'issue', stage: 'pickUp', passed: false, ahead: true },
    ]);
    await outside.does(outside.uid('issue'), 'ItemDroppedOff');
    expect(playing.progress.deadlines).toMatchObject([{ role: 'issue', stage: 'pickUp', passed: false }]);
    expect(playing.progress.deadlines[0]).not.toHaveProperty('ahead');
    await outside.does(outside.uid('issue'), 'ItemPickedUp');
    expect(playing.progress).toMatchObject({
      activity: 'Ended',
      phase: null,
      outcome: 'Done',
      deadlines: [],
    });
  });

  test('a flow that is overdue is open again once its deadline is extended', async () => {
    const { playing } = await following('Issue', {}, { deadlines: { issue: { dropOff: 'PT1S' } } });
    playing.timePasses('issue.dropOff');
    expect(playing.progress.phase).toBe('Overdue');
    expect(playing.progress.waitingFor[0]).toMatchObject({
      kind: 'leg',
      isOverdue: true,
      words: expect.stringContaining('overdue since'),
    });
    const payload = { role: 'issue', stage: 'dropOff', fromNow: 'P1D' };
    asks(playing, 'extendDeadline', payload);
    expect(playing.progress.phase).toBe('Open');
  });
});

test('a leg that has ended is not changed while another continues', async () => {
  const { playing, outside } = await following('IssueAndSwapIntake');
  for (const action of ['ItemDroppedOff', 'ItemPickedUp'] as const)
    await outside.does(outside.uid('issue'), action);
  const payload = { role: 'issue', toUserUid: 'user-bram', stage: 'pickUp', fromNow: 'P1D' };
  for (const [type, why] of [
    ['setReceiver', 'issue has ended (Completed)'],
    ['extendDeadline', 'issue is Completed, beyond pickUp'],
  ] as const) {
    refuses(playing, type, payload, why);
  }
});

const decides = { by: 'ada', why: 'seen it' };

describe('resolve', () => {
  test('only the requested stock shipment can be adopted as the issue of a from-stock flow', async () => {
    const outside = new Outside();
    outside.activities.book = async () => {
      throw ApplicationFailure.create({ type: 'OutcomeUnknown', message: 'lost', nonRetryable: true });
    };
    const request = await requestOf(storyOf('IssueFromStock'), outside);
    const playing = new Playing('IssueFromStock', { request }, outside.activities);
    await playing.answer();
    const adopting = (issue: unknown) => ({ ...decides, action: 'adopt', shipments: { issue } });
    refuses(playing, 'resolve', adopting('another'), String(request.priorShipmentUid));
    expect(playing.can('resolve', adopting(request.priorShipmentUid))).toBe(true);
  });

  test('a state that a person corrects is the one whose deadline counts', async () => {
    const { playing, outside } = await following('Issue', {}, { deadlines: { issue: { dropOff: 'PT1S' } } });
    await outside.does(outside.uid('issue'), 'ItemDroppedOff');
    expect(playing.progress.deadlines).toEqual([]);
    const payload = { action: 'setState', role: 'issue', stateCode: 'ReadyForDropoff', ...decides };
    asks(playing, 'resolve', payload);
    expect(playing.progress.deadlines).toMatchObject([{ role: 'issue', stage: 'dropOff' }]);
    playing.timePasses('issue.dropOff');
    expect(playing.progress).toMatchObject({
      phase: 'Overdue',
      shipments: { issue: { stateCode: 'ReadyForDropoff' } },
    });
  });
});

test.each<[type: string, payload: unknown, reason: string]>([
  ['setReceiver', { role: 'intake', toUserUid: 'u' }, 'role is "intake", expected one of issue'],
  ['setReceiver', { role: 'issue' }, 'toUserUid is missing'],
  ['setReceiver', null, 'role is undefined'],
  ['setReceiver', 'issue', 'role is undefined'],
  [
    'extendDeadline',
    { role: 'issue', stage: 'receiver', fromNow: 'P1D' },
    'stage is "receiver", expected one of dropOff, pickUp',
  ],
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', fromNow: 'P1M' },
    'fromNow is "P1M", expected a duration',
  ],
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp' },
    'exactly one of until, fromNow, extendBy, shortenBy, undo',
  ],
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', until: 'soon' },
    'until is "soon", expected an instant with an offset',
  ],
  // It would be another moment on a worker in another time zone.
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', until: '2131-05-01T12:00:00' },
    'expected an instant with an offset',
  ],
  ['extendDeadline', { role: 'issue', stage: 'pickUp', until: '2001-01-01T00:00:00Z' }, 'which has passed'],
  // Temporal keeps no longer timer.
  [
    'extendDeadline',
    { role: 'issue', stage: 'pickUp', fromNow: 'P99999999999D' },
    'more than a hundred years',
  ],
  ['resolve', { action: 'settle', ...decides }, 'action is "settle"; possible now: adopt, setState'],
  [
    'resolve',
    { action: 'retry', ...decides },
    'nothing is to be tried again. Where one is wrong, adopt or setState; possible now: adopt, setState',
  ],
  ['resolve', { action: 'giveUp', ...decides }, 'giveUp is not possible now: it knows how to go on'],
  [
    'resolve',
    { action: 'setState', role: 'issue', stateCode: 'Completed', by: 'ada' },
    'by and why must say',
  ],
  ['resolve', { action: 'setState', role: 'issue', stateCode: 'Lost', ...decides }, 'stateCode is "Lost"'],
  ['resolve', { action: 'adopt', shipments: {}, ...decides }, 'must name a shipmentUid for issue too'],
  ['resolve', { action: 'adopt', shipments: { stock: 'x' }, ...decides }, 'role is "stock"'],
  ['resolve', undefined, 'by and why must say'],
])('%s with %j is refused: %s', async (type, payload, reason) => {
  const { playing } = await following('Issue');
  refuses(playing, type, payload, reason);
});

test.each([
  ['setReceiver', { toUserUid: 'user-bram' }, 'cannot be changed in ReadyForPickup'],
  ['extendDeadline', { stage: 'dropOff', fromNow: 'P1D' }, 'beyond dropOff'],
])('%s is refused for what is over by the drop-off', async (type, payload, reason) => {
  const { playing, outside } = await following('Issue');
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  refuses(playing, type, { role: 'issue', ...payload }, reason);
});

test('a decision about what needs none says why, and what to do in its place', async () => {
  const outside = new Outside();
  const request = await requestOf(storyOf('Issue'), outside);
  const playing = new Playing('Issue', { request }, outside.activities);
  const wanted = { action: 'retry', by: 'a', why: 'b' };
  expect(playing.refusal('resolve', wanted)).toMatch(
    /no decision is possible now: it is being booked, and knows how to go on\. To end it, cancel it$/,
  );
});

test.each(['setReceiver', 'removeReceiver', 'extendDeadline', 'resolve'])(
  '%s is refused before the booking',
  async (type) => {
    const outside = new Outside();
    const playing = new Playing(
      'Issue',
      { request: await requestOf(storyOf('Issue'), outside) },
      outside.activities,
    );
    const payload = {
      role: 'issue',
      toUserUid: 'u',
      stage: 'pickUp',
      fromNow: 'P1D',
      action: 'retry',
      by: 'a',
      why: 'b',
    };
    expect(playing.can(type, payload)).toBe(false);
    expect(playing.refusal(type, payload)).toMatch(/possible/);
  },
);
