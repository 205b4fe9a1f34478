// Undoing a flow at every point, with a listing and for a bare peer: none of its shipments stays booked, it leaves shipments
// of other flows alone, and it reports each item that lies in a locker.
import { describe, expect, test } from 'vitest';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import { hasItemInside } from '../../contract/machines/chain-shipments.ts';
import type { Booked, UndoInput } from '../../flows/booking/activities.ts';
import { notUndone, Outside, reportOf } from './outside.ts';
import { wordsOf } from './playing.ts';
import { fromPrior, type Story, stories } from './stories.ts';
import {
  asks,
  cancels,
  deadlines,
  resolves,
  type States,
  statesOf,
  storyOf,
  supersedes,
  underWay,
} from './under-way.ts';

/** A locker that is kept booked ends only when it is cancelled: that is its done rule. */
const isKept = ({ request }: Story) => request?.keepBookedAfterPickUp === true;

const moments = stories.flatMap((story) =>
  story.actions.map((_, actions) => ({ flow: story.flow, story, actions })),
);
const undoneMoments = moments.filter(({ story }) => !isKept(story));

/** The flow after so many actions, when it has the callbacks of all of them. */
async function startedWith(story: Story, actions: number, isBare: boolean, input: object = {}) {
  const { outside, playing } = await underWay(story.flow, { isBare, input, subscribes: true });
  for (const [role, action] of story.actions.slice(0, actions)) await outside.does(outside.uid(role), action);
  return { outside, playing, before: statesOf(outside) };
}

/** The states after undoing: it leaves only the intake of another flow, and the shipments that were over before. */
function undone(story: Story, before: States): States {
  const isLeft = (role: string) => story.flow === 'StockAfterSwapIntake' && role === 'intake';
  return Object.fromEntries(
    Object.entries(before).map(([role, stateCode]) => [
      role,
      stateCode === 'Completed' || isLeft(role) ? stateCode : 'Cancelled',
    ]),
  );
}

describe.each([{ isBare: false }, { isBare: true }])('with a peer that is bare: $isBare', ({ isBare }) => {
  test.each(undoneMoments)(
    '$flow, cancelled after $actions actions, leaves nothing booked',
    async (moment) => {
      const { outside, playing, before } = await startedWith(moment.story, moment.actions, isBare);
      await cancels(playing);
      expect(playing.ending).toEqual({ kind: 'cancelled' });
      expect(outside.calls.filter((call) => call === 'undo')).toHaveLength(1);
      expect(statesOf(outside)).toEqual(undone(moment.story, before));
    },
  );

  test.each(undoneMoments)(
    '$flow, overdue after $actions actions, lists the items left',
    async ({ story, actions }) => {
      const input = { onOverdue: 'cancel', deadlines };
      const { outside, playing, before } = await startedWith(story, actions, isBare, input);
      const [overdue] = playing.progress.deadlines;
      // A role that the flow does not know has no deadline, nor has a prior shipment whose state a bare peer does not report.
      if (!overdue) return expect(isBare).toBe(true);
      playing.timePasses(`${overdue.role}.${overdue.stage}`);
      await playing.answer();
      const after = statesOf(outside);
      const left = [...outside.roles].flatMap(([role, shipmentUid]) => {
        const was = before[role];
        const shipmentType = role === 'collect' ? 'CollectOnlyShipment' : 'LocalPupShipment';
        const isLeft = was && hasItemInside({ shipmentType, stateCode: was });
        return after[role] === 'Cancelled' && isLeft ? [shipmentUid] : [];
      });
      expect(after).toEqual(undone(story, before));
      const { result } = playing.ending as { result: FlowResult };
      expect(result).toMatchObject({
        outcome: 'Overdue',
        overdue: [{ role: overdue.role, stage: overdue.stage }],
      });
      expect(result.itemsLeft.map(({ shipmentUid }) => shipmentUid)).toEqual(left);
    },
  );

  test('a kept-booked flow that is cancelled is done: its cancellation is its end', async () => {
    const story = stories.find(isKept);
    const { playing } = await startedWith(story as Story, 1, isBare);
    await cancels(playing);
    expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
  });
});

const fromStock = stories.filter(({ flow }) => flow.startsWith('IssueFromStock'));

describe.each([{ isBare: false }, { isBare: true }])('with a peer that is bare: $isBare', ({ isBare }) => {
  test.each(fromStock)(
    '$flow gives stock that is still to be dropped off back without a receiver',
    async (story) => {
      const outside = new Outside({ isBare });
      const request = fromPrior(story, await outside.existing({ toUserUid: null }));
      const { playing } = await underWay(story.flow, { outside, request, subscribes: true });
      await cancels(playing);
      expect(playing.ending).toEqual({ kind: 'cancelled' });
      const { issue, ...others } = statesOf(outside);
      expect(issue).toBe('ReadyForDropoff');
      expect(new Set(Object.values(others))).toEqual(
        new Set(Object.keys(others).length > 0 ? ['Cancelled'] : []),
      );
    },
  );
});

