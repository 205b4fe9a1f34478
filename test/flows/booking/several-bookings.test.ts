// Two bookings in one process of a flow file, played in virtual time: what is for which of them, and what each says of itself.
import { describe, expect, test } from 'vitest';
import type { Actions, ActionValidation } from '../../../contract/flows/actions.ts';
import { noReply } from '../../../engine/inbox.ts';
import type { VirtualHost } from '../../../engine/virtual-host.ts';
import type { BookingState } from '../../../flows/booking/booking-state.ts';
import type { FlowFile, Json } from '../../../flows/language/flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const request = '{ pupUid: pup-1, allowLargerLockers: true, allowOverflowLockers: false }';

/** Two intakes at the same time. */
const both = fileOf(`
name: Both
meaning: Takes two devices back.
context: { moved: [], results: {} }
type: parallel
states:
  laptop:
    initial: back
    states:
      back:
        invoke:
          id: laptop
          src: book
          input: { operation: CreateLocalShipmentAsIntake, request: ${request}, deadlines: { intake: { dropOff: P3D } } }
          onDone: over
          onError: over
        on:
          laptop.intake.deadlineMoved: { actions: { type: assign, params: { moved: "\${context.moved + [[event.stage, event.until]]}" } } }
          later: { actions: { type: extend, params: { booking: laptop, role: intake, stage: dropOff, fromNow: "\${event.data}" } } }
          at: { actions: { type: extend, params: { booking: laptop, role: intake, stage: dropOff, until: "\${event.data}" } } }
      over: { type: final }
  charger:
    initial: back
    states:
      back:
        invoke:
          id: charger
          src: book
          input: { operation: CreateLocalShipmentAsIntake, request: ${request}, deadlines: { intake: { dropOff: P5D } } }
          onDone: over
          onError: over
        after: { P30D: over }
      over: { type: final }
`);

