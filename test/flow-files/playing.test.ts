// A story shows what a process does in production, because it runs on the same driver: also where something fails, is cancelled,
// is asked again, or comes from a flow that the process has started.
import { expect, test } from 'vitest';
import type { FlowFile, JsonObject } from '../../flow-files/flow-file.ts';
import { play, type Step, storyFileProblems } from '../../flow-files/playing/story.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { parsedText } from '../../flow-files/reading/yaml.ts';
import { namesForTests } from './names.ts';

function fileOf(text: string): FlowFile {
  const { file, findings } = readFlowFile(text, namesForTests);
  expect(findings).toEqual([]);
  return file as FlowFile;
}

const asking = fileOf(`
name: Asking
meaning: Asks the desk, and hears of a cancellation.
context: { code: "", answers: 0 }
initial: asking
states:
  asking:
    invoke:
      id: check
      src: ask
      input: { of: desk, question: Is it there?, fields: { there: { type: yesNo } }, within: P2D }
      onDone: { target: over, actions: { type: assign, params: { answers: "\${context.answers + 1}" } } }
      onError: { target: over, actions: { type: assign, params: { code: "\${event.error.code}" } } }
    on:
      again: { target: asking, reenter: true }
      stop: { actions: { type: cancel, params: { invoke: check } } }
      cancelRequested: { actions: { type: emit, params: { type: asking.cancelled } } }
  over: { type: final }
output: "\${context.code}"
`);

const lending = fileOf(`
name: Lending
meaning: Lends a device, and keeps what it hears of it.
context: { shipment: "", sum: 0 }
initial: lent
states:
  lent:
    invoke: { id: loan, src: Issue, input: { request: {} }, onDone: over }
    after: { P1D: { actions: { type: assign, params: { sum: "\${context.sum + input.more}" } } } }
    on:
      loan.issue.ReadyForPickup: { actions: { type: assign, params: { shipment: "\${event.shipmentUid}" } } }
      add: { actions: { type: assign, params: { sum: "\${context.sum + event.data.amount}" } } }
      lockerflow.cancel: over
  over: { type: final }
output: "\${context.sum}"
`);

const ticking = fileOf(`
name: Ticking
meaning: Looks each second.
initial: looking
states:
  looking: { after: { PT1S: { target: looking, reenter: true } }, on: { stop: over } }
  over: { type: final }
`);

test('a story lets only so many timers come due, in one step or in several', () => {
  const ended = 'more than 100000 timers have come due, now in looking';
  expect(differing(ticking, '- when: { passes: P36500D }')).toEqual([expect.stringContaining(ended)]);
  expect(differing(ticking, '- when: { passes: PT20H }\n- when: { passes: PT20H }')).toEqual([
    expect.stringMatching(new RegExp(`^step 2 .*${ended} .*; let less time pass, or use longer delays$`)),
  ]);
  expect(differing(ticking, '- when: { passes: PT20H }\n  then: { state: looking }')).toEqual([]);
});

/** What differs from the steps of a story. */
function differing(file: FlowFile, steps: string, input: JsonObject = {}): readonly string[] {
  const { data, findings } = parsedText(steps);
  expect(findings).toEqual([]);
  return play(file, { story: 'It is so.', given: { input }, steps: data as unknown as Step[] }).problems;
}

test('an event of a flow that the process has started has its own fields, as in production', () => {
  const steps = `
- when: { event: loan.issue.ReadyForPickup, data: { shipmentUid: uid-1 } }
  then: { context: { shipment: uid-1 } }`;
  expect(differing(lending, steps)).toEqual([]);
});

test('an event that only the driver makes is refused', () => {
  const steps = `
- when: { event: lockerflow.cancel }
  then: { refused: true, state: lent }`;
  expect(differing(lending, steps)).toEqual([]);
});

test('a step that fails halts the process; then its event is dropped, and what came meanwhile is taken', () => {
  const steps = `
- when: { event: add, data: {} }
  then: { failure: ExpressionFailed, context: { sum: 0 } }
- when: { event: add, data: { amount: 2 } }
  then: { context: { sum: 2 } }
- when: { event: add, data: {} }
  then: { failure: ExpressionFailed, status: active }
- when: { passes: P2D }
  then: { context: { sum: 12 } }
- when: { done: loan }
  then: { status: done, output: 12 }`;
  expect(differing(lending, steps, { more: 10 })).toEqual([]);
});

test('a timer whose step fails is dropped like any other event, and the time goes on', () => {
  const steps = `
- when: { passes: P3D }
  then: { failure: ExpressionFailed, state: lent, open: [loan] }
- when: { passes: P3D }
  then: { state: lent, context: { sum: 0 } }`;
  expect(differing(lending, steps)).toEqual([]);
});

