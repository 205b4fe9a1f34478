// A flow file as a machine: the flow DeviceLoan step by step, and what it does when an expression fails.

import { expect, test } from 'vitest';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  fromPromise,
  initialTransition,
  transition,
} from 'xstate';
import { chartView } from '../../driver/chart/chart-view.ts';
import { expressionFailureIn } from '../../flow-files/expressions/failure.ts';
import { machineOf } from '../../flow-files/machine/machine.ts';
import type { FlowStart, Invocation } from '../../flow-files/machine/start.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { namesForTests } from './names.ts';

const deviceLoan = `
name: DeviceLoan
meaning: A user borrows a device, is reminded and chased, and gets a spare when it comes back broken.
input:
  type: object
  required: [item, user]
  properties: { item: { type: string }, user: { type: string }, spare: { type: string } }
context: { reminders: 0 }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: IssueFromStockAndSubsequentIntakeAndCircularStock
      input:
        request: { priorShipmentUid: "\${input.item}", toUserUid: "\${input.user}" }
        deadlines: { intake: { dropOff: P14D } }
      onDone: checked
    initial: waiting
    states:
      waiting: { on: { loan.issue.Completed: withUser } }
      withUser:
        after:
          P12D: { actions: { type: emit, params: { type: loan.dueSoon, data: { user: "\${input.user}" } } } }
        on:
          loan.intake.overdue:
            actions: [ { type: assign, params: { reminders: "\${context.reminders + 1}" } }, { type: emit, params: { type: loan.overdue } } ]
  checked:
    invoke:
      src: ask
      input: { of: desk, question: Is the device whole?, fields: { state: { choice: [whole, broken] } }, within: P2D }
      onDone: [ { guard: "\${event.output.state == 'broken'}", target: ticket }, { target: over } ]
  ticket:
    invoke:
      src: call
      input: { connector: servicenow, method: POST, path: /incidents, body: { ci: "\${input.item}" }, keep: "\${body.number}" }
      onDone: spare
  spare: { invoke: { src: IssueFromStock, input: { request: { priorShipmentUid: "\${input.spare}", toUserUid: "\${input.user}" } }, onDone: over } }
  over: { type: final }
output: { reminders: "\${context.reminders}" }
`;

const neverRun = fromPromise(() => Promise.reject(new Error('not in this test')));
const flow = { key: 'loan-1', name: 'DeviceLoan', version: 1, startedAt: '2026-01-01T00:00:00.000Z' };

function machineFrom(text: string): AnyStateMachine {
  const { file, findings } = readFlowFile(text, namesForTests);
  expect(findings).toEqual([]);
  if (!file) throw new Error('no file');
  return machineOf(file, () => neverRun, { now: () => Date.parse('2026-01-01T00:00:00Z') });
}

/** Sends the events to the machine. Gives the last snapshot and all actions. */
function played(machine: AnyStateMachine, input: FlowStart['input'], ...events: readonly object[]) {
  const [first, begun] = initialTransition(machine, { input, flow } satisfies FlowStart as never);
  let snapshot: AnyMachineSnapshot = first;
  const actions: { type: string; params: unknown }[] = [...begun] as never;
  for (const event of events) {
    const [next, asked] = transition(machine, snapshot, event as never);
    snapshot = next;
    actions.push(...(asked as never as typeof actions));
  }
  return { snapshot, actions };
}

const inputs = (actions: readonly { type: string; params: unknown }[]): Invocation[] =>
  actions
    .filter(({ type }) => type === 'xstate.spawnChild')
    .map(({ params }) => (params as { input: Invocation }).input);

