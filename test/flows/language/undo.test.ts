// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Undoing finished steps in virtual time: in reverse, once each, with the data of their time; and what a file may say of it.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../flows/language/flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf, findingsIn } from './names.ts';

const UNDO =
  'undo: { src: call, input: { connector: c, method: DELETE, path: "/${context.turn}/${event.output}" } }';

/** Does the same step again and again, until it is to be undone. */
const turns = (undoing = '{ id: undo, src: undo, onDone: over }', more = '') => `
name: Turns
meaning: Does a step in each turn.
context: { turn: 1 }
initial: going
states:
  going:
    initial: doing
    on: { back: undoing, cancelRequested: undoing }
    states:
      doing:
        invoke:
          id: step
          src: call
          input: { connector: c, method: POST, path: / }
          ${UNDO}
          onDone:
            - { guard: "\${event.output == 'last'}", target: "#undoing" }
            - { guard: "\${event.output != 'none'}", target: doing, reenter: true, actions: { type: assign, params: { turn: "\${context.turn + 1}" } } }
          onError: waiting
      waiting: { on: { next: doing }, after: { P1D: doing } }
  undoing:
    id: undoing
    invoke: ${undoing}
    ${more}
  over: { type: final }
`;

const begun = (text = turns()) => new Player(fileOf(text));
const pathOf = (player: Player) =>
  player.open.flatMap(({ input }) =>
    (input as JsonObject).method === 'DELETE' ? [(input as JsonObject).path] : [],
  );

describe('steps that are done', () => {
  test('are undone in reverse, each as often as it was done, with the data of its time', () => {
    const player = begun();
    for (const output of ['a', 'b', 'last']) player.done('step', output);
    expect(player.progress.undoable).toEqual(['step', 'step', 'step']);
    const undone: unknown[] = [];
    while (player.status === 'active') {
      undone.push(...pathOf(player));
      player.done('undo.step');
    }
    // The last one is undone too, although its own end has led here.
    expect(undone).toEqual(['/3/last', '/2/b', '/1/a']);
    expect(player.progress.undoable).toBeUndefined();
  });

  test('are written down also where no transition is taken', () => {
    const player = begun();
    player.done('step', 'none');
    expect([player.states, player.progress.undoable]).toEqual([['going.doing'], ['step']]);
  });

  test('are not undone if they have failed', () => {
    const player = begun();
    player.fail('step', 'CallRefused');
    player.send('back');
    expect(player.status).toBe('done');
  });

  test('are undone once each, also where the undoing is left halfway and begins again', () => {
    const player = begun(turns(undefined, 'on: { pause: going.waiting }'));
    for (const output of ['a', 'b', 'last']) player.done('step', output);
    player.done('undo.step');
    expect(pathOf(player)).toEqual(['/2/b']);
    player.send('pause');
    expect(player.progress.undoable).toEqual(['step', 'step']);
    player.send('back');
    // The one that was under way: with the same number, so with the same key.
    expect([pathOf(player), player.open[0]?.step]).toEqual([['/2/b'], 2]);
    player.done('undo.step');
    player.done('undo.step');
    expect(player.status).toBe('done');
  });

  test('are undone to the end, although the process is cancelled meanwhile', () => {
    const player = begun();
    for (const output of ['a', 'last']) player.done('step', output);
    player.cancel();
    expect(pathOf(player)).toEqual(['/2/last']);
    player.done('undo.step');
    player.done('undo.step');
    expect([player.status, player.progress.undoable]).toEqual(['cancelled', undefined]);
  });
});

test('only the steps that are named are undone, and the others stay', () => {
  const player = begun(`
name: Two
meaning: Does two steps.
initial: one
states:
  one: { invoke: { id: one, src: call, input: { connector: c, path: / }, ${UNDO.replace('context.turn', 'flow.key')}, onDone: two, onError: over } }
  two: { invoke: { id: two, src: call, input: { connector: c, path: / }, ${UNDO.replace('context.turn', 'flow.key')}, onDone: undoing, onError: over } }
  undoing: { invoke: { id: undo, src: undo, input: { steps: one }, onDone: undone } }
  undone: { on: { over: over } }
  over: { type: final }
`);
  player.done('one', 'a');
  player.done('two', 'b');
  expect(player.open.map(({ id }) => id)).toEqual(['undo.one']);
  player.done('undo.one');
  expect([player.states, player.progress.undoable]).toEqual([['undone'], ['two']]);
});

test('what cannot be undone is asked of a person, who lets it be tried again or has undone it', () => {
  const player = begun(
    turns(
      '{ id: undo, src: undo, onDone: { target: over, actions: { type: log, params: { message: "${event.output.undone}" } } } }',
    ),
  );
  player.done('step', 'last');
  player.fail('undo.step', 'CallRefused', 'CallRefused: too late');
  expect(player.progress.questions).toMatchObject([
    { id: 'undo.step.failed', of: 'operator', question: 'step could not be undone: CallRefused: too late' },
  ]);
  player.answer('undo.step.failed', { action: 'again' });
  expect(pathOf(player)).toEqual(['/1/last']);
  player.fail('undo.step', 'CallRefused');
  player.answer('undo.step.failed', { action: 'undoneByHand' }, 'anna');
  expect(player.status).toBe('done');
});

test('an expression that fails where a step is written down holds the process', () => {
  const player = begun(turns().replace('${event.output}', '${event.output.number}'));
  expect(() => player.done('step', 'a')).toThrow(/states.going.states.doing.invoke.undo.input.path/);
  expect(player.process.halt).toBeDefined();
});

test('a version that undoes nothing in that way asks a person', () => {
  const player = begun();
  player.done('step', 'a');
  player.migrate({
    file: fileOf(
      turns().replace(
        'undo: { src: call, input: { connector: c, method: DELETE, path: ',
        'undo: { src: CancelShipment, input: { shipmentUid: ',
      ),
    ),
    version: 2,
  });
  player.send('back');
  expect(player.progress.questions).toMatchObject([{ id: 'undo.step.failed' }]);
});

describe('a file', () => {
  test('is refused where it undoes no step, or what is none', () => {
    expect(findingsIn(turns('{ id: undo, src: undo, input: { steps: [stop] }, onDone: over }'))).toEqual([
      'StepUnknown states.undoing.invoke.input.steps',
    ]);
    expect(findingsIn(turns('{ id: undo, src: undo, undo: { src: each }, onDone: over }'))).toEqual([
      'ValueWrong states.undoing.invoke.undo.src',
      'FieldsConflict states.undoing.invoke.undo',
    ]);
  });
});
