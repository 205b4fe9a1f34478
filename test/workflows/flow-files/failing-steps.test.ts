// Each kind of failure of an expression while a process runs, on a real Temporal: the process stays in its state and shows
// the path and the reason, its event is kept, and no workflow task fails.
import { ApplicationFailure } from '@temporalio/common';
import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../../flow-files/flow-file.ts';
import { eventsOf } from '../../support/history.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();
afterEach(() => {
  files.fetched = (fetched) => fetched;
});

/** A file with one state, which takes GO and END. GO fails on its data. */
const stepping = (name: string, go: object, states: object = {}): string =>
  JSON.stringify({
    name,
    meaning: 'Takes a step that cannot be taken.',
    context: { sum: 1, kept: null },
    initial: 'here',
    states: { here: { on: { GO: go, END: 'over' } }, over: { type: 'final' }, ...states },
  });

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
  ...{ data, code, path: 'states.here.on.GO.actions.params.kept' },
});
function entered(state: object, data: Json, code: string, path: string): Failing {
  const [go, states] = entering(state);
  return { go, states, data, code, path: `states.there.${path}` };
}

/** What a booking needs beside its receiver. */
const request = {
  ...{ pupUid: 'pup-central', allowLargerLockers: true, allowOverflowLockers: false },
  dimension: { height: 1, width: 1, length: 1 },
};
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
    ...{ data: long, code: 'ContextTooLarge', path: 'context' },
  },
  'a guard that fails': {
    go: { guard: '${event.data.isDone}', target: 'over' },
    ...{ data: {}, code: 'ExpressionFailed', path: 'states.here.on.GO.guard' },
  },
  'an emitted event that fails': {
    go: { actions: { type: 'emit', params: { type: 'told', data: '${event.data.amount}' } } },
    ...{ data: {}, code: 'ExpressionFailed', path: 'states.here.on.GO.actions.params.data' },
  },
  'steps without end': {
    go: { target: 'there' },
    states: { there: { always: 'round' }, round: { always: 'there' } },
    ...{ data: {}, code: 'TooManySteps', path: 'states.here' },
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
    { invoke: { src: 'Issue', input: { request: { ...request, toUserUid: '${event.data.user}' } } } },
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
    ...{ data: long, code: 'ValueTooLarge', path: 'states.full.output' },
  },
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
};

/** Asks the locker API, and does not expect a refusal. */
const asking = (name: string): string => `
name: ${name}
meaning: Asks the locker API, and does not expect a refusal.
initial: asking
states:
  asking:
    invoke: { id: points, src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over }
    on: { END: over }
  over: { type: final }
`;

const refused = () => {
  throw ApplicationFailure.nonRetryable('no such pick up point', 'InvalidPupUid');
};

test('a failure that no state takes leaves the process where it stood, for a person to decide', async () => {
  files.answer = refused;
  const name = uniqueName('Unhandled');
  await files.publish(asking(name));
  const handle = await files.start(name, { request: {} });
  const { held, state } = await untilProgress(handle, ({ phase }) => phase === 'NeedsPerson');
  expect(held).toMatchObject({
    code: 'FailureUnhandled',
    event: 'xstate.error.actor.points',
    details: {
      path: 'states.asking.invoke',
      reason: expect.stringContaining('InvalidPupUid: no such pick up point'),
    },
  });
  expect(state).toBe('asking');
  await handle.executeUpdate('dropEvent');
  await handle.signal('event', { type: 'END' });
  await handle.result();
});

test('a process that fails tells the code and the data to the one that has invoked it', async () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
  const [inner, outer] = [uniqueName('Inner'), uniqueName('Outer')];
  await files.publish(`
name: ${inner}
meaning: Fails at once.
initial: failed
states:
  failed:
    type: final
    entry: { type: fail, params: { code: PartsMissing, message: "no hinge", detail: { part: hinge } } }
`);
  await files.publish(`
name: ${outer}
meaning: Invokes it, and then the locker API.
context: { inner: null, refused: null }
initial: waiting
states:
  waiting:
    invoke: { src: ${inner}, input: {}, onDone: over, onError: { target: asking, actions: { type: assign, params: { inner: "\${event.error}" } } } }
  asking:
    invoke: { src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }, onDone: over, onError: { target: over, actions: { type: assign, params: { refused: "\${event.error}" } } } }
  over: { type: final }
output: "\${context}"
`);
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
  files.answer = () => {
    throw ApplicationFailure.nonRetryable('no', 'InvalidPupUid', { httpStatus: 404, evidence: 'not found' });
  };
  const handle = await files.start(outer, { request: {} });
  expect(await handle.result()).toEqual({
    inner: { code: 'PartsMissing', message: 'no hinge', status: null, detail: { part: 'hinge' } },
    refused: { code: 'InvalidPupUid', message: 'no', status: 404, detail: 'not found' },
  });
});

test('a process that an earlier worker has begun ends by a failure that no state takes', async () => {
  files.answer = refused;
  files.fetched = ({ rules: _, ...published }) => published;
  const name = uniqueName('Earlier');
  await files.publish(asking(name));
  const handle = await files.start(name, { request: {} });
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'InvalidPupUid' } });
});

test.each(Object.entries(failing))('%s leaves the process where it stood', async (_, given) => {
  const { go, states, data = {}, code, path } = given;
  const name = uniqueName('Failing');
  await files.publish(stepping(name, go, states));
  const handle = await files.start(name, { request: {} });
  await handle.signal('event', { type: 'GO', data });
  const { held, state } = await untilProgress(handle, ({ phase }) => phase === 'NeedsPerson');
  expect(held).toMatchObject({ code, event: 'GO', details: { path, reason: expect.any(String) } });
  expect(state).toBe('here');
  await handle.executeUpdate('dropEvent');
  await handle.signal('event', { type: 'END' });
  await handle.result();
  expect(await eventsOf(handle)).not.toContain('WORKFLOW_TASK_FAILED');
});
