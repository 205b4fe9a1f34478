// biome-ignore-all lint/suspicious/noAssignInExpressions: each trick is one change.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// Hostile files, made from a seed: one or more tricks change the text of a valid file.

import { fractions } from '../../support/random.ts';

type Draft = Record<string, unknown> & { states: Record<string, Record<string, unknown>> };
type Pick = <Item>(items: readonly Item[]) => Item;

const sound = (): Draft => ({
  name: 'Hostile',
  meaning: 'It means harm.',
  context: { list: Array.from({ length: 300 }, (_, index) => index), text: 'ab'.repeat(400), count: 0 },
  initial: 'a',
  states: { a: { on: { GO: 'b' } }, b: { on: { BACK: 'a' } } },
});

const reach = '__proto__ constructor prototype toString hasOwnProperty valueOf __defineGetter__'.split(' ');

const expressions = (pick: Pick): string =>
  pick([
    `context.list.${'map(x, context.list.'.repeat(3)}map(y, y)${')'.repeat(3)}.size() > 0`,
    `${'context.list.all(x, '.repeat(6)}true${')'.repeat(6)}`,
    `${'context.list.exists(x, '.repeat(8)}false || x.y > 1${')'.repeat(8)}`,
    `context.${pick(reach)} != null`,
    `input["${pick(reach)}"] == 1`,
    `{"${pick(reach)}": 1} != {}`,
    `context.text.matches("(a+)+$")`,
    `context.list.map(x, context.text).join("") != ""`,
    `context.list.map(x, context.list.map(y, context.text).join(""))[0] == ""`,
    `${'('.repeat(200)}1${')'.repeat(200)} == 1`,
    `${'!'.repeat(900)}true`,
    `${'-'.repeat(900)}1 == 1`,
    `[${Array(400).fill('context').join()}] == []`,
    `context.text.contains(context.text + "b") ${'|| context.text.contains(context.text + "b")'.repeat(15)}`,
    `cel.bind(x, context.list, x.map(y, x)) == []`,
    `timestamp(now) > timestamp("2026-01-01T00:00:00Z")`,
    `duration("${'9'.repeat(50)}h") == duration("1h")`,
    'int(context.text) > 0',
    'process.exit(1)',
    'globalThis',
    `this.constructor.constructor("return process")()`,
    'event.output.constructor.constructor',
    'google.protobuf',
    `b"${'x'.repeat(100)}" == b""`,
    `"${'\\u0000'.repeat(50)}" == ""`,
    '1 / 0 == 1',
    'context.count / 0 == 1',
    '9223372036854775807 + 1 > 0',
    `context.list.filter(x, x > ${'9'.repeat(30)}) == []`,
    `${'true ? '.repeat(100)}true${' : false'.repeat(100)}`,
  ]);

const srcs = [
  'Ιssue',
  'Issuе',
  'issue',
  '__proto__',
  'constructor',
  'Hostile',
  'ask ',
  'GetShipmentAccessCode',
  'ConfigureCallback',
  '../Issue',
  'x'.repeat(5_000),
  'callSite',
];

