// Which shipment is which leg, for a peer that reports nothing but states. The tests try any history of the shipments and
// any order of delivery that keeps the order within each shipment. What the flow takes for certain is then always true, and
// it never guesses that it is Done.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import type { Booked } from '../../flows/booking/activities.ts';
import { atSizes } from '../support/suite.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing, wordsOf } from './playing.ts';
import { requestOf, type Story, stories } from './stories.ts';
import { cancels, resolves, storyOf, supersedes, underWay } from './under-way.ts';

const actions = ['ItemDroppedOff', 'ItemPickedUp', 'Cancelled'] as const;

/** Which shipment, what happens to it, and after how many minutes. What the shipment's state does not allow is left out. */
const history = fc.array(
  fc.tuple(fc.nat({ max: 2 }), fc.constantFrom(...actions), fc.constantFrom(0, 1, 120)),
  {
    minLength: 1,
    maxLength: 12,
  },
);

async function happened(
  story: Story,
  events: readonly (readonly [number, (typeof actions)[number], number])[],
) {
  let moment = Date.parse('2031-01-01T00:00:00Z');
  const outside = new Outside({ isBare: true });
  outside.now = () => new Date(moment);
  const { playing } = await underWay(story.flow, { outside, subscribes: true });
  const before = outside.sent.length;
  outside.deliver = async () => {};
  const uids = [...outside.roles.values()];
  for (const [which, action, minutes] of events) {
    moment += minutes * 60_000;
    await outside.does(uids[which % uids.length] ?? '', action).catch(() => undefined);
  }
  return { outside, playing, reports: outside.sent.slice(before) };
}

/** Merges the reports: each draw picks a shipment, and its next report follows. The order within each shipment is kept. */
function interleaved(reports: readonly ShipmentReport[], draws: readonly number[]): ShipmentReport[] {
  const queues = Map.groupBy(reports, ({ shipmentUid }) => shipmentUid);
  const merged: ShipmentReport[] = [];
  for (let index = 0; merged.length < reports.length; index++) {
    const open = [...queues.values()].filter((queue) => queue.length > 0);
    const next = open[(draws[index % draws.length] ?? 0) % open.length]?.shift();
    if (next) merged.push(next);
  }
  return merged;
}

function expectTrue(outside: Outside, playing: Playing): void {
  for (const [role, { shipmentUid }] of Object.entries(playing.progress.shipments))
    expect(outside.uid(role as never)).toBe(shipmentUid);
}

const beyond: Readonly<Partial<Record<StateCode, readonly string[]>>> = {
  Completed: ['Completed'],
  WaitForReceiver: ['WaitForReceiver', 'ReadyForPickup', 'Completed'],
  ReadyForPickup: ['ReadyForPickup', 'WaitForReceiver', 'Completed'],
};

/** Whether every leg has reached the state in which it is done, or a later one. */
function isTrulyDone({ ends }: Story, outside: Outside): boolean {
  return (Object.entries(ends) as [Role, StateCode][]).every(([role, done]) =>
    outside.sent.some(
      ({ shipmentUid, stateCode }) => shipmentUid === outside.uid(role) && beyond[done]?.includes(stateCode),
    ),
  );
}

const several = stories.filter(({ ends }) => Object.keys(ends).length > 1);

describe.each(several)('$flow', (story) => {
  atSizes({ short: 40, long: 300 }, (numRuns, seed) =>
    test('a role that is certain is true, and done is true, however the callbacks come', async () => {
      const draws = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(history, draws, async (events, drawn) => {
          const { outside, playing, reports } = await happened(story, events);
          for (const report of interleaved(reports, drawn)) {
            playing.receive(report);
            expectTrue(outside, playing);
          }
          const { ending } = playing;
          if (ending?.kind !== 'result') return;
          const { outcome } = ending.result as FlowResult;
          expect(outcome).toBe(isTrulyDone(story, outside) ? 'Done' : 'Cancelled');
        }),
        { seed, numRuns },
      );
    }),
  );
});

const swap = storyOf('IssueAndSwapIntake');
const circular = storyOf('IntakeAndCircularStock');

/** The roles that the flow takes for certain after these reports. */
async function certainAfter(story: Story, reports: readonly (readonly [string, string, string | null])[]) {
  const { outside, playing } = await happened(story, []);
  for (const [role, stateCode, stateStart] of reports)
    playing.receive(reportOf(outside.uid(role as never), stateCode, stateStart));
  return Object.keys(playing.progress.shipments).sort();
}

