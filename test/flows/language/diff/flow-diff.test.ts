// What `diff` finds between two versions of a flow file: each kind of change, and nothing where the meaning is the same.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
import { expect, test } from 'vitest';
import { comparison } from '../../../../flows/language/diff/flow-diff.ts';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import { fileOf } from '../names.ts';

const file = (more: object): FlowFile =>
  fileOf(JSON.stringify({ name: 'Parcel', meaning: 'Keeps a parcel.', initial: 'kept', ...more }));

/** A file of one state and an end. */
const kept = (state: object, more: object = {}): FlowFile =>
  file({ states: { kept: { on: { fetched: 'over' }, ...state }, over: { type: 'final' } }, ...more });

/** A line for each change, with all that it says. */
const changes = (before: FlowFile, after: FlowFile): string[] =>
  comparison(before, after).changes.map(({ how, state, field, ...values }) =>
    [how, state, field ?? '', JSON.stringify(Object.values(values))].join(' '),
  );

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
    after: { P7D: [ { target: over, reenter: false } ] }
    on:
      fetched: [ { target: "#end" } ]
`.replace('over: { type: final }', 'over: { id: end, type: final }'),
  );
  expect(changes(before, after)).toEqual([]);
  expect(changes(after, before)).toEqual([]);
});

test('a former name that the old file does not have says nothing', () => {
  const again = file({
    initial: 'waiting',
    states: { waiting: { was: 'kept', on: { fetched: 'over' } }, over: { type: 'final' } },
  });
  expect(changes(again, again)).toEqual([]);
});

test('a state is added, removed and renamed by `was`, and what leads to it is no other place', () => {
  const over = { over: { type: 'final' } };
  const one = file({ states: { kept: { on: { fetched: 'over' } }, ...over } });
  const two = file({
    initial: 'waiting',
    states: { waiting: { was: 'kept', on: { fetched: 'over' } }, late: { on: { back: 'waiting' } }, ...over },
  });
  expect(changes(one, two)).toEqual(['renamed waiting  ["kept","waiting"]', 'added late  [null,null]']);
  const three = file({
    initial: 'here',
    states: {
      here: { initial: 'kept', states: { kept: { was: 'waiting', on: { fetched: '#end' } } } },
      over: { id: 'end', type: 'final' },
    },
  });
  expect(changes(two, three)).toEqual([
    'changed  initial ["here.kept","here"]',
    'added here  [null,null]',
    'renamed here.kept  ["waiting","here.kept"]',
    'removed late  [null,null]',
  ]);
});

const add = { type: 'assign', params: { n: '${context.n + 1}' } };
const [high, low] = [
  { guard: '${context.n > 5}', target: 'over' },
  { guard: '${context.n > 1}', target: 'kept' },
];
const mail = { id: 'mail', src: 'call', input: { connector: 'mail', path: '/a' }, onDone: 'over' };

test.each<[what: string, before: object, after: object, expected: string[]]>([
  [
    'a delay',
    { after: { P10D: 'over' } },
    { after: { P7D: 'over' } },
    ['removed kept after.P10D [{"target":"over"},null]', 'added kept after.P7D [null,{"target":"over"}]'],
  ],
  [
    'the name of an event',
    {},
    { on: { collected: { target: 'over', was: 'fetched' } } },
    ['renamed kept on.collected ["fetched","collected"]'],
  ],
  [
    'what a transition does',
    { on: { fetched: 'over' } },
    { on: { fetched: { ...low, actions: add } } },
    [
      'added kept on.fetched.guard [null,"${context.n > 1}"]',
      'changed kept on.fetched.target ["over","kept"]',
      `added kept on.fetched.actions [null,${JSON.stringify(add)}]`,
    ],
  ],
  [
    'one of several transitions',
    { on: { fetched: [high, low] } },
    { on: { fetched: low } },
    [expect.stringMatching(/^changed kept on\.fetched \[\[/) as unknown as string],
  ],
  [
    'an invoke',
    { invoke: mail },
    { invoke: { ...mail, id: 'letter', was: 'mail', input: { ...mail.input, path: '/b' } } },
    ['changed kept invoke.letter.input.path ["/a","/b"]'],
  ],
  [
    'entry, tags and texts',
    { tags: 'a' },
    { tags: ['a', 'b'], entry: add, title: 'Here' },
    [
      'added kept title [null,"Here"]',
      'changed kept tags ["a",["a","b"]]',
      `added kept entry [null,${JSON.stringify(add)}]`,
    ],
  ],
])('%s', (_, before, after, expected) => {
  expect(changes(kept(before), kept(after)).toSorted()).toEqual(expected.toSorted());
});

test('context, request and result are compared by their fields', () => {
  const text = { type: 'string' };
  const before = kept({}, { context: { n: 0 }, input: { properties: { a: text } }, output: 'x' });
  const after = kept(
    {},
    {
      context: { n: '' },
      input: { properties: { a: text, b: text } },
    },
  );
  expect(changes(before, after)).toEqual([
    'changed  context.n [0,""]',
    'added  input.properties.b [null,{"type":"string"}]',
    'removed  output ["x",null]',
  ]);
});
