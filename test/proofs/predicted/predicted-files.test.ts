// What a process of a flow file predicts of a command is what happens: for generated files, whose states may ask, start a flow,
// call an operation, wait, and take events and a cancellation, in generated states.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action, Actions, ActionValidation, Consequence } from '../../../contract/flows/actions.ts';
import { noReply } from '../../../engine/inbox.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { namesForTests } from '../../flows/language/names.ts';
import { atSizes } from '../../support/suite.ts';
import { type Fields, possible } from './offered-commands.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
const target = fc.constantFrom('s0', 's1', 's2', 'over');

const answered = fc.oneof(
  target.map((to) => ({ target: to })),
  // It cannot be taken if the answer is 0.
  target.map((to) => ({
    target: to,
    actions: { type: 'assign', params: { sum: '${10 / event.output.n}' } },
  })),
  target.map((to) => [{ guard: '${event.output.n > 3}', target: to }]),
);

const ask = fc
  .record({ onDone: answered, error: target, within: fc.boolean() })
  .map(({ onDone, error, within }) => ({
    id: 'check',
    src: 'ask',
    onDone,
    onError: error,
    input: {
      of: 'desk',
      question: 'How many?',
      fields: { n: { type: 'number' } },
      ...(within && { within: 'P2D' }),
    },
  }));
const loan = target.map((to) => ({
  id: 'loan',
  src: 'Issue',
  input: { request: {} },
  onDone: to,
  onError: to,
}));
const call = target.map((to) => ({
  id: 'look',
  src: 'GetAccount',
  input: { userUid: 'a' },
  onDone: to,
  onError: to,
}));

const taking = fc.oneof(
  target.map((to) => ({ target: to })),
  target.map((to) => ({ guard: '${context.sum > 1}', target: to })),
  fc.constant({ actions: { type: 'assign', params: { sum: '${context.sum + 1}' } } }),
  fc.constant({ actions: { type: 'cancel', params: { invoke: 'loan' } } }),
);
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
const stateOf = fc
  .record(
    {
      invoke: fc.tuple(ask, loan, call).chain((all) => fc.subarray(all, { minLength: 1 })),
      after: target.map((to) => ({ P1D: to })),
      on: fc.record({ a: taking, b: taking, cancelRequested: taking }, { requiredKeys: ['a'] }),
    },
    { requiredKeys: ['on'] },
  )
  // Only a flow that runs can be cancelled.
  .filter(
    ({ invoke = [], on }) =>
      invoke.some(({ id }) => id === 'loan') || !JSON.stringify(on).includes('"type":"cancel"'),
  )
  .map((state) => state as object);

const fileWith = (states: readonly object[]): unknown => ({
  name: 'Generated',
  meaning: 'Is generated.',
  context: { sum: 0 },
  initial: 's0',
  states: {
    ...Object.fromEntries(states.map((state, index) => [`s${index}`, state])),
    over: { type: 'final' },
  },
});
const files = fc.tuple(stateOf, stateOf, stateOf).map((states) => JSON.stringify(fileWith(states)));

interface PlayerMove {
  readonly command?: string;
  readonly fields?: Fields;
  readonly what: string;
  do(player: Player): void;
}

/** What may happen to it now. */
function doingsOf(player: Player): PlayerMove[] {
  if (player.status !== 'active') return [];
  const { actions } = player.process.actions(undefined) as Actions;
  const commands = possible(actions).flatMap(({ action, fields }) => doing(action, fields));
  const answers = player.open
    .filter(({ src }) => src !== 'ask')
    .flatMap(({ id }): PlayerMove[] => [
      { what: `done ${id}`, do: (one) => one.done(id, {}) },
      { what: `failed ${id}`, do: (one) => one.fail(id, 'Refused') },
    ]);
  return [
    ...commands,
    ...(player.process.halt ? [] : answers),
    { what: 'a day', do: (one) => one.pass('P1DT1H') },
  ];
}

