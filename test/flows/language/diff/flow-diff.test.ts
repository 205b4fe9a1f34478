// What `diff` finds between two versions of a flow file: each kind of change, and nothing where the meaning is the same.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { expect, test } from 'vitest';
import { comparison } from '../../../../flows/language/diff/flow-diff.ts';
import type { FlowFile, JsonObject } from '../../../../flows/language/flow-file.ts';
import { fileOf } from '../names.ts';

const file = (more: object): FlowFile =>
  fileOf(JSON.stringify({ name: 'Parcel', meaning: 'Keeps a parcel.', initial: 'kept', ...more }));

/** A file of one state and an end. */
const kept = (state: object, more: object = {}): FlowFile =>
  file({ states: { kept: { on: { fetched: 'over' }, ...state }, over: { type: 'final' } }, ...more });

const FIELDS = ['state', 'name', 'field', 'before', 'after'] as const;

/** A line for each change, with all that it says. */
const changes = (before: FlowFile, after: FlowFile): string[] =>
  comparison(before, after).changes.map((change) => {
    const said = FIELDS.filter((field) => change[field] !== null);
    return [
      change.part,
      change.how,
      ...said.map((field) => `${field}=${JSON.stringify(change[field])}`),
    ].join(' ');
  });

const ask = (input: object, more: object = {}): FlowFile =>
  kept({ invoke: { id: 'desk', src: 'ask', input: { of: 'desk', question: 'There?', ...input }, ...more } });

test('comments, formatting, the order of keys and short forms are no difference', () => {
  const before = fileOf(`
name: Parcel
meaning: Keeps a parcel.
context: { a: 1, b: 2 }
initial: kept
states:
  kept: { on: { fetched: over }, after: { P7D: over }, tags: waits }
  over: { type: final }
`);
  const after = fileOf(
    `
# Kept for a week.
meaning: Keeps a parcel.
name: Parcel
initial: kept
context:
  b: 2
  a: 1
states:
  over: { type: final }
  kept:
    type: atomic
    tags: [waits]
    after: { P1W: [ { target: over, reenter: false } ] }
    on:
      fetched: [ { target: "#end" } ]
`.replace('over: { type: final }', 'over: { id: end, type: final }'),
  );
  expect(changes(before, after)).toEqual([]);
  expect(changes(after, before)).toEqual([]);
});

test('a state is added, removed, renamed by `was`, and moved', () => {
  const over = { over: { type: 'final' } };
  const one = file({ states: { kept: { on: { fetched: 'over' } }, ...over } });
  const two = file({
    initial: 'waiting',
    states: { waiting: { was: 'kept', on: { fetched: 'over' } }, late: { on: { fetched: 'over' } }, ...over },
  });
  expect(changes(one, two)).toEqual([
    'state renamed state="waiting" before="kept" after="waiting"',
    'state added state="late"',
  ]);
  const three = file({
    initial: 'here',
    states: {
      here: {
        initial: 'kept',
        states: { kept: { was: 'waiting', on: { fetched: '#end' } } },
      },
      over: { id: 'end', type: 'final' },
    },
  });
  expect(changes(two, three)).toEqual([
    'state added state="here"',
    'state moved state="here.kept" before="waiting" after="here.kept"',
    'state removed state="late"',
    'initial changed state="" before="waiting" after="here"',
  ]);
});

test('a former name that the old file does not have says nothing', () => {
  const again = file({
    initial: 'waiting',
    states: { waiting: { was: 'kept', on: { fetched: 'over' } }, over: { type: 'final' } },
  });
  expect(changes(again, again)).toEqual([]);
});

