// Each kind of failure of an expression while a process runs, without Temporal: the process stays in its state, with the code and
// the path, and goes on once a person has dropped the event.
import { expect, test } from 'vitest';
import { chartView } from '../../../engine/chart/chart-view.ts';
import { ExpressionFailure } from '../../../flows/language/expressions/failure.ts';
import type { FlowFile, Json } from '../../../flows/language/flow-file.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { booking } from '../../workflows/stories.ts';
import { fileOf } from './names.ts';

/** A file with one state, which takes GO and END. GO fails on its data. */
const stepping = (go: object, states: object = {}) =>
  ({
    name: 'Failing',
    meaning: 'Takes a step that cannot be taken.',
    context: { sum: 1, kept: null },
    initial: 'here',
    states: { here: { on: { GO: go, END: 'over' } }, over: { type: 'final' }, ...states },
  }) as unknown as FlowFile;

const assigning = (params: object) => ({ actions: { type: 'assign', params } });
/** A file that leads to a state that cannot be entered. */
const entering = (state: object) =>
  [{ target: 'there' }, { there: { on: { END: 'over' }, ...state } }] as const;

interface Failing {
  readonly go: object;
  readonly states?: object;
  readonly data?: Json;
  readonly code: string;
  readonly path: string;
}

const assigned = (expression: string, data: Json, code = 'ExpressionFailed'): Failing => ({
  go: assigning({ kept: expression }),
  data,
  code,
  path: 'states.here.on.GO.actions.params.kept',
});
function entered(state: object, data: Json, code: string, path: string): Failing {
  const [go, states] = entering(state);
  return { go, states, data, code, path: `states.there.${path}` };
}

const long = 'x'.repeat(20_000);
const failing: Readonly<Record<string, Failing>> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
  'a field that is missing': assigned('${event.data.amount}', {}),
  'a value of the wrong type': assigned('${context.sum + event.data}', 'one'),
  'a division by zero': assigned('${context.sum / event.data}', 0),
  'a number that overflows': assigned('${event.data * event.data}', 1e300),
  'a map within a text': assigned('It is ${event.data}', { a: 1 }),
  'a value that is too large': assigned('${event.data + event.data}', long, 'ValueTooLarge'),
  'more work than a step may do': assigned(
    '${event.data.map(x, event.data.map(y, event.data.map(z, x + y + z))).size()}',
    Array.from({ length: 200 }, (_, index) => index),
    'TooMuchWork',
  ),
  'a context that is too large': {
    go: assigning({ kept: '${event.data}', again: '${event.data}' }),
    data: long,
    code: 'ContextTooLarge',
    path: 'context',
  },
  'a guard that fails': {
    go: { guard: '${event.data.isDone}', target: 'over' },
    data: {},
    code: 'ExpressionFailed',
    path: 'states.here.on.GO.guard',
  },
  'an emitted event that fails': {
    go: { actions: { type: 'emit', params: { type: 'told', data: '${event.data.amount}' } } },
    data: {},
    code: 'ExpressionFailed',
    path: 'states.here.on.GO.actions.params.data',
  },
  'steps without end': {
    go: { target: 'there' },
    states: { there: { always: 'round' }, round: { always: 'there' } },
    data: {},
    code: 'TooManySteps',
    path: 'states.here',
  },
  'a delay that is none': entered(
    { after: { '${context.sum}': 'over' } },
    {},
    'DelayInvalid',
    'after.${context.sum}',
  ),
  'a delay beyond all time': {
    ...entered(
      { after: { '${context.kept}': 'over' } },
      'P999999999999D',
      'DelayInvalid',
      'after.${context.kept}',
    ),
    go: { target: 'there', ...assigning({ kept: '${event.data}' }) },
  },
  'the input of an operation': entered(
    { invoke: { src: 'GetPickUpPoints', input: { pageNo: '${event.data.page}', pageSize: 10 } } },
    {},
    'ExpressionFailed',
    'invoke.input.pageNo',
  ),
  'an input that is too large': entered(
    {
      invoke: {
        src: 'call',
        input: { connector: 'shop', method: 'POST', path: '/', body: Array(100).fill('${event.data}') },
      },
    },
    long,
    'ValueTooLarge',
    'invoke.input',
  ),
  'the input of a flow': entered(
    { invoke: { src: 'Issue', input: { request: { ...booking, toUserUid: '${event.data.user}' } } } },
    {},
    'ExpressionFailed',
    'invoke.input.request.toUserUid',
  ),
  'a question to nobody': entered(
    { invoke: { src: 'ask', input: { of: '${event.data.who}', question: 'Is it?' } } },
    {},
    'ExpressionFailed',
    'invoke.input.of',
  ),
  'a question whose time is none': entered(
    { invoke: { src: 'ask', input: { of: 'desk', question: 'Is it?', within: '${event.data}' } } },
    'soon',
    'DelayInvalid',
    'invoke.input.within',
  ),
  'a question to an inbox that is not a text': entered(
    { invoke: { src: 'ask', input: { of: '${event.data}', question: 'Is it?' } } },
    { a: 1 },
    'ExpressionFailed',
    'invoke.input.of',
  ),
  'an output that is too large': {
    go: { target: 'full' },
    states: { full: { type: 'final', output: Array(100).fill('${event.data}') } },
    data: long,
    code: 'ValueTooLarge',
    path: 'states.full.output',
  },
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
};

function failureOf(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new TypeError('expected a step that fails');
}

test.each(Object.entries(failing))('%s leaves the process where it stood', (_, given) => {
  const { go, states, data = {}, code, path } = given;
  const player = new Player(stepping(go, states));
  const failure = failureOf(() => player.send('GO', data));
  expect(failure).toBeInstanceOf(ExpressionFailure);
  expect(failure).toMatchObject({ code, path });
  expect([player.progress.activity, player.states]).toEqual(['NeedsPerson', ['here']]);
  player.send('END');
  expect(player.status).toBe('done');
});

test('the title of a state is what its chart and its progress call it; the rest of its data stays', () => {
  const file = fileOf(`
name: Loan
meaning: A user borrows a device.
initial: lent
states:
  lent:
    title: Lent
    meta: { owner: desk }
    initial: waiting
    states: { waiting: { on: { taken: withUser } }, withUser: { title: With the borrower } }
`);
  const machine = idleMachineOf(file);
  const titles = chartView(machine).states.map(({ path, title }) => [path, title]);
  expect(Object.fromEntries(titles)).toEqual({
    '': null,
    lent: 'Lent',
    'lent.waiting': null,
    'lent.withUser': 'With the borrower',
  });
  expect(machine.states.lent?.meta).toEqual({ owner: 'desk', title: 'Lent' });
});