const begun = (file: FlowFile, input: Json = {}) => {
  const player = new Player(file, { input, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  return player;
};

/** The answer, or the message of the refusal. */
function updated({ process }: Player, type: string, payload: object): unknown {
  const refusal = process.updateRefusal(type, payload);
  if (refusal) return refusal.message;
  process.update(type, payload, `${type} ${JSON.stringify(payload)}`, noReply);
  process.drain();
  return 'done';
}
const asked = (player: Player, command: string, fields: object) =>
  player.process.actions({ command, fields }) as ActionValidation;
const deadlinesOf = ({ progress }: Player) =>
  progress.bookings.map(({ id, deadlines }) => [id, ...deadlines.map(({ until }) => until.slice(0, 10))]);

const week = { role: 'intake', stage: 'dropOff', fromNow: 'P7D' };

describe('an update', () => {
  test('that several bookings take is refused with their ids, and goes to the one that it names', () => {
    const player = begun(both);
    expect(updated(player, 'extendDeadline', week)).toBe(
      'extendDeadline: say which one by its id, laptop or charger',
    );
    const ofPhone = { role: 'intake', booking: 'phone' };
    expect(updated(player, 'removeReceiver', ofPhone)).toContain('laptop, charger');
    expect(updated(player, 'extendDeadline', { ...week, ...ofPhone })).toContain('laptop, charger');
    expect(updated(player, 'extendDeadline', { ...week, booking: 'charger' })).toBe('done');
    expect(deadlinesOf(player)).toEqual([
      ['laptop', '2026-01-08'],
      ['charger', '2026-01-12'],
    ]);
  });

  test('that only one can take needs no name', () => {
    const player = begun(both);
    player.send('laptop.intake.Completed');
    expect(updated(player, 'extendDeadline', week)).toBe('done');
    expect(deadlinesOf(player)).toEqual([['laptop'], ['charger', '2026-01-12']]);
  });
});

describe('the commands', () => {
  test('are one of each for each booking, and each is sent with its id', () => {
    const player = begun(both);
    const { actions } = player.process.actions(undefined) as Actions;
    const extending = actions.filter(({ command }) => command === 'extendDeadline');
    expect(extending.map(({ booking, sent, isPossible }) => [booking, sent, isPossible])).toEqual([
      ['laptop', { kind: 'update', name: 'extendDeadline', constant: { booking: 'laptop' } }, true],
      ['charger', { kind: 'update', name: 'extendDeadline', constant: { booking: 'charger' } }, true],
      [undefined, { kind: 'update', name: 'extendDeadline' }, true],
    ]);
  });

  test('are checked as the update would be', () => {
    const player = begun(both);
    expect(asked(player, 'extendDeadline', week).refusal?.message).toContain('laptop or charger');
    expect(asked(player, 'extendDeadline', { ...week, booking: 'phone' }).refusal?.message).toBe(
      'booking is "phone", expected one of laptop, charger',
    );
    expect(asked(player, 'extendDeadline', { ...week, booking: 'charger' })).toMatchObject({
      isPossible: true,
      consequence: { deadlines: [{ role: 'intake', stage: 'dropOff', timer: null }] },
    });
    const [timer] = player.progress.waitingFor.flatMap(({ kind, id }) => (kind === 'time' ? (id ?? []) : []));
    expect(asked(player, 'extendDeadline', { timer, fromNow: 'P1D' })).toMatchObject({
      isPossible: true,
      consequence: { deadlines: [{ timer }] },
    });
  });
});

test('what a booking waits for is said once, by the booking, and before what may come or not', () => {
  const { waitingFor } = begun(both).progress;
  expect(waitingFor.map(({ kind, booking, id }) => [kind, booking ?? id])).toEqual([
    ['time', expect.stringContaining('P30D')],
    ['leg', 'laptop'],
    ['leg', 'charger'],
    ['event', undefined],
  ]);
});

describe('a deadline', () => {
  test('is moved by an action of the file, which hears when a person has moved it', () => {
    const player = begun(both);
    player.send('later', 'P10D');
    expect(deadlinesOf(player)[0]).toEqual(['laptop', '2026-01-15']);
    player.send('at', '2026-01-20T12:00:00Z');
    expect(deadlinesOf(player)[0]).toEqual(['laptop', '2026-01-20']);
    expect(player.context.moved).toEqual([]);
    updated(player, 'extendDeadline', { ...week, booking: 'laptop' });
    expect(player.context.moved).toEqual([['dropOff', '2026-01-12T09:00:01.000Z']]);
    player.pass('2026-01-11T09:00:00Z');
    expect(player.progress.bookings[0]?.overdue).toEqual([]);
    player.pass('2026-01-13T09:00:00Z');
    expect(player.progress.bookings[0]?.overdue).toMatchObject([{ role: 'intake', stage: 'dropOff' }]);
  });

  test('that is moved to the past has passed', () => {
    const player = begun(both);
    player.send('at', '2020-01-01T00:00:00Z');
    player.pass('PT1S');
    expect(player.progress.bookings[0]?.overdue).toMatchObject([{ role: 'intake', stage: 'dropOff' }]);
  });

  test('that is no time halts the process', () => {
    expect(() => begun(both).send('later', 'soon')).toThrow('DelayInvalid');
  });
});

/** Books again as often as it is told to. */
const again = fileOf(`
name: Again
meaning: Lends a device again and again.
initial: lending
states:
  lending:
    invoke: { id: loan, src: book, input: { operation: CreateLocalShipmentAsIssue, request: ${request.replace('}', ', toUserUid: anna }')} }, onDone: { target: lending, reenter: true }, onError: over }
    on:
      another: { target: lending, reenter: true }
  over: { type: final }
`);

const bookingsOf = ({ progress }: Player) => progress.bookings.map(({ id, activity }) => [id, activity]);

describe('a booking under an id that another one has', () => {
  test('is told from the one whose state was left, in progress and commands', () => {
    const player = begun(again);
    player.send('loan.issue.ReadyForPickup');
    const calls = player.process.calls;
    player.process.signal('event', { type: 'another' });
    player.process.drain();
    expect(calls.view.map(({ id }) => id)).toEqual(['loan left.undoing', 'loan.booking']);
    expect(bookingsOf(player)).toEqual([
      ['loan left', 'Undoing'],
      ['loan', 'Booking'],
    ]);
    const ids = (player.process.actions(undefined) as Actions).actions.map(({ booking }) => booking);
    expect(new Set(ids)).toEqual(new Set(['loan left', 'loan', undefined]));
  });

  test('gets the cancellation of its call, although it goes on by another name', () => {
    const player = new Player(again);
    const [call] = player.process.calls.open;
    player.process.signal('event', { type: 'another' });
    player.process.drain();
    expect(player.process.calls.open.includes(call as never)).toBe(false);
    expect(bookingsOf(player)).toEqual([
      ['loan left', 'Ended'],
      ['loan', 'Booking'],
    ]);
  });

  test('is told from one that has ended; of those only the last is kept', () => {
    const player = begun(again);
    player.done('loan');
    player.pass('PT1S');
    expect(bookingsOf(player)).toEqual([
      ['loan ended', 'Ended'],
      ['loan', 'Following'],
    ]);
    expect(updated(player, 'extendDeadline', { role: 'issue', stage: 'pickUp', fromNow: 'P1D' })).toBe(
      'done',
    );
    player.done('loan');
    player.pass('PT1S');
    expect(bookingsOf(player)).toHaveLength(2);
  });
});

test('a late report of one that has ended stays with it, and is handed to nobody', () => {
  const player = begun(both);
  player.send('laptop.intake.Completed');
  player.process.signal('shipmentStatus', {
    shipmentUid: 'laptop-intake',
    stateCode: 'ReadyForPickup',
    stateStart: '2026-01-05T09:00:00Z',
  });
  player.process.drain();
  const historyOf = (id: string) => {
    const { reportHistory = [] } = player.progress.bookings.find((each) => each.id === id) ?? {};
    return reportHistory.map(({ stateCode, judgement }) => [stateCode, judgement]);
  };
  expect(historyOf('laptop')).toEqual([
    ['Completed', 'next'],
    ['ReadyForPickup', 'afterTheEnd'],
  ]);
  expect(historyOf('charger')).toEqual([]);
  expect(player.takeSent().sent).toEqual([]);
});

test.each(['while it runs', 'after its end'])(
  'a report that does not say when it came came at the time of the process (%s)',
  (when) => {
    const player = begun(both);
    const { process } = player;
    player.done('laptop');
    if (when === 'after its end') player.done('charger');
    player.pass('PT1H');
    for (const shipmentUid of ['laptop-intake', 'of-another-process'])
      process.signal('shipmentStatus', { shipmentUid, stateCode: 'ReadyForPickup' });
    if (when === 'after its end') process.close();
    else player.pass('P1D');
    const receivedAt = '2026-01-05T10:00:01.000Z';
    expect(player.progress.bookings[0]?.reportHistory.at(-1)).toMatchObject({
      judgement: 'afterTheEnd',
      receivedAt,
    });
    const sent = (process.host as VirtualHost).takeSent();
    expect(sent.flatMap((each) => (each.to === 'others' ? [each.message] : []))).toMatchObject([
      { shipmentUid: 'of-another-process', receivedAt },
    ]);
  },
);

test('lists find the process by the shipments of both, and by the case of the one that was booked last', () => {
  const { definition, snapshot, pending } = begun(both).process;
  const later = (state: BookingState): BookingState => {
    const booking = state.known.booking as NonNullable<BookingState['known']['booking']>;
    const known = {
      ...state.known,
      booking: { ...booking, knownAt: '2026-01-06T00:00:00Z', caseNo: 'case-2' },
    };
    return { ...state, known };
  };
  const actors = (pending.actors ?? []).map((each) =>
    each.id === 'laptop' ? { ...each, state: later(each.state as BookingState) } : each,
  );
  expect(definition.views.searchAttributes(snapshot, { ...pending, actors })).toEqual({
    LockerPhase: 'Open',
    LockerInbox: [],
    LockerPickUpPoint: 'pup-1',
    LockerShipmentUids: ['laptop-intake', 'charger-intake'],
    LockerBookedAt: new Date('2026-01-06T00:00:00Z'),
    LockerCase: 'case-2',
  });
});

/** A booking for each device. */
const recall = (each = '') =>
  fileOf(`
name: Recall
meaning: Takes devices back.
context: { heard: [], result: null, error: null }
initial: recalling
states:
  recalling:
    invoke:
      id: recall
      src: each
      input:
        of: "\${input.devices}"
        atOnce: 2
        ${each}
        do:
          src: book
          input: { operation: CreateLocalShipmentAsIntake, request: ${request.replace('}', ', fromUserUid: "$' + '{item}" }')}, deadlines: { intake: { dropOff: P3D } } }
      onDone: { target: over, actions: { type: assign, params: { result: "\${event.output}" } } }
      onError: { target: over, actions: { type: assign, params: { error: "\${event.error.code}" } } }
    on:
      recall.intake.ReadyForPickup: { actions: { type: assign, params: { heard: "\${context.heard + [[event.item, event.index]]}" } } }
      stop: { actions: { type: cancel, params: { invoke: recall } } }
      away: elsewhere
      fails: { guard: "\${event.data.x == 1}", target: over }
  elsewhere: {}
  over: { type: final }
`);

const devices = { devices: ['a', 'b', 'c'] };
const results = ({ context }: Player) => context.result as unknown as Record<string, { item: string }[]>;

describe('a booking for each item of a list', () => {
  test('is followed as others are: so many at once, with its own events, to the results of all', () => {
    const player = begun(recall(), devices);
    expect(bookingsOf(player)).toEqual([
      ['recall.0', 'Following'],
      ['recall.1', 'Following'],
    ]);
    player.send('recall.1.intake.ReadyForPickup');
    expect(player.context.heard).toEqual([['b', 1]]);
    for (const id of ['recall.1', 'recall.0', 'recall.2']) player.done(id);
    expect(player.status).toBe('done');
    expect(results(player).done?.map(({ item }) => item)).toEqual(['a', 'b', 'c']);
    expect(results(player).done?.[0]).toMatchObject({ output: { outcome: 'Done' } });
  });

  test('fails alone where that is tolerated, and ends the others where enough are done', () => {
    const player = new Player(recall('tolerate: 1\n        enough: 1'), { input: devices });
    player.fail('recall.0', 'NoLockerAvailable');
    player.pass('PT1S');
    player.done('recall.1');
    player.pass('PT11S');
    expect(results(player)).toMatchObject({
      done: [{ item: 'b' }],
      failed: [{ item: 'a', error: { code: 'NoLockerAvailable' } }],
      left: [{ item: 'c' }],
    });
  });

  test.each(['cancel', 'stop', 'away'])(
    'is undone where its process ends, or it is no longer wanted: %s',
    (how) => {
      const player = begun(recall(), devices);
      if (how === 'cancel') player.cancel();
      else player.send(how);
      player.pass('PT11S');
      const outcomes = player.progress.bookings.map(({ id, outcome }) => [id, outcome]);
      const left = how === 'away' ? ' left' : '';
      expect(outcomes).toEqual([
        [`recall.0${left}`, 'Cancelled'],
        [`recall.1${left}`, 'Cancelled'],
      ]);
      if (how === 'stop') expect(player.context.error).toBe('Cancelled');
    },
  );

  test('goes on while its process is halted, which hears of it then', () => {
    const player = begun(recall(), devices);
    expect(() => player.send('fails', {})).toThrow('ExpressionFailed');
    player.process.signal('shipmentStatus', { shipmentUid: 'recall.0-intake', stateCode: 'ReadyForPickup' });
    player.process.drain();
    expect(player.progress.bookings[0]?.shipments.intake?.stateCode).toBe('ReadyForPickup');
    player.pass('PT1S');
    expect(player.context.heard).toEqual([['a', 0]]);
  });

  test('takes an update by its id, and goes on by another version of its file', () => {
    const file = recall();
    const player = begun(file, devices);
    expect(updated(player, 'extendDeadline', { ...week, booking: 'recall.1' })).toBe('done');
    player.migrate({ file, version: 2 });
    expect(deadlinesOf(player)).toEqual([
      ['recall.0', '2026-01-08'],
      ['recall.1', '2026-01-12'],
    ]);
    for (const id of ['recall.0', 'recall.1', 'recall.2']) player.done(id);
    expect(results(player).done).toHaveLength(3);
  });
});

test('lists find the process by the shipments of its open bookings first, the newest before the oldest', () => {
  const player = begun(recall(), { devices: ['a', 'b', 'c', 'd'] });
  for (const id of ['recall.0', 'recall.1']) {
    player.done(id);
    player.pass('PT1S');
  }
  const { definition, snapshot, pending } = player.process;
  expect(definition.views.searchAttributes(snapshot, pending)?.LockerShipmentUids).toEqual([
    'recall.3-intake',
    'recall.2-intake',
    'recall.0-intake',
    'recall.1-intake',
  ]);
});

describe('a migration that gives up', () => {
  test('a booking undoes it', () => {
    const without = fileOf(`
name: Again
meaning: Lends no more.
initial: lending
states:
  lending: { on: { another: over } }
  over: { type: final }
`);
    const player = begun(again);
    player.migrate({ file: without, version: 2 }, { leave: ['loan'] });
    player.pass('PT11S');
    expect(bookingsOf(player)).toEqual([['loan left', 'Ended']]);
    expect(player.process.pending.actors).toMatchObject([
      { id: 'loan left', isEnded: true, state: { known: { undoing: 'request', notUndone: {} } } },
    ]);
  });

  test('a list of bookings undoes each', () => {
    const without = fileOf(`
name: Recall
meaning: Takes no devices back.
context: { heard: [], result: null, error: null }
initial: recalling
states:
  recalling: { on: { away: over } }
  over: { type: final }
`);
    const player = begun(recall(), devices);
    player.migrate({ file: without, version: 2 }, { leave: ['recall'] });
    player.pass('PT11S');
    expect(player.process.pending.actors?.map(({ id, isEnded }) => [id, isEnded])).toEqual([
      ['recall.0 left', true],
      ['recall.1 left', true],
    ]);
  });
});

test('two bookings that issue stock at the same time do not take it from themselves', () => {
  const loan = (id: string) => `
  ${id}:
    initial: lent
    states:
      lent:
        invoke:
          id: ${id}
          src: book
          input: { operation: CreateLocalShipmentAsIssueFromStock, request: { priorShipmentUid: ${id}-1, toUserUid: anna } }
          onDone: over
          onError: over
        after: { P30D: over }
      over: { type: final }`;
  const player = begun(
    fileOf(`name: Lent\nmeaning: Lends two.\ntype: parallel\nstates:${['one', 'other'].map(loan).join('')}`),
  );
  expect(player.states).toEqual(['one.lent', 'other.lent']);
  const states = player.progress.bookings.map(({ id, shipments }) => [id, shipments.issue?.shipmentUid]);
  expect(states).toEqual([
    ['one', 'one-1'],
    ['other', 'other-1'],
  ]);
  player.send('one.issue.Completed');
  expect(player.states).toEqual(['one.over', 'other.lent']);
});