test('a failure that no state takes halts the process; a person can continue without it', () => {
  const steps = `
- when: { fails: loan, error: NoLockerAvailable }
  then: { failure: FailureUnhandled, status: active, state: lent, open: [] }
- when: { event: add, data: { amount: 2 } }
  then: { status: active, context: { sum: 2 } }`;
  expect(differing(lending, steps)).toEqual([]);
  const unexpected = `
- when: { fails: loan, error: { code: NoLockerAvailable, message: every locker is taken } }`;
  expect(differing(lending, unexpected)).toEqual([
    'step 1 (fails loan): FailureUnhandled: states.lent.invoke: no state takes the failure of loan: NoLockerAvailable: every locker is taken; take the failure with onError',
  ]);
});

test('a question that is not answered in time halts the process, if no state takes that', () => {
  const file = fileOf(`
name: Waiting
meaning: Waits for an answer.
initial: asking
states:
  asking:
    invoke: { id: check, src: ask, input: { of: desk, question: Well?, within: P2D }, onDone: over }
  over: { type: final }
`);
  const steps = `
- when: { passes: P2D }
  then: { failure: FailureUnhandled, state: asking, status: active }`;
  expect(differing(file, steps)).toEqual([]);
});

test('a cancelled process ends and does not halt, although no state takes the failure of what was cancelled', () => {
  const file = fileOf(`
name: Tidying
meaning: Takes a cancellation, and does not wait for its flow.
initial: lent
states:
  lent:
    invoke: { id: loan, src: Issue, input: { request: {} }, onDone: over }
    on: { cancelRequested: { actions: { type: emit, params: { type: tidying.cancelled } } } }
  over: { type: final }
`);
  const steps = `
- when: { cancel: true }
  then: { status: failed, emitted: [{ type: tidying.cancelled }] }`;
  expect(differing(file, steps)).toEqual([]);
});

test('a cancelled process cancels what runs, and closes as cancelled, without a result', () => {
  const steps = `
- when: { cancel: true }
  then:
    status: cancelled
    state: over
    open: []
    output: null
    context: { code: Cancelled }
    emitted: [{ type: asking.cancelled }]`;
  expect(differing(asking, steps)).toEqual([]);
});

test('a process that does not take a cancellation ends at once', () => {
  const steps = `
- when: { cancel: true }
  then: { status: cancelled, state: lent }`;
  expect(differing(lending, steps)).toEqual([]);
});

test('a question that the process cancels fails as Cancelled', () => {
  const steps = `
- when: { event: stop }
  then: { status: done, output: Cancelled, open: [] }`;
  expect(differing(asking, steps)).toEqual([]);
});

test('a question that is asked again has its own time, and is answered', () => {
  const steps = `
- when: { passes: P1D }
- when: { event: again }
  then: { open: [check] }
- when: { passes: P1D }
  then: { state: asking }
- when: { answer: check, with: { there: true } }
  then: { state: over, context: { answers: 1 } }`;
  expect(differing(asking, steps)).toEqual([]);
});

/** What is wrong with the form of a story that has these steps. */
function wrongWith(steps: string): string[] {
  const { data, findings } = parsedText(steps);
  expect(findings).toEqual([]);
  const stories = [{ story: 'It is so.', steps: data }];
  return storyFileProblems({ flow: 'a.flow.yaml', stories }).map(
    ({ at, message }) => `${at.slice(3).join('.')}: ${message}`,
  );
}

test('a step in which two things happen, or none, is refused', () => {
  expect(wrongWith('[{ when: { event: go, passes: P1D } }]')).toEqual([
    '0.when: event and passes are several steps; give each a step of its own',
  ]);
  expect(wrongWith('[{ when: { output: 3 } }]')).toEqual([
    '0.when: nothing happens; expected one of event, hook, done, fails, answer, claim, release, assign, passes, cancel, migrates',
  ]);
  expect(wrongWith('[{ when: { done: loan, data: 3 } }]')).toEqual([
    '0.when.data: data says nothing of done; remove it',
  ]);
  expect(wrongWith('[{ when: { passes: 3 } }, { when: { cancel: false } }]')).toEqual([
    '0.when.passes: passes: expected a text',
    '1.when.cancel: cancel: expected true',
  ]);
  expect(wrongWith('[{ then: { state: a } }, { when: { done: loan, output: 3 } }]')).toEqual([]);
});

test('what is active together has no order', () => {
  const file = fileOf(`
name: Both
meaning: Asks two desks at once.
type: parallel
states:
  b: { invoke: { id: y, src: ask, input: { of: desk, question: Well? } }, on: { go: { target: b } } }
  a: { invoke: { id: x, src: ask, input: { of: desk, question: Well? } }, on: { come: { target: a } } }
`);
  expect(differing(file, '[{ then: { state: [a, b], open: [x, y], events: [come, go] } }]')).toEqual([]);
  expect(differing(file, '[{ then: { state: [b, a], open: [y, x], events: [go, come] } }]')).toEqual([]);
  expect(differing(file, '[{ then: { open: [x] } }]')).toEqual([
    'step 1 (nothing): open: expected ["x"], but it is ["x","y"]',
  ]);
});