/** Each trick changes a draft, or gives a whole text. */
const tricks: readonly ((draft: Draft, pick: Pick, size: () => number) => string | undefined)[] = [
  (draft, pick) => void (draft.states.a = { always: { guard: `\${${expressions(pick)}}`, target: 'b' } }),
  (draft, pick) =>
    void (draft.states.a = {
      entry: {
        type: 'assign',
        params: { kept: `\${${expressions(pick)}}`, list: '${context.list + context.list}' },
      },
      on: { GO: { target: 'a', reenter: true } },
    }),
  (draft) => void (draft.states = { a: { always: 'b' }, b: { always: 'a' } }),
  (draft) =>
    void (draft.states.a = {
      entry: { type: 'raise', params: { type: 'GO' } },
      on: { GO: { target: 'a', reenter: true } },
    }),
  (draft) =>
    void (draft.states.a = {
      always: { actions: { type: 'assign', params: { text: '${context.text + context.text}' } } },
    }),
  (draft, pick) => void (draft.states.a = { invoke: { src: pick(srcs), input: { request: {} } } }),
  (draft) =>
    void (draft.states.a = {
      invoke: Array.from({ length: 500 }, (_, index) => ({
        id: `i${index}`,
        src: 'Issue',
        input: { request: {} },
      })),
    }),
  (draft, pick) => void (draft.context = { [pick(reach)]: { polluted: true } }),
  (draft, pick) => void (draft.states[pick(reach)] = { on: {} }),
  (draft, pick) =>
    void (draft.states.a = {
      on: {
        [pick([
          '*',
          '__proto__',
          'xstate.init',
          'xstate.error.*',
          '.',
          'a..b',
          `${'a.'.repeat(3_000)}b`,
          '‮GO',
        ])]: 'b',
      },
    }),
  (draft, pick) =>
    void (draft.states.a = {
      after: {
        [pick(
          'P1M|-P1D|PT0S|1|Infinity|NaN|P999999999999D|${null}|${"P1D"}|${context.text}|${later(now, "P999999D")}'.split(
            '|',
          ),
        )]: 'b',
      },
    }),
  (draft, pick) =>
    void (draft.states.a = {
      on: {
        GO: {
          target: pick([
            '#__proto__',
            '#a',
            '..',
            '',
            '.',
            '#Hostile',
            '#Hostile.b',
            'b.c',
            '#(machine)',
            'a'.repeat(9_000),
          ]),
        },
      },
    }),
  (draft, pick) =>
    void (draft.states.a = {
      entry: {
        type: pick('xstate.assign spawnChild enqueueActions stop constructor __proto__ sendTo'.split(' ')),
        params: {},
      },
    }),
  (draft, pick) =>
    void (draft.input = pick<unknown>([
      { $ref: '#' },
      { $ref: 'file:///etc/passwd' },
      { $dynamicRef: '#a' },
      { pattern: '^(a+)+$' },
      { format: 'regex' },
      { properties: JSON.parse('{"__proto__": {"type": "string"}}') },
      7,
    ])),
  (draft, pick) =>
    void (draft.name = pick([
      'Issue',
      'call',
      '__proto__',
      '',
      'a'.repeat(100),
      'Ηostile',
      'CancelShipment',
      '../x',
      'Ho stile',
      'constructor',
    ])),
  (draft, _, size) => {
    let inner: Record<string, unknown> = {};
    for (let level = 0; level < size(); level++) inner = { initial: 's', states: { s: inner } };
    draft.states.a = inner;
    return undefined;
  },
  (draft, _, size) =>
    void (draft.states = Object.fromEntries(
      Array.from({ length: size() * 4 }, (_, index) => [`s${index}`, { always: `s${index + 1}` }]),
    )),
  (draft, pick) =>
    void (draft.states.a = {
      type: pick(['parallel', 'history', 'final', 'compound', 'atomic', 'Parallel']),
      initial: 'x',
      states: { x: {}, y: {} },
      history: 'deep',
      output: { a: '${event}' },
    }),
  (draft, pick) =>
    void (draft.states.a = {
      invoke: {
        src: 'call',
        input: {
          connector: 'c',
          path: pick(['http://evil.example', '//evil.example', '/${input.path}', '/..%2f', '']),
          keep: `\${${expressions(pick)}}`,
          method: 'TRACE',
        },
      },
    }),
  (_, pick, size) =>
    pick([
      `a: &a [x,x]\n${Array.from({ length: size() % 20 }, (_, index) => `b${index}: &b${index} [*a,*a]`).join('\n')}`,
      `${'['.repeat(size() * 400)}`,
      `${'{a: '.repeat(size() * 100)}`,
      `${'- '.repeat(size() * 200)}x`,
      `a: !!js/function "function () { process.exit() }"`,
      `--- !<tag:yaml.org,2002:js/undefined> ''`,
      `<<: [{a: 1}, {b: 2}]`,
      `? {a: {b: c}}\n: d`,
      `%TAG ! tag:evil.example,2000:\n---\n!x {a: 1}`,
      `a: ${'9'.repeat(400)}`,
      `a: 1e400`,
      '\u0000\u0001\u0002',
      '﻿name: Hostile',
      `"${'\\x41'.repeat(2_000)}": 1`,
      `a: |\n${'  x\n'.repeat(9_000)}`,
      `{"a":`.repeat(size() * 50),
      'x'.repeat(70_000),
      `${'a: 1\n'.repeat(3_000)}`,
      '*a',
      '&a *a',
      '',
    ]),
];

export function hostileFiles(count: number, seed = 20261121): string[] {
  const next = fractions(seed);
  const pick: Pick = (items) => items[Math.floor(next() * items.length)] as (typeof items)[number];
  const size = () => 2 + Math.floor(next() * 60);
  return Array.from({ length: count }, (_, index) => {
    const draft = sound();
    const first = tricks[index % tricks.length] as (typeof tricks)[number];
    const own = [first(draft, pick, size), ...(next() < 0.3 ? [pick(tricks)(draft, pick, size)] : [])];
    // A JSON text has keys that an object literal cannot have.
    return (
      own.find((text) => text !== undefined) ?? JSON.stringify(draft).replaceAll('"polluted"', '"__proto__"')
    );
  });
}
