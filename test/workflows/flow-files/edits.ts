// The ways in which a file is edited, each with a process that is there: what stands in the way, what the plan says, and how the
// process goes on. The 25 edits, in their order; what happens to a running flow has cases of its own.
import type { FlowFilePlan } from '../../../flows/language/machine/migration.ts';
import { booking } from '../stories.ts';

/** What happens from outside. */
export type Step =
  | readonly ['event', string]
  | readonly ['answer', string, object]
  /** A child flow's shipment is dropped off, or picked up. */
  | readonly ['drops' | 'picks', string];

export interface Edit {
  /** The name of its recorded history, which begins with the number of the edit. */
  readonly name: string;
  readonly before: object;
  readonly after: object;
  /** Steps before the migration. */
  readonly given?: readonly Step[];
  /** The process is there when it is in this state: `a` where none is said. */
  readonly at: unknown;
  /** What stands in the way without the plan. */
  readonly refused?: string;
  readonly plan?: FlowFilePlan;
  /** What is carried otherwise than one may expect. */
  readonly notes?: readonly string[];
  /** Steps after it, to its end: the event `go` where none are said. */
  readonly later: readonly Step[];
  readonly result: unknown;
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
const set = (n: unknown) => ({ type: 'assign', params: { n } });
const over = (n: unknown) => ({ target: 'over', actions: set(n) });
const go = { on: { go: 'over' } };
const ask = (id: string, more: object = {}) => ({
  id,
  src: 'ask',
  input: { of: 'desk', question: 'Whole?', fields: { state: { choice: ['whole'] } } },
  onDone: 'over',
  ...more,
});
const whole: Step = ['answer', 'q', { state: 'whole' }];
const dropsAndPicks: readonly Step[] = [
  ['drops', 'loan'],
  ['picks', 'loan'],
];
const loan = (dropOff: string, more: object = {}) => ({
  id: 'loan',
  src: 'Issue',
  onDone: over('${event.output.outcome}'),
  ...more,
  input: {
    request: { ...booking, toUserUid: 'user-anna' },
    deadlines: { issue: { dropOff } },
  },
});
/** The fields of a file that differ. */
const file = (states: object, more: object = {}) => ({
  context: { n: 0 },
  initial: Object.keys(states)[0],
  output: '${context.n}',
  states: { ...states, over: { type: 'final' } },
  ...more,
});

const regions = (states: object, more: object = {}) =>
  file({ p: { type: 'parallel', on: { go: 'over' }, states, ...more } });
const idle = { initial: 'x', states: { x: {} } };

const changed: readonly (Omit<Edit, 'at' | 'later'> & Partial<Edit>)[] = [
  {
    name: '01-state-added-elsewhere',
    before: file({ a: go }),
    after: file({ a: { on: { go: 'over', aside: 'b' } }, b: go }),
    result: 0,
  },
  {
    name: '02-state-renamed',
    before: file({ a: go }),
    after: file({ x: { was: 'a', on: { go: over(2) } } }),
    result: 2,
  },
  {
    name: '03-state-removed',
    before: file({ a: go }),
    after: file({ z: { on: { go: over(3) } } }),
    refused: 'StateRemoved',
    plan: { states: { a: 'z' } },
    result: 3,
  },
  {
    name: '04-state-moved-into-another',
    before: file({ a: go }),
    after: file({ w: { ...go, entry: set(4), initial: 'b', states: { b: {}, a: { was: 'a' } } } }),
    result: 4,
  },
  {
    name: '05-region-added',
    before: regions({ one: idle }),
    after: regions({
      one: idle,
      two: { initial: 'y', states: { y: { invoke: ask('q', { onDone: { actions: set(5) } }) } } },
    }),
    at: { p: { one: 'x' } },
    later: [whole, ['event', 'go']],
    result: 5,
  },
  {
    name: '06-region-removed',
    before: regions({ one: idle, two: idle }),
    after: regions({ one: idle }),
    at: { p: { one: 'x', two: 'x' } },
    result: 0,
  },
  {
    name: '07-wait-shorter',
    before: file({ a: { after: { P1D: 'over' } } }),
    after: file({ a: { after: { PT2S: over(7) } } }),
    plan: { overdue: 'now' },
    later: [],
    result: 7,
  },
  {
    name: '08-wait-added',
    before: file({ a: go }),
    after: file({ a: { ...go, after: { PT2S: over(8) } } }),
    plan: { overdue: 'now' },
    later: [],
    result: 8,
  },
  {
    name: '08-wait-removed',
    before: file({ a: { ...go, after: { P1D: over(1) } } }),
    after: file({ a: go }),
    result: 0,
  },
  {
    name: '09-delay-expression',
    before: file({ a: { after: { '${"P" + string(context.n + 1) + "D"}': 'over' } } }),
    after: file({ a: { after: { '${"PT" + string(context.n + 2) + "S"}': over(9) } } }),
    plan: { overdue: 'now' },
    later: [],
    result: 9,
  },
  {
    name: '10-answer-leads-elsewhere',
    before: file({ a: { invoke: ask('q') } }),
    after: file({ a: { invoke: ask('q', { onDone: over(10) }) } }),
    later: [whole],
    result: 10,
  },
  {
    name: '11-input-of-what-runs',
    before: file({ a: { invoke: loan('P1D') } }),
    after: file({ a: { invoke: loan('P2D') } }),
    notes: ['loan goes on with the input that it was given before'],
    later: dropsAndPicks,
    result: 'Done',
  },
  {
    name: '12-other-actor',
    before: file({ a: { invoke: ask('q') } }),
    after: file({
      a: {
        invoke: { id: 'q', src: 'GetPickUpPoints', input: { pageNo: 1, pageSize: 10 }, onDone: over(12) },
      },
    }),
    refused: 'InvokeChanged',
    plan: { leave: ['q'] },
    notes: ['q is cancelled', 'q begins, in a state that the process is in already'],
    later: [],
    result: 12,
  },
  {
    name: '13-invoke-renamed',
    before: file({ a: { invoke: ask('p') } }),
    after: file({ a: { invoke: ask('q', { was: 'p', onDone: over(13) }) } }),
    later: [whole],
    result: 13,
  },
  {
    name: '14-invoke-removed',
    before: file({ a: { ...go, invoke: ask('q') } }),
    after: file({ a: { on: { go: over(14) } } }),
    refused: 'InvokeRemoved',
    plan: { leave: ['q'] },
    notes: ['q is cancelled'],
    result: 14,
  },
  {
    name: '15-event-of-what-runs',
    before: file({ a: { invoke: loan('P1D', { onDone: 'over' }) } }),
    after: file({
      a: {
        invoke: loan('P1D', { onDone: 'over' }),
        on: { 'loan.issue.ReadyForPickup': { actions: set(15) } },
      },
    }),
    later: dropsAndPicks,
    result: 15,
  },
  {
    name: '16-event-renamed',
    before: file({ a: { on: { paid: 'over' } } }),
    after: file({ a: { on: { payment: over(16) } } }),
    refused: 'Stranded',
    plan: { events: { paid: 'payment' } },
    later: [['event', 'paid']],
    result: 16,
  },
  {
    name: '17-question-wider',
    before: file({ a: { invoke: ask('q') } }),
    after: file({
      a: {
        invoke: ask('q', {
          input: { of: 'store', question: 'Whole?', fields: { state: { choice: ['whole', 'lost'] } } },
          onDone: over('${event.output.state}'),
        }),
      },
    }),
    later: [['answer', 'q', { state: 'lost' }]],
    result: 'lost',
  },
  {
    name: '17-question-narrower',
    before: file({ a: { invoke: ask('q') } }),
    after: file({
      a: {
        invoke: ask('q', {
          input: { of: 'desk', question: 'Lost?', fields: { lost: { type: 'yesNo' } } },
          onDone: over('${event.output.lost}'),
        }),
      },
    }),
    later: [['answer', 'q', { lost: true }]],
    result: true,
  },
  {
    name: '18-context-of-another-type',
    before: file({ a: go }),
    after: file({ a: go }, { context: { n: 'none', m: 1 } }),
    refused: 'ContextUnknown',
    plan: { context: { n: '${string(context.n + 18)}' } },
    result: '18',
  },
  {
    name: '19-input-required',
    before: file({ a: go }),
    after: file(
      { a: { on: { go: over('${input.who}') } } },
      { input: { type: 'object', required: ['who'], properties: { who: { type: 'string' } } } },
    ),
    refused: 'InputUnknown',
    plan: { input: { who: 'anna' } },
    result: 'anna',
  },
  {
    name: '20-always-added',
    before: file({ a: go }),
    after: file({
      a: { ...go, always: { guard: '${context.n == 0}', target: 'b' } },
      b: { on: { go: over(20) } },
    }),
    result: 20,
  },
  {
    name: '21-history-target-removed',
    before: file({
      p: {
        initial: 'x',
        on: { out: 'q' },
        states: { x: { on: { next: 'y' } }, y: {}, h: { type: 'history', target: 'x' } },
      },
      q: { on: { back: 'p.h', go: 'over' } },
    }),
    after: file({
      p: {
        initial: 'x',
        on: { out: 'q', go: over(21) },
        states: { x: { on: { next: 'w' } }, w: {}, h: { type: 'history', target: 'x' } },
      },
      q: { on: { back: 'p.h', go: 'over' } },
    }),
    given: [
      ['event', 'next'],
      ['event', 'out'],
    ],
    at: 'q',
    notes: ['p.h remembers p.y no longer: it begins at its default'],
    later: [
      ['event', 'back'],
      ['event', 'go'],
    ],
    result: 21,
  },
  {
    name: '22-occupied-state-becomes-final',
    before: regions({ one: idle, two: { initial: 'y', states: { y: {} } } }),
    after: regions({
      one: { initial: 'x', states: { x: { type: 'final' } } },
      two: { initial: 'y', states: { y: {} } },
    }),
    at: { p: { one: 'x', two: 'y' } },
    refused: 'FinalChanged',
    plan: { states: { 'p.one.x': 'p.one.x' } },
    result: 0,
  },
  {
    name: '23-held-and-repaired',
    before: file({ a: { on: { go: over('${context.missing}') } } }),
    after: file({ a: { on: { go: over(23) } } }),
    given: [['event', 'go']],
    later: [],
    result: 23,
  },
  {
    name: '24-what-has-passed',
    before: file({ a: { always: { target: 'b', actions: set(1) } }, b: go }),
    after: file({ a: { always: { target: 'b', actions: set(9) } }, b: go }),
    at: 'b',
    result: 1,
  },
  {
    name: '25-raised-later',
    before: file({
      a: { entry: { type: 'raise', params: { type: 'ping', delay: 'PT10S' } }, on: { ping: 'over' } },
    }),
    after: file({ x: { was: 'a', on: { pong: { ...over(25), was: 'ping' } } } }),
    later: [],
    result: 25,
  },
];

export const edits: readonly Edit[] = changed.map((edit) => ({ at: 'a', later: [['event', 'go']], ...edit }));
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