test('stock that was given back because it was overdue is no longer overdue', async () => {
  const outside = new Outside();
  const request = fromPrior(storyOf('IssueFromStock'), await outside.existing({ toUserUid: null }));
  const input = { onOverdue: 'cancel', deadlines: { issue: { dropOff: 'P1D' } } };
  const { playing } = await underWay('IssueFromStock', { outside, request, input });
  playing.timePasses('issue.dropOff');
  expect(playing.attributes).toMatchObject({ LockerPhase: 'Overdue' });
  await playing.answer();
  expect(playing.ending).toMatchObject({ result: { outcome: 'Overdue', itemsLeft: [] } });
  expect(playing.attributes).toMatchObject({ LockerPhase: 'Open' });
});

const issue = storyOf('Issue');

/** What the outside answers to each try to undo a shipment; gives the tries. */
function undoesNot(outside: Outside, answer?: Parameters<typeof notUndone>[1]): UndoInput[] {
  const tries: UndoInput[] = [];
  outside.activities.undo = async (input) => {
    tries.push(input);
    return notUndone(input, answer);
  };
  return tries;
}

test('a flow is done, not cancelled, when undoing finds every leg completed', async () => {
  const { outside, playing } = await startedWith(issue, 1, false);
  outside.deliver = async () => {};
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  await cancels(playing);
  expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
});

test('with a bare vendor, the flow waits for the callback of an ended shipment: only that shows how it ended', async () => {
  const { outside, playing } = await startedWith(issue, 1, true);
  outside.deliver = async () => {};
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  await cancels(playing);
  playing.timePasses('callbacksOfUndoing');
  expect(playing.progress).toMatchObject({ activity: 'NeedsPerson', phase: 'NeedsPerson' });
  playing.receive(reportOf(outside.uid('issue'), 'Completed', null));
  expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
});

test('without the callbacks of the undone shipments, the flow still ends after some time', async () => {
  const { outside, playing } = await startedWith(issue, 1, false);
  outside.deliver = async () => {};
  await cancels(playing);
  expect(playing.ending).toBeUndefined();
  playing.timePasses('callbacksOfUndoing');
  expect(playing.ending).toEqual({ kind: 'cancelled' });
});

test('a shipment that could not be undone and has ended needs no person any more', async () => {
  const outside = new Outside();
  undoesNot(outside);
  const { playing } = await underWay('Issue', { outside });
  await cancels(playing);
  expect(playing.progress.activity).toBe('NeedsPerson');
  playing.receive(reportOf(outside.uid('issue'), 'Cancelled', '2031-01-01T12:00:00'));
  expect(playing.ending).toEqual({ kind: 'cancelled' });
  expect(playing.attributes).toMatchObject({ LockerPhase: 'Open' });
});

test('where shipments have ended and nobody knows as what, a person says which is which, and then how each has ended', async () => {
  const outside = new Outside({ isBare: true });
  undoesNot(outside, { undone: 'AlreadyEnded', stateCode: null, error: null });
  const { playing } = await underWay('IntakeAndCircularStock', { outside });
  await cancels(playing);
  playing.timePasses('callbacksOfUndoing');
  expect(playing.progress.activity).toBe('NeedsPerson');
  const who = { by: 'ada', why: 'seen at the wall' };
  const states = ['intake', 'circularStock'].map((role) => ({
    ...who,
    action: 'setState',
    role,
    stateCode: 'Cancelled',
  }));
  for (const payload of states) expect(playing.refusal('resolve', payload)).toContain('adopt first');
  const shipments = Object.fromEntries(outside.roles);
  const decisions = [{ ...who, action: 'adopt', shipments }, ...states];
  for (const [index, payload] of decisions.entries())
    playing.send({ type: 'resolve', payload, updateId: `decision ${index}` });
  expect(playing.progress.shipments).toMatchObject({
    intake: { shipmentUid: outside.uid('intake'), stateCode: 'Cancelled' },
    circularStock: { shipmentUid: outside.uid('circularStock'), stateCode: 'Cancelled' },
  });
  if (!playing.ending) playing.timePasses('callbacksOfUndoing');
  expect(playing.ending).toEqual({ kind: 'cancelled' });
});