test('a moment is the same one, however it is written', () => {
  const file = fileOf(`
name: Due
meaning: Asks until a moment.
initial: asking
states:
  asking: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, due: "\${later(now, 'P1D')}" }, onDone: over } }
  over: { type: final }
`);
  const due = (moment: string) =>
    differing(file, `[{ then: { questions: { check: { due: "${moment}" } } } }]`);
  expect(due('2026-01-06T09:00:00Z')).toEqual([]);
  expect(due('2026-01-06T10:00:00+01:00')).toEqual([]);
  expect(due('2026-01-06T09:00:01Z')).toEqual([
    'step 1 (nothing): questions.check.due: expected "2026-01-06T09:00:01Z", but it is "2026-01-06T09:00:00.000Z"',
  ]);
});

test('an event that the flow never sends cannot be sent in its name', () => {
  const file = fileOf(`
name: Repairing
meaning: Listens for what its flow never sends.
initial: a
states:
  a:
    invoke: [{ id: repair, src: Repair, onDone: b }, { id: loan, src: Issue, input: { request: {} }, onDone: b }]
    on: { repair.*: b, loan.*: b }
  b: { type: final }
`);
  // What a flow file sends its parent stands in that file.
  expect(differing(file, '[{ when: { event: repair.finished }, then: { state: b } }]')).toEqual([]);
  expect(differing(file, '[{ when: { event: loan.issue.PickedUp }, then: { refused: true } }]')).toEqual([]);
  expect(differing(file, '[{ when: { event: repair.needsPerson }, then: { state: b } }]')).toEqual([]);
});

test('a default in the input takes the place of a field that is left out', () => {
  const file = fileOf(`
name: Defaulting
meaning: Waits as long as it is asked to.
input:
  type: object
  properties:
    length: { type: string, default: P2D }
    desk: { type: object, default: {}, properties: { name: { type: string, default: front } } }
initial: a
states: { a: { after: { "\${input.length}": b } }, b: { type: final } }
output: "\${input.desk.name}"
`);
  expect(differing(file, '[{ when: { passes: P2D }, then: { status: done, output: front } }]')).toEqual([]);
  const given = { length: 'P3D', desk: { name: 'back' } };
  const steps =
    '[{ when: { passes: P2D }, then: { state: a } }, { when: { passes: P1D }, then: { output: back } }]';
  expect(differing(file, steps, given)).toEqual([]);
});

test('a circle of steps without end says where it begins', () => {
  const file = fileOf(`
name: Circling
meaning: Leads back to itself.
initial: a
states: { a: { on: { go: b } }, b: { always: c }, c: { always: b } }
`);
  expect(differing(file, '[{ when: { event: go } }]')).toEqual([
    'step 1 (event go): TooManySteps: states.a: one event leads to more than 200 steps; break the circle of always, raise and onDone',
  ]);
});

test('time that passes ends for a process that goes around because of a moment that is past', () => {
  const file = fileOf(`
name: Around
meaning: Asks again at a moment that is past by then.
input: { type: object, required: [until], properties: { until: { type: string, format: date-time } } }
initial: asking
states:
  asking:
    invoke: { id: check, src: ask, input: { of: desk, question: Is it there?, due: "\${input.until}" }, onDone: over }
    on: { check.overdue: { target: asking, reenter: true } }
  over: { type: final }
`);
  const until = '2026-01-06T09:00:00Z';
  expect(differing(file, '- when: { passes: P2D }', { until })).toEqual([
    expect.stringContaining('the process goes around without a pause in asking'),
  ]);
});

test('to cancel what does not run halts the process: nobody could repair a step that throws again and again', () => {
  const file = fileOf(`
name: Cancelling
meaning: Cancels a flow that may have begun.
initial: a
states:
  a: { on: { stop: { actions: { type: cancel, params: { invoke: loan } } }, go: b } }
  b: { invoke: { id: loan, src: Issue, input: { request: {} }, onDone: c, onError: c } }
  c: { type: final }
`);
  expect(differing(file, '[{ when: { event: stop } }]')).toEqual([
    'step 1 (event stop): InvokeNotRunning: states.a: nothing runs as loan, so it cannot be cancelled, and gets no event; cancel an invoke, and send it events, only in states in which it runs',
  ]);
  expect(differing(file, '[{ when: { event: go }, then: { state: b } }]')).toEqual([]);
});

test('a process that fails has a code, delivers what it emits, and cancels its flows', () => {
  const file = fileOf(`
name: Failing
meaning: Fails with the code that it is given.
initial: a
states:
  a: { invoke: { id: loan, src: Issue, input: { request: {} }, onDone: b }, on: { go: b } }
  b:
    type: final
    entry:
      - { type: emit, params: { type: failing.failed } }
      - { type: fail, params: { code: "\${event.data.code}", detail: { at: "\${flow.key}" } } }
`);
  const steps = `
- when: { event: go, data: { code: "no code" } }
  then: { failure: ExpressionFailed, state: a, open: [loan] }
- when: { event: go, data: { code: Broken } }
  then:
    status: failed
    state: b
    open: []
    emitted: [{ type: failing.failed }]
    error: { code: Broken, message: Broken, detail: { at: played } }`;
  expect(differing(file, steps)).toEqual([]);
});
