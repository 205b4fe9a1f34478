// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a flow file.
// A migration, and the bookings of the process: they hear of it once the process has taken again what it could not take before, and
// what they have begun is not forgotten.
import { describe, expect, test } from 'vitest';
import type { MigrationRequest } from '../../../engine/definition/migration-request.ts';
import { noReply, type Reply } from '../../../engine/inbox.ts';
import type { VirtualHost } from '../../../engine/virtual-host.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from '../language/names.ts';

const intake = (more = '') =>
  `{ operation: CreateLocalShipmentAsIntake, request: { pupUid: p, allowLargerLockers: true, allowOverflowLockers: false }${more} }`;
/** It is over as soon as the item can be picked up. */
const shortened = ', legs: { intake: { done: [ReadyForPickup, Completed] } }';
const shortenedPlan = { states: { 'loan.intake.ReadyForPickup': 'loan.intake.ReadyForPickup' } };

const begun = (file: FlowFile) => {
  const player = new Player(file, { input: {}, at: '2026-01-05T09:00:00Z' });
  player.pass('PT1S');
  return player;
};

function migrated({ process }: Player, file: FlowFile, more: object = {}, reply: Reply = noReply): void {
  const { version } = process.start;
  const to = { file, version: version + 1, publishedAt: '' };
  const request = { semantics: 1, to, by: 'anna', why: 'a test', ...more };
  process.migrate(request as unknown as MigrationRequest, `migration from ${version}`, reply);
  process.drain();
}

const activities = ({ progress }: Player) => progress.bookings.map(({ id, activity }) => [id, activity]);

/** A booking, and a chart beside it that is at `beside`. */
const lending = (input: string, seen: string, beside = 'waits: { on: { go: over } }') =>
  fileOf(`
name: Lending
meaning: Books, and does something else.
context: { seen: 0 }
type: parallel
states:
  one:
    initial: back
    states:
      back: { invoke: { id: loan, src: book, input: ${input}, onDone: { target: over, actions: { type: assign, params: { seen: "\${${seen}}" } } }, onError: over } }
      over: { type: final }
  two: { initial: ${beside.slice(0, beside.indexOf(':'))}, states: { ${beside}, over: { type: final } } }
`);

describe('a booking that the new legs end', () => {
  test('tells a process that was halted at a timer of a state that is left', () => {
    const late = (name: string) =>
      `${name}: { after: { P1D: { target: over, actions: { type: assign, params: { seen: "\${event.nothing}" } } } } }`;
    const player = begun(lending(intake(), '1', late('waits')));
    player.send('loan.intake.ReadyForPickup');
    expect(() => player.pass('P2D')).toThrow('No such key');
    migrated(player, lending(intake(shortened), '1', late('rests')), {
      plan: { ...shortenedPlan, leave: ['two.waits'] },
    });
    expect(player.process.halt).toBeUndefined();
    expect(player.process.snapshot.value).toEqual({ one: 'over', two: 'rests' });
  });

  test('and halts it by that: the migration is answered all the same', () => {
    const player = begun(lending(intake(), '1'));
    player.send('loan.intake.ReadyForPickup');
    const answers: unknown[] = [];
    const reply = { answer: (value: unknown) => answers.push(value), refuse: () => undefined };
    migrated(player, lending(intake(shortened), 'event.nothing'), { plan: shortenedPlan }, reply);
    expect(player.process.halt?.code).toBe('ExpressionFailed');
    expect(answers).toMatchObject([{ from: 1, to: 2 }]);
    expect(player.process.migrations.done).toHaveLength(1);
  });

  test('is not as it was: the process does not go back to before that', () => {
    const player = begun(lending(intake(), '1'));
    player.send('loan.intake.ReadyForPickup');
    migrated(player, lending(intake(shortened), '2'), { plan: shortenedPlan });
    migrated(player, lending(intake(), '1'), { back: true });
    expect(player.process.snapshot.value).toEqual({ one: 'over', two: 'waits' });
    expect(player.context).toMatchObject({ seen: 2 });
  });
});

const single = (id?: string, was = '') => {
  const book = `, invoke: { id: ${id}${was}, src: book, input: ${intake(', waitForLocker: P5D')}, onDone: over, onError: over }`;
  const stop = `stop: { actions: { type: cancel, params: { invoke: ${id} } } }`;
  return fileOf(`
name: Single
meaning: Books, or does not.
initial: back
states:
  back: { on: { away: gone${id ? `, ${stop}` : ''} }${id ? book : ''} }
  gone: { on: { over: over } }
  over: { type: final }
`);
};

test('a booking that a migration has begun is not dropped by going back', () => {
  const before = single();
  const player = begun(before);
  migrated(player, single('lending'));
  const { process } = player;
  const back = {
    semantics: 1,
    to: { file: before, version: 1, publishedAt: '' },
    by: 'anna',
    why: 'x',
    back: true,
  };
  expect(process.migrations.result(back as unknown as MigrationRequest).kind).toBe('needsPlan');
  expect(activities(player)).toEqual([['lending', 'Booking']]);
});

test.each(['away', 'stop'])(
  'a booking that has another name since a migration is cancelled by %s',
  (event) => {
    const waiting = new Player(single('loan'), { input: {}, at: '2026-01-05T09:00:00Z' });
    migrated(waiting, single('lending', ', was: loan'));
    const asked: string[] = [];
    (waiting.process.host as VirtualHost & { cancelled: unknown }).cancelled = ({ id }: { id: string }) =>
      void asked.push(id);
    waiting.process.signal('event', { type: event });
    waiting.process.drain();
    expect(asked).toEqual(['lending.booking']);
  },
);
