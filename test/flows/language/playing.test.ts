// A story shows what a process does in production, because it runs on the same engine: also where something fails, is cancelled,
// is asked again, or comes from a flow that the process has started.
import { expect, test } from 'vitest';
import { chartView } from '../../../engine/chart/chart-view.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { type Story, storyFileProblems } from '../../../flows/simulation/story-file.ts';
import { differing, fileOf } from './names.ts';

const playedFile = (states: string) => fileOf(`name: Played\nmeaning: A test.\n${states}`);

const asking = playedFile(`
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

const lending = playedFile(`
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

const waiting = playedFile(`
initial: asking
states:
  asking: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, within: P2D }, onDone: over } }
  over: { type: final }
`);

const tidying = playedFile(`
initial: lent
states:
  lent:
    invoke: { id: loan, src: Issue, input: { request: {} }, onDone: over }
    on: { cancelRequested: { actions: { type: emit, params: { type: tidying.cancelled } } } }
  over: { type: final }
`);

const failing = playedFile(`
initial: a
states:
  a: { invoke: { id: loan, src: Issue, input: { request: {} }, onDone: b }, on: { go: b } }
  b:
    type: final
    entry:
      - { type: emit, params: { type: failing.failed } }
      - { type: fail, params: { code: "\${event.data.code}", detail: { at: "\${flow.key}" } } }
`);

const defaulting = playedFile(`
input:
  type: object
  properties:
    length: { type: string, default: P2D }
    desk: { type: object, default: {}, properties: { name: { type: string, default: front } } }
initial: a
states: { a: { after: { "\${input.length}": b } }, b: { type: final } }
output: "\${input.desk.name}"
`);

/** Listens for what its flow never sends. What a flow file sends its parent stands in that file. */
const repairing = playedFile(`
initial: a
states:
  a:
    invoke: [{ id: repair, src: Repair, onDone: b }, { id: loan, src: Issue, input: { request: {} }, onDone: b }]
    on: { repair.*: b, loan.*: b }
  b: { type: final }
`);

const files = { asking, lending, waiting, tidying, failing, defaulting, repairing };

const stories = parsedText(`
- story: an event of a flow that the process has started has its own fields, as in production
  of: lending
  steps:
    - { when: { event: loan.issue.ReadyForPickup, data: { shipmentUid: uid-1 } }, then: { context: { shipment: uid-1 } } }
- story: an event that only the engine makes is refused
  of: lending
  steps:
    - { when: { event: lockerflow.cancel }, then: { refused: true, state: lent } }
- story: a step that fails halts the process; then its event is dropped, and what came meanwhile is taken
  of: lending
  given: { input: { more: 10 } }
  steps:
    - { when: { event: add, data: {} }, then: { failure: ExpressionFailed, context: { sum: 0 } } }
    - { when: { event: add, data: { amount: 2 } }, then: { context: { sum: 2 } } }
    - { when: { event: add, data: {} }, then: { failure: ExpressionFailed, status: active } }
    - { when: { passes: P2D }, then: { context: { sum: 12 } } }
    - { when: { done: loan }, then: { status: done, output: 12 } }
- story: a timer whose step fails is dropped like any other event, and the time goes on
  of: lending
  steps:
    - { when: { passes: P3D }, then: { failure: ExpressionFailed, state: lent, open: [loan] } }
    - { when: { passes: P3D }, then: { state: lent, context: { sum: 0 } } }
- story: a failure that no state takes halts the process; a person can continue without it
  of: lending
  steps:
    - when: { fails: loan, error: NoLockerAvailable }
      then: { failure: FailureUnhandled, status: active, state: lent, open: [] }
    - { when: { event: add, data: { amount: 2 } }, then: { status: active, context: { sum: 2 } } }
- story: a question that is not answered in time halts the process, if no state takes that
  of: waiting
  steps:
    - { when: { passes: P2D }, then: { failure: FailureUnhandled, state: asking, status: active } }
- story: a cancelled process ends and does not halt, although no state takes the failure of what was cancelled
  of: tidying
  steps:
    - { when: { cancel: true }, then: { status: failed, emitted: [{ type: tidying.cancelled }] } }
- story: a cancelled process cancels what runs, and closes as cancelled, without a result
  of: asking
  steps:
    - when: { cancel: true }
      then:
        { status: cancelled, state: over, open: [], output: null, context: { code: Cancelled }, emitted: [{ type: asking.cancelled }] }
- story: a process that does not take a cancellation ends at once
  of: lending
  steps:
    - { when: { cancel: true }, then: { status: cancelled, state: lent } }
- story: a question that the process cancels fails as Cancelled
  of: asking
  steps:
    - { when: { event: stop }, then: { status: done, output: Cancelled, open: [] } }
- story: a question that is asked again has its own time, and is answered
  of: asking
  steps:
    - { when: { passes: P1D } }
    - { when: { event: again }, then: { open: [check] } }
    - { when: { passes: P1D }, then: { state: asking } }
    - { when: { answer: check, with: { there: true } }, then: { state: over, context: { answers: 1 } } }
- story: a code that is none halts a process that fails
  of: failing
  steps:
    - { when: { event: go, data: { code: " " } }, then: { failure: ExpressionFailed, state: a, open: [loan] } }
- story: a code that an expression gives may be that of another system
  of: failing
  steps:
    - { when: { event: go, data: { code: "E 100.2" } }, then: { status: failed, error: { code: "E 100.2", message: "E 100.2", detail: { at: played } } } }
- story: a process that fails has a code, delivers what it emits, and cancels its flows
  of: failing
  steps:
    - when: { event: go, data: { code: Broken } }
      then:
        status: failed
        state: b
        open: []
        emitted: [{ type: failing.failed }]
        error: { code: Broken, message: Broken, detail: { at: played } }
- story: a default in the input takes the place of a field that is left out
  of: defaulting
  steps:
    - { when: { passes: P2D }, then: { status: done, output: front } }
- story: a field of the input that is given has no default
  of: defaulting
  given: { input: { length: P3D, desk: { name: back } } }
  steps:
    - { when: { passes: P2D }, then: { state: a } }
    - { when: { passes: P1D }, then: { output: back } }
- story: an event that a built-in flow never sends cannot be sent in its name
  of: repairing
  steps:
    - { when: { event: loan.issue.PickedUp }, then: { refused: true } }
    - { when: { event: repair.finished }, then: { state: b } }
- story: any flow may say that it needs a person
  of: repairing
  steps:
    - { when: { event: repair.needsPerson }, then: { state: b } }
`).data as unknown as (Story & { readonly of: keyof typeof files })[];

test.each(stories)('$story', ({ of, ...story }) => {
  expect(play(files[of], story).problems).toEqual([]);
});

test('a failure that the story does not expect is told with its remedy', () => {
  const steps =
    "- when: { fails: loan, error: { code: NoLockerAvailable, message: 'NoLockerAvailable: every locker is taken' } }";
  expect(differing(lending, steps)).toEqual([
    'step 1 (fails loan): FailureUnhandled: states.lent.invoke: no state takes the failure of loan: NoLockerAvailable: every locker is taken; take the failure with onError',
  ]);
});

test('a story lets only so many timers come due, in one step or in several', () => {
  const ticking = playedFile(
    'initial: looking\nstates: { looking: { after: { PT1S: { target: looking, reenter: true } } } }',
  );
  const ended = 'more than 100000 timers have come due, now in looking';
  expect(differing(ticking, '- when: { passes: P36500D }')).toEqual([expect.stringContaining(ended)]);
  expect(
    differing(ticking, '- when: { passes: PT20H }\n  then: { state: looking }\n- when: { passes: PT20H }'),
  ).toEqual([
    expect.stringMatching(new RegExp(`^step 2 .*${ended} .*; let less time pass, or use longer delays$`)),
  ]);
});

test.each([
  [
    '{ when: { event: go, passes: P1D } }',
    '0.when: event and passes are several steps; give each a step of its own',
  ],
  [
    '{ when: { output: 3 } }',
    '0.when: nothing happens; expected one of event, done, fails, retry, adopt, giveUp, answer, claim, release, assign, extend, passes, cancel, migrates',
  ],
  ['{ when: { done: loan, data: 3 } }', '0.when.data: data says nothing of done; remove it'],
  ['{ when: { passes: 3 } }', '0.when.passes: passes must be string, not 3'],
  ['{ when: { cancel: false } }', '0.when.cancel: cancel must be true, not false'],
  ['{ then: { state: a } }', undefined],
  ['{ when: { done: loan, output: 3 } }', undefined],
])('the form of the step %s: %s', (step, problem) => {
  const stories = [{ story: 'It is so.', steps: parsedText(`[${step}]`).data }];
  const problems = storyFileProblems({ flow: 'a.flow.yaml', stories });
  expect(problems.map(({ at, message }) => `${at.slice(3).join('.')}: ${message}`)).toEqual(
    problem === undefined ? [] : [problem],
  );
});

test('what is active together has no order', () => {
  const file = playedFile(`
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
  const file = playedFile(`
initial: asking
states:
  asking: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, due: "\${later(now, 'P1D')}" } } }
`);
  const due = (moment: string) =>
    differing(file, `[{ then: { questions: { check: { due: "${moment}" } } } }]`);
  expect(due('2026-01-06T09:00:00Z')).toEqual([]);
  expect(due('2026-01-06T10:00:00+01:00')).toEqual([]);
  expect(due('2026-01-06T09:00:01Z')).toEqual([
    'step 1 (nothing): questions.check.due: expected "2026-01-06T09:00:01Z", but it is "2026-01-06T09:00:00.000Z"',
  ]);
});

test('time that passes ends for a process that goes around because of a moment that is past', () => {
  const file = playedFile(`
input: { type: object, required: [until], properties: { until: { type: string, format: date-time } } }
initial: asking
states:
  asking:
    invoke: { id: check, src: ask, input: { of: desk, question: Well?, due: "\${input.until}" }, onDone: over }
    on: { check.overdue: { target: asking, reenter: true } }
  over: { type: final }
`);
  expect(differing(file, '- when: { passes: P2D }', { until: '2026-01-06T09:00:00Z' })).toEqual([
    expect.stringContaining('the process goes around without a pause in asking'),
  ]);
});

test('to cancel what does not run halts the process: nobody could repair a step that throws again and again', () => {
  const file = playedFile(`
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

test('a field of the context that a migration adds is made of the input as the new file completes it', () => {
  const states = 'initial: a\nstates: { a: { on: { go: b } }, b: { type: final } }';
  const player = new Player(playedFile(states), { input: {} });
  const after = playedFile(`
input: { type: object, properties: { limit: { type: number, default: 10 } } }
context: { left: "\${input.limit}" }
${states}`);
  player.migrate({ file: after, version: 2 });
  expect(player.context).toEqual({ left: 10 });
});

test('an event that does not fit its schema is no step of a story', () => {
  const schema = (type: string) =>
    `{ type: object, required: [days], properties: { days: { type: ${type} } } }`;
  const version = (name: string, type: string) =>
    playedFile(`
context: { days: 0 }
events: { ${name}: { data: ${schema(type)} } }
initial: lent
states:
  lent: { on: { ${name}: { ${name === 'wanted' ? '' : 'was: wanted, '}actions: { type: assign, params: { days: "\${event.data.days}" } } } } }
`);
  const player = new Player(version('wanted', 'integer'));
  expect(() => player.send('wanted', { days: '3' })).toThrow(
    'wanted does not fit: data.days must be integer, not "3"',
  );
  expect(() => player.send('wanted')).toThrow('data must be object, not null');
  player.send('wanted', { days: 3 });
  expect(player.context).toEqual({ days: 3 });
  player.migrate({ file: version('extension.wanted', 'string'), version: 2 });
  // By its former name too.
  expect(() => player.send('wanted', { days: 3 })).toThrow('must be string, not 3');
  player.send('wanted', { days: 'three' });
  expect(player.context).toEqual({ days: 'three' });
  const [story] = parsedText(`
- { story: refused, steps: [ { when: { event: wanted, data: {} }, then: { refused: true, context: { days: 0 } } } ] }`)
    .data as unknown as readonly [Story];
  expect(play(version('wanted', 'integer'), story).problems).toEqual([]);
});

test('guards are put together by not, and and or', () => {
  const file = playedFile(`
initial: working
states:
  working:
    type: parallel
    states:
      door: { initial: shut, states: { shut: { id: shut, on: { turn: open } }, open: { on: { turn: shut } } } }
      item:
        initial: waiting
        states:
          waiting:
            on:
              take:
                guard:
                  type: and
                  params:
                    guards:
                      - { type: not, params: { guard: { type: stateIn, params: { state: "#shut" } } } }
                      - { type: or, params: { guards: [ "\${event.data.mayTake}", "\${event.data.isMechanic}" ] } }
                target: taken
          taken: {}
`);
  const taken = (turns: number, mayTake: Json, isMechanic: Json) => {
    const player = new Player(file);
    for (let turn = 0; turn < turns; turn++) player.send('turn');
    player.send('take', { mayTake, isMechanic });
    return player.states.includes('working.item.taken');
  };
  const all = [0, 1].flatMap((turns) =>
    [true, false].flatMap((may) => [true, false].map((is) => [turns, may, is] as const)),
  );
  for (const [turns, may, is] of all)
    expect([turns, may, is, taken(turns, may, is)]).toEqual([turns, may, is, turns === 1 && (may || is)]);
  expect(() => taken(1, false, 'perhaps')).toThrow('expected true or false');
  const guards = chartView(idleMachineOf(file)).transitions.map(({ guard }) => guard);
  expect(guards).toContain('(!(in #shut)) && ((event.data.mayTake) || (event.data.isMechanic))');
});