describe('evidence for a role', () => {
  test('a waiting pick-up is not evidence in a swap: both shipments reach it', async () => {
    expect(await certainAfter(swap, [['issue', 'ReadyForPickup', '2031-01-01T10:00:00']])).toEqual([]);
  });

  test('if two pick-ups wait, the clearly earlier one is the issue', async () => {
    const reports = [
      ['intake', 'ReadyForPickup', '2031-01-01T12:00:00'],
      ['issue', 'ReadyForPickup', '2031-01-01T10:00:00'],
    ] as const;
    expect(await certainAfter(swap, reports)).toEqual(['intake', 'issue']);
  });

  test('times that are closer than two clocks may differ are not evidence', async () => {
    const reports = [
      ['intake', 'ReadyForPickup', '2031-01-01T10:00:30'],
      ['issue', 'ReadyForPickup', '2031-01-01T10:00:00'],
    ] as const;
    expect(await certainAfter(swap, reports)).toEqual([]);
  });

  test('only an intake is dropped off: its drop-off, reported or still open, shows both roles', async () => {
    expect(await certainAfter(circular, [['intake', 'ReadyForDropoff', null]])).toEqual([
      'circularStock',
      'intake',
    ]);
  });

  test('a waiting pick-up is the circular stock when the other is completed, and not before', async () => {
    const waits = ['circularStock', 'ReadyForPickup', '2031-01-01T10:00:00'] as const;
    expect(await certainAfter(circular, [waits])).toEqual([]);
    const both = [waits, ['intake', 'Completed', '2031-01-01T10:00:00']] as const;
    expect(await certainAfter(circular, both)).toEqual(['circularStock', 'intake']);
  });
});

test('shipments that are not one for each leg need a person, who names them', async () => {
  const change = (booked: Booked) => ({ ...booked, shipments: booked.shipments.slice(0, 1) });
  const { outside, playing } = await underWay(swap.flow, { isBare: true, change });
  expect(playing.progress).toMatchObject({
    phase: 'NeedsPerson',
    waitingFor: [
      {
        kind: 'decision',
        code: 'LegsUnmatched',
        params: { shipments: 1, legs: 2 },
        reason: 'LegsUnmatched',
        words: 'a person: 1 shipments for 2 legs (`resolve`)',
      },
      { kind: 'leg', role: 'issue' },
      { kind: 'leg', role: 'intake' },
    ],
  });
  const shipments = { issue: outside.uid('issue'), intake: outside.uid('intake') };
  resolves(playing, { action: 'adopt', shipments });
  expect(playing.progress).toMatchObject({ phase: 'Open', unassigned: [] });
});

test('a person who exchanges the shipments of two legs, one of them completed, does not end the flow', async () => {
  const { outside, playing } = await happened(swap, []);
  const [issue, intake] = [outside.uid('issue'), outside.uid('intake')];
  resolves(playing, { action: 'adopt', shipments: { issue: intake, intake: issue } });
  playing.receive(reportOf(issue, 'Completed', null));
  resolves(playing, { action: 'adopt', shipments: { issue, intake } });
  expect(playing.ending).toBeUndefined();
  expect(wordsOf(playing.progress.waitingFor)).toEqual(['intake to begin when issue is picked up']);
  playing.receive(reportOf(intake, 'Completed', null));
  expect(playing.ending).toMatchObject({ result: { outcome: 'Done' } });
});

test('a report that makes its leg done, and shows that the roles are not certain, does not end the flow', async () => {
  const { outside, playing } = await happened(circular, []);
  const [intake, stock] = [outside.uid('intake'), outside.uid('circularStock')];
  playing.receive(reportOf(stock, 'Registered', null));
  playing.receive(reportOf(intake, 'Cancelled', null));
  expect(Object.keys(playing.progress.shipments)).toHaveLength(2);
  // Each order contradicts it: an intake with circular stock pending is never in the locker as itself.
  playing.receive(reportOf(stock, 'WaitForReceiver', '2031-01-01T12:00:00'));
  expect(playing.progress.unassigned).toHaveLength(2);
  expect(playing.ending).toBeUndefined();
});

test('a shipment that another flow has taken over is done for this one', async () => {
  const { outside, playing } = await underWay(circular.flow, { subscribes: true });
  supersedes(playing, outside.uid('circularStock'));
  expect(playing.progress.shipments.circularStock).toMatchObject({ done: true });
  expect(wordsOf(playing.progress.waitingFor)).toEqual(['intake to be dropped off']);
  expect(playing.details).toMatch(/\| circularStock \| \S+ \| Superseded \|/);
  // The other flow has this shipment now, so its reports do not change this flow.
  playing.receive(reportOf(outside.uid('circularStock'), 'ReadyForPickup', '2031-01-01T10:00:00'));
  playing.receive(reportOf(outside.uid('circularStock'), 'Registered', '2031-01-01T12:00:00'));
  expect(playing.progress.reportHistory.at(-1)?.judgement).toBe('contradictory');
  expect(playing.progress.phase).toBe('Open');
  await cancels(playing);
  expect(outside.stateOf(outside.uid('circularStock'))).not.toBe('Completed');
  expect(outside.calls).toContain('undo');
});

test('no deadline begins for a shipment that another flow has taken over', async () => {
  const input = { deadlines: { intake: { dropOff: 'P1D' } } };
  const { outside, playing } = await underWay(circular.flow, { input });
  supersedes(playing, outside.uid('intake'));
  resolves(playing, { action: 'setState', role: 'intake', stateCode: 'ReadyForDropoff' });
  expect(() => playing.timePasses('intake.dropOff')).toThrow('no timer runs for intake.dropOff');
});

test('a shipment that another flow takes over before the booking is answered is done for this one', async () => {
  const outside = new Outside();
  const request = await requestOf(storyOf('IssueFromStock'), outside);
  const playing = new Playing('IssueFromStock', { request }, outside.activities);
  supersedes(playing, request.priorShipmentUid);
  await playing.answer();
  expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
});