test('calendars and schedules differ field by field', () => {
  const weekly = { cron: '0 8 * * MON', zone: 'UTC' };
  const desk = { zone: 'UTC', hours: { 'MON-FRI': '08:00-17:00' } };
  const [before, after] = [
    kept({}, { schedules: { weekly }, calendars: { desk } }),
    kept({}, { schedules: { weekly: { ...weekly, cron: '0 9 * * MON' } }, calendars: { desk, night: desk } }),
  ];
  expect(changes(before, after)).toEqual([
    expect.stringMatching(/^calendar added state="" name="night" after=\{"zone":"UTC"/),
    'schedule changed state="" name="weekly" field="cron" before="0 8 * * MON" after="0 9 * * MON"',
  ]);
});

test('delays are longer or shorter, also where their text alone says so', () => {
  expect(changes(kept({ after: { P10D: 'over' } }), kept({ after: { P7D: 'over' } }))).toEqual([
    'delay changed state="kept" name="P7D" before="P10D" after="P7D"',
  ]);
  const expression = kept({ after: { '${context.until}': 'over' } }, { context: { until: 'P1D' } });
  const other = kept({ after: { '${context.due}': 'over' } }, { context: { due: 'P1D' } });
  expect(changes(expression, other)).toEqual([
    'delay changed state="kept" name="${context.due}" before="${context.until}" after="${context.due}"',
    'context removed state="" name="until" before="P1D"',
    'context added state="" name="due" after="P1D"',
  ]);
  expect(changes(kept({}), kept({ after: { P1D: 'over' } }))).toEqual([
    'delay added state="kept" name="P1D"',
  ]);
});

test('an event is renamed, added and removed; its guard, target, actions and their order change', () => {
  const with_ = (on: object) =>
    file({ context: { n: 0 }, states: { kept: { on }, lost: { on }, over: { type: 'final' } } });
  const only = (on: object) =>
    file({
      context: { n: 0 },
      states: { kept: { on }, lost: { on: { found: 'kept' } }, over: { type: 'final' } },
    });
  expect(
    changes(with_({ fetched: 'over' }), with_({ collected: { target: 'over', was: 'fetched' } })),
  ).toEqual([
    'event renamed state="kept" name="collected" before="fetched" after="collected"',
    'event renamed state="lost" name="collected" before="fetched" after="collected"',
  ]);
  const add = { type: 'assign', params: { n: '${context.n + 1}' } };
  expect(
    changes(
      only({ fetched: 'over' }),
      only({ fetched: { target: 'lost', guard: '${context.n > 1}', actions: add }, more: 'over' }),
    ),
  ).toEqual([
    'guard added state="kept" name="on fetched" after="${context.n > 1}"',
    'target changed state="kept" name="on fetched" before="over" after="lost"',
    'actions changed state="kept" name="on fetched" before=[] after=[{"type":"assign","params":{"n":"${context.n + 1}"}}]',
    'event added state="kept" name="more"',
  ]);
  const [high, low] = [
    { guard: '${context.n > 5}', target: 'over' },
    { guard: '${context.n > 1}', target: 'lost' },
  ];
  expect(changes(only({ fetched: [high, low] }), only({ fetched: [low, high] }))).toEqual([
    'order changed state="kept" name="on fetched"',
  ]);
  expect(changes(only({ fetched: [high, low] }), only({ fetched: [low] }))).toEqual([
    'transition removed state="kept" name="on fetched" before="over"',
  ]);
});

test('what a state invokes: its source, its id, its input, and what follows', () => {
  const invoke = (given: object) => kept({ invoke: given });
  const one = {
    id: 'mail',
    src: 'call',
    input: { connector: 'mail', method: 'POST', path: '/a' },
    onDone: 'over',
  };
  expect(
    changes(
      invoke(one),
      invoke({
        ...one,
        id: 'letter',
        was: 'mail',
        input: { ...one.input, path: '/b' },
        onDone: undefined,
        onError: 'over',
      }),
    ),
  ).toEqual([
    'invoke renamed state="kept" name="letter" before="mail" after="letter"',
    'invokeInput changed state="kept" name="letter" field="path" before="/a" after="/b"',
    'answer added state="kept" name="letter failed"',
    'answer removed state="kept" name="mail done"',
  ]);
  expect(changes(kept({}), invoke(one))).toEqual([
    'invoke added state="kept" name="mail" after="call"',
    'answer added state="kept" name="mail done"',
  ]);
});

test('a question differs by its own keys and by each of its fields', () => {
  const before = ask({ within: 'P3D', fields: { there: { type: 'yesNo' } } });
  const wider = ask({
    of: 'store',
    within: 'P1D',
    fields: { there: { type: 'yesNo' }, why: { type: 'text', optional: true } },
  });
  expect(changes(before, wider)).toEqual([
    'question changed state="kept" name="desk" field="of" before="desk" after="store"',
    'question changed state="kept" name="desk" field="within" before="P3D" after="P1D"',
    'question added state="kept" name="desk" field="fields.why" after={"type":"text","optional":true}',
  ]);
  const narrower = ask({ within: 'P3D', fields: { there: { type: 'text' } } });
  expect(changes(before, narrower)).toEqual([
    'question changed state="kept" name="desk" field="fields.there" before={"type":"yesNo"} after={"type":"text"}',
  ]);
});

test('context, request and result are compared by their fields', () => {
  const input = (more: object) => ({ type: 'object', ...more });
  const text = { type: 'string' };
  const before = kept({}, { context: { n: 0 }, input: input({ properties: { a: text } }), output: 'x' });
  const after = kept(
    {},
    { context: { n: '' }, input: input({ required: ['a', 'b'], properties: { a: text, b: text } }) },
  );
  expect(changes(before, after)).toEqual([
    'context changed state="" name="n" before=0 after=""',
    'input changed state="" name="a" before={"required":false,"schema":{"type":"string"}} after={"required":true,"schema":{"type":"string"}}',
    'input added state="" name="b" after={"required":true,"schema":{"type":"string"}}',
    'result removed state="" before="x"',
  ]);
});

test('kind, entry, exit, initial, history and texts of a state', () => {
  const log = (text: string): JsonObject => ({ type: 'log', params: { message: text } });
  const one = file({
    initial: 'box',
    states: {
      box: {
        initial: 'a',
        states: { a: { on: { go: 'b' } }, b: {}, back: { type: 'history' } },
        on: { out: 'over' },
      },
      over: { on: { again: 'box.back', end: 'done' } },
      done: { type: 'final' },
    },
  });
  const two = file({
    initial: 'box',
    states: {
      box: {
        initial: 'b',
        states: { a: { on: { go: 'b' } }, b: {}, back: { type: 'history', history: 'deep', target: 'a' } },
        on: { out: 'over' },
        entry: log('in'),
        exit: log('out'),
      },
      over: { on: { again: 'box.back', end: 'done' }, description: 'Nobody is there.' },
      done: { type: 'final' },
    },
  });
  expect(changes(one, two)).toEqual([
    'initial changed state="box" before="box.a" after="box.b"',
    'entry changed state="box" before=[] after=[{"type":"log","params":{"message":"in"}}]',
    'exit changed state="box" before=[] after=[{"type":"log","params":{"message":"out"}}]',
    'history changed state="box.back" before="shallow" after="deep, else box.a"',
    'text added state="over" name="description" after="Nobody is there."',
  ]);
});