function doing({ command, question }: Action, fields: Fields): PlayerMove[] {
  const what = `${command} ${JSON.stringify(fields)}`;
  const does: Readonly<Record<string, (player: Player) => void>> = {
    answer: (player) => player.answer(String(question), fields.values as never, String(fields.by)),
    event: (player) => player.send(String(fields.type)),
    extendDeadline: ({ process }) => process.update('extendDeadline', fields, 'test', noReply),
    dropEvent: ({ process }) => process.decide('dropEvent', 'test', noReply),
    giveUp: ({ process }) => process.decide('giveUp', 'test', noReply),
    cancel: (player) => player.cancel(),
  };
  return does[command] ? [{ command, fields, what, do: does[command] }] : [];
}

/** A step that halts the process throws. */
function did({ do: act }: PlayerMove, player: Player): void {
  try {
    act(player);
    player.process.drain();
  } catch (error) {
    if (!player.process.halt) throw error;
  }
}

function played(file: FlowFile, choices: readonly number[]): Player {
  const player = new Player(file);
  for (const choice of choices) {
    const all = doingsOf(player);
    const chosen = all[choice % all.length];
    // Whoever plays a halted process drops its event before anything else, but for a decision.
    if (chosen && (!player.process.halt || /^(?:dropEvent|giveUp|cancel|extendDeadline) /.test(chosen.what)))
      did(chosen, player);
  }
  return player;
}

const statusOf = { done: 'Completed', cancelled: 'Canceled', failed: 'Failed', active: null } as const;

const shownBy = (player: Player) => ({
  state: player.progress.state,
  status: statusOf[player.status],
  activity: player.process.halt && player.status === 'active' ? 'NeedsPerson' : player.progress.activity,
  questions: player.progress.questions.map(({ id }) => id),
  children: player.open.filter(({ src }) => src === 'Issue').map(({ id }) => id),
  times: Object.fromEntries(
    player.progress.waitingFor.flatMap(({ kind, id, until }) => (kind === 'time' ? [[id, until]] : [])),
  ),
});

/** 2,000 files took 290 s on a busy machine. */
const timeout = 1_200_000;

atSizes({ short: 15, long: 2_000 }, (numRuns, seed) =>
  test('each command does what a generated flow file predicts of it in any of its states', {
    timeout,
  }, () => {
    let commands = 0;
    const property = fc.property(files, fc.array(fc.nat(100), { maxLength: 6 }), (text, choices) => {
      const { file, findings } = readFlowFile(text, namesForTests);
      // It may cancel a flow that none of its states starts.
      fc.pre(findings.length === 0);
      const count = doingsOf(played(file as FlowFile, choices)).length;
      for (let index = 0; index < count; index++) {
        const player = played(file as FlowFile, choices);
        const chosen = doingsOf(player)[index] as PlayerMove;
        if (chosen.command === undefined) continue;
        commands += 1;
        expectDone(player, chosen);
      }
    });
    fc.assert(property, { seed, numRuns });
    console.log(`${commands} commands were predicted and done`);
  }),
);

function expectDone(player: Player, { command, fields, what, do: act }: PlayerMove): void {
  const before = shownBy(player);
  const asked = { command, fields: { ...fields, ...(command === 'answer' && { question: 'check' }) } };
  const { isPossible, consequence } = player.process.actions(asked) as ActionValidation;
  expect([what, isPossible]).toEqual([what, true]);
  // It has changed nothing.
  expect(shownBy(player)).toEqual(before);
  did({ what, do: act }, player);
  const after = shownBy(player);
  const { after: then, children, questions, deadlines: moved, isTaken } = consequence as Consequence;
  const happened = { state: after.state, status: after.status, activity: after.activity };
  expect([what, { state: then.state, status: then.ends?.status ?? null, activity: then.activity }]).toEqual([
    ...[what, happened],
  ]);
  if (!isTaken) expect([what, after]).toEqual([what, before]);
  const added = after.questions.filter((id) => !before.questions.includes(id));
  expect([what, questions.map(({ id }) => id)]).toEqual([what, expect.arrayContaining(added)]);
  const gone = before.children.filter((id) => !after.children.includes(id));
  expect([what, children.map(({ id }) => id)]).toEqual([what, expect.arrayContaining(gone)]);
  const times = { ...before.times, ...Object.fromEntries(moved.map(({ timer, until }) => [timer, until])) };
  const left = Object.entries(times).filter(([, until]) => until !== null);
  expect([what, Object.fromEntries(left)]).toEqual([what, after.times]);
}
