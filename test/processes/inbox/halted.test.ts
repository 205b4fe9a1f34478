// A process that has halted, as Work shows it: since when, and what runs on meanwhile.
import { expect, test } from 'vitest';
import { overviewOf } from '../../../console/process/overview/overview.ts';
import { noReply } from '../../../engine/inbox.ts';
import type { FlowFileProgress } from '../../../flows/language/machine/progress.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { byCause } from '../../../processes/inbox/by-cause.ts';
import { entryOf } from '../../../processes/inbox/decisions.ts';
import type { FoundFlow } from '../../../processes/views/found-flows.ts';
import { rowStateOf } from '../../../processes/views/row-state.ts';
import { fileOf } from '../../flows/language/names.ts';

const startedAt = '2026-01-05T09:00:00.000Z';

/** It has halted four hours after its start, and three hours after the item was put in. */
function halted(): Player {
  const file = fileOf(`
name: Held
meaning: Holds a book, and counts.
context: { n: 0 }
initial: held
on: { count: { actions: { type: assign, params: { n: "\${context.n + event.data.n}" } } } }
states:
  held:
    after: { P2D: { actions: { type: emit, params: { type: chased } } } }
    invoke:
      id: hold
      src: book
      input:
        operation: CreateLocalShipmentAsIssue
        request: { pupUid: station, toUserUid: anna, allowLargerLockers: true, allowOverflowLockers: true }
        deadlines: { issue: { pickUp: P3D } }
      onDone: over
      onError: over
  over: { type: final }
`);
  const player = new Player(file, { at: startedAt });
  player.pass('PT1H');
  player.send('hold.issue.ReadyForPickup');
  player.pass('PT3H');
  expect(() => player.send('count', {})).toThrow('No such key: n');
  return player;
}

const found = { workflowId: 'held-1', flow: 'Held', startedAt, pickUpPoint: null } as FoundFlow;
const entryIn = (progress: FlowFileProgress) =>
  entryOf(found, { progress, actions: [{} as never], clockAheadMs: 7 })[0];

const todoOf = (progress: FlowFileProgress) =>
  overviewOf({
    process: { flow: 'Held', status: 'Running', failure: null, trying: [] },
    progress,
    actionForms: [],
    chart: null,
    timers: [],
    parent: null,
  }).todo;

const deadline = {
  role: 'issue',
  stage: 'pickUp',
  until: '2026-01-08T10:00:00.000Z',
  passed: false,
} as const;

const STILL =
  'The case stands still, for as long as nobody decides; what it would do after a time waits, too.';
const runsOn = (until: string) =>
  ` The deadline for the delivery to be picked up runs on, until ${until}; it can be extended.`;

test('it waits for a decision since it has halted, not since its start', () => {
  const { progress } = halted();
  const since = '2026-01-05T13:00:00.000Z';
  expect(progress.halted).toMatchObject({ since });
  expect(progress.waitingFor[0]).toMatchObject({ code: 'Halted', since });
  expect(rowStateOf(progress).next).toMatchObject({ code: null, since });
  expect(entryIn(progress)).toMatchObject({ since, clockAheadMs: 7 });
});

test('the deadline of its booking runs on, as Work and its page say, and can be extended', () => {
  const { process, progress } = halted();
  expect(entryIn(progress)?.ifNothing).toBe(STILL + runsOn('2026-01-08T10:00:00.000Z'));
  expect(todoOf(progress)).toContain(runsOn('2026-01-08T10:00:00.000Z'));
  const until = '2026-01-09T10:00:00.000Z';
  process.update('extendDeadline', { role: 'issue', stage: 'pickUp', until }, 'longer', noReply);
  process.drain();
  expect(entryIn(process.progress() as FlowFileProgress)?.ifNothing).toBe(STILL + runsOn(until));
});

test.each([
  ['has passed', { deadlines: [{ ...deadline, passed: true }] }],
  ['is of a booking that is being undone', { activity: 'Undoing' }],
  ['holds from the moment when its stage begins', { deadlines: [{ ...deadline, ahead: true as const }] }],
] as const)('a deadline that %s does not run on', (_, other) => {
  const { progress } = halted();
  const now = { ...progress, bookings: progress.bookings.map((each) => ({ ...each, ...other })) };
  expect(entryIn(now)?.ifNothing).toBe(STILL);
  expect(todoOf(now)).not.toContain('runs on');
});

test('what it has started goes on, as Work and its page say', () => {
  const { progress } = halted();
  const child = { flow: 'Repair', key: 'repair 1' } as never;
  const bookings: typeof progress.bookings = [];
  const one = { ...progress, bookings, children: [child] };
  const goesOn = ' Repair, which it has started, goes on, with deadlines of its own.';
  expect(entryIn(one)?.ifNothing).toBe(STILL + goesOn);
  expect(todoOf(one)).toContain(goesOn);
  const two = { ...progress, children: [child, child] };
  expect(entryIn(two)?.ifNothing).toBe(
    `${STILL}${runsOn('2026-01-08T10:00:00.000Z')} The 2 flows that it has started go on, with deadlines of their own.`,
  );
});

test('of several that one error has halted none stands for all', () => {
  const entries = ['a', 'b', 'c'].map((id) => ({ ...entryIn(halted().progress), id })) as never;
  expect(byCause(entries)).toMatchObject([
    { ifNothing: expect.stringContaining('The deadlines of what they have booked or started run on') },
  ]);
});