test('DeviceLoan runs from loan to spare', () => {
  const { snapshot, actions } = played(
    machineFrom(deviceLoan),
    { item: 'item-1', user: 'user-anna', spare: 'item-2' },
    { type: 'loan.issue.Completed', data: {} },
    { type: 'loan.intake.overdue', data: {} },
    { type: 'xstate.done.actor.loan', output: {}, actorId: 'loan' },
    { type: 'xstate.done.actor.checked', output: { state: 'broken' }, actorId: 'checked' },
    { type: 'xstate.done.actor.ticket', output: 'INC1', actorId: 'ticket' },
    { type: 'xstate.done.actor.spare', output: {}, actorId: 'spare' },
  );
  expect(snapshot).toMatchObject({ status: 'done', value: 'over', output: { reminders: 1 } });
  expect(inputs(actions)).toMatchObject([
    {
      id: 'loan',
      src: 'IssueFromStockAndSubsequentIntakeAndCircularStock',
      hears: ['issue.Completed', 'intake.overdue'],
      input: { request: { priorShipmentUid: 'item-1', toUserUid: 'user-anna' } },
    },
    { id: 'checked', src: 'ask', input: { of: 'desk', within: 'P2D' } },
    { id: 'ticket', src: 'call', input: { body: { ci: 'item-1' }, keep: `$\{body.number}` } },
    { id: 'spare', src: 'IssueFromStock', input: { request: { priorShipmentUid: 'item-2' } } },
  ]);
  const emitted = actions.filter(({ type }) => type === 'xstate.emit').map(({ params }) => params);
  expect(emitted).toEqual([{ event: { type: 'emit', emitted: { type: 'loan.overdue', data: null } } }]);
});

test('the title of a state is what its chart and its progress call it; the rest of its data stays', () => {
  const text = deviceLoan
    .replace('  lent:\n', '  lent:\n    title: Lent\n    meta: { owner: desk }\n')
    .replace('withUser:\n', 'withUser:\n        title: With the borrower\n');
  const machine = machineFrom(text);
  const titles = chartView(machine).states.map(({ path, title }) => [path, title]);
  expect(Object.fromEntries(titles)).toMatchObject({
    '': null,
    lent: 'Lent',
    'lent.waiting': null,
    'lent.withUser': 'With the borrower',
    checked: null,
  });
  expect(machine.states.lent?.meta).toEqual({ owner: 'desk', title: 'Lent' });
});

test('an expression that fails is thrown as an ExpressionFailure with path and reason, and no step is taken', () => {
  const machine = machineFrom(deviceLoan);
  const { snapshot } = played(
    machine,
    { item: 'i', user: 'u' },
    { type: 'xstate.done.actor.loan', output: {} },
  );
  const answer = { type: 'xstate.done.actor.checked', output: {} };
  let thrown: unknown;
  try {
    transition(machine, snapshot, answer as never);
  } catch (error) {
    thrown = error;
  }
  expect(expressionFailureIn(thrown)).toMatchObject({
    code: 'ExpressionFailed',
    path: 'states.checked.invoke.onDone.0.guard',
    reason: 'No such key: state',
  });
  expect(snapshot.value).toBe('checked');
});

test('one that fails in the first step is the error of the snapshot', () => {
  const { snapshot } = played(machineFrom(deviceLoan), { user: 'u' });
  expect(snapshot.status).toBe('error');
  expect(expressionFailureIn(snapshot.error)).toMatchObject({
    path: 'states.lent.invoke.input.request.priorShipmentUid',
  });
});

test('a circle of always is an ExpressionFailure', () => {
  const machine = machineFrom(`
name: Circle
meaning: Turns for ever.
initial: a
states: { a: { on: { GO: b } }, b: { always: c }, c: { always: b } }
`);
  const { snapshot } = played(machine, {});
  expect(() => transition(machine, snapshot, { type: 'GO' })).toThrow(/TooManySteps/);
});

test('a context that grows too large by values that are not is an ExpressionFailure, and the step is not taken', () => {
  const machine = machineFrom(`
name: Growing
meaning: Keeps everything.
context: { one: null, other: null }
initial: a
states:
  a: { on: { ONE: { actions: { type: assign, params: { one: "\${event.data}" } } }, OTHER: { target: b, actions: { type: assign, params: { other: "\${event.data}" } } } } }
  b: {}
`);
  const data = 'y'.repeat(20_000);
  const { snapshot } = played(machine, {}, { type: 'ONE', data });
  expect(() => transition(machine, snapshot, { type: 'OTHER', data } as never)).toThrow(
    'ContextTooLarge: context: the context would hold 40021 bytes, expected at most 32768; assign less to the context',
  );
  expect(snapshot.value).toBe('a');
});