test('a shipment that could not be undone is shown and tried again, and a person can give it up', async () => {
  const outside = new Outside();
  const tries = undoesNot(outside);
  const { playing } = await underWay('Issue', { outside });
  await cancels(playing);
  expect(wordsOf(playing.progress.waitingFor)).toEqual([expect.stringContaining('Unauthorized')]);
  expect(playing.attributes).toMatchObject({ LockerPhase: 'NeedsPerson' });
  const decision = { action: 'settle', by: 'ada', why: 'seen it' };
  expect(playing.refusal('resolve', decision)).toContain('possible now: retry, adopt, setState, giveUp');
  expect(playing.timerSummary('nextTryOfUndoing')).toBe('wait before the next try to undo');
  const waits = [playing.delay];
  for (let times = 2; times <= 6; times++) {
    playing.timePasses('nextTryOfUndoing');
    await playing.answer();
    expect(tries).toHaveLength(times);
    waits.push(playing.delay);
  }
  // The waits grow, so that the history of a flow without help grows more slowly with each try.
  expect(waits.map((ms) => (ms ?? 0) / 60_000)).toEqual([10, 20, 40, 80, 120, 120]);
  const giveUp = { action: 'giveUp', by: 'ada', why: 'the locker is gone' };
  resolves(playing, giveUp);
  expect(playing.ending).toEqual({ kind: 'cancelled' });
  expect(playing.progress.resolutions).toEqual([{ ...giveUp, at: expect.any(String) }]);
});

describe('a delivered item', () => {
  /** The item is stock again, but no report has said that the intake is completed. */
  async function undoneOf(isBare: boolean) {
    const outside = new Outside({ isBare });
    const { undo } = outside.activities;
    const undone: string[] = [];
    outside.activities.undo = async (input) => {
      undone.push(...input.shipments.map(({ shipmentUid }) => shipmentUid));
      return await undo(input);
    };
    const { playing } = await underWay('IntakeAndCircularStock', { outside });
    await outside.does(outside.uid('intake'), 'ItemDroppedOff');
    playing.receive(reportOf(outside.uid('circularStock'), 'ReadyForPickup', '2031-01-01T12:00:00'));
    const awaited = wordsOf(playing.progress.waitingFor);
    await cancels(playing);
    return { outside, undone, awaited };
  }

  test('is no longer awaited, and not undone with the rest', async () => {
    const { outside, undone, awaited } = await undoneOf(false);
    expect(awaited).toEqual(['intake to be dropped off']);
    expect(undone).toEqual([outside.uid('intake')]);
  });

  test('is undone if it may be the item that was not delivered', async () => {
    const { outside, undone } = await undoneOf(true);
    expect(new Set(undone)).toEqual(new Set(outside.roles.values()));
  });
});

test('a shipment that a person has said to be no leg of the flow is waited for, and undone with it', async () => {
  const outside = new Outside({ isBare: true });
  const third = await outside.existing({ toUserUid: 'user-anna' });
  const change = ({ shipments, ...booked }: Booked) => ({
    ...booked,
    shipments: [...shipments, ...shipments.slice(0, 1).map((one) => ({ ...one, shipmentUid: third }))],
  });
  const { playing } = await underWay('IssueAndSwapIntake', { outside, change });
  expect(playing.progress.waitingFor[0]?.words).toContain('3 shipments for 2 legs');
  const shipments = { issue: outside.uid('issue'), intake: outside.uid('intake') };
  resolves(playing, { action: 'adopt', shipments });
  for (const role of ['issue', 'intake'] as const)
    playing.receive(reportOf(outside.uid(role), 'Completed', null));
  expect(playing.ending).toBeUndefined();
  await cancels(playing);
  expect(outside.stateOf(third)).toBe('Cancelled');
});

test('an item of a shipment that another flow has taken over is not reported as left by this one', async () => {
  const { outside, playing } = await startedWith(issue, 1, false);
  supersedes(playing, outside.uid('issue'));
  playing.receive(reportOf(outside.uid('issue'), 'Cancelled', null));
  expect(playing.progress.itemsLeft).toEqual([]);
});

describe('the first cause of being undone stays', () => {
  const input = { onOverdue: 'cancel', deadlines: { issue: { dropOff: 'P1D' } } };

  test('when an overdue flow is cancelled', async () => {
    const { playing } = await startedWith(issue, 0, false, input);
    playing.timePasses('issue.dropOff');
    await cancels(playing);
    expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Overdue' } });
  });

  test('when a cancelled flow that still waits for a change of receiver is overdue', async () => {
    const { playing } = await startedWith(issue, 0, false, input);
    asks(playing, 'removeReceiver', { role: 'issue' });
    playing.send({ type: 'cancelRequested' });
    playing.timePasses('issue.dropOff');
    await playing.answer();
    expect(playing.ending).toEqual({ kind: 'cancelled' });
  });
});
