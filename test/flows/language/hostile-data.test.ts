// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// Data from outside may have any name, also those that every object of JavaScript has: expressions read and give it as it is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from '../../../flows/language/expressions/cost.ts';
import { answerEnvironment } from '../../../flows/language/expressions/language.ts';
import { template } from '../../../flows/language/expressions/template.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { atSizes } from '../../support/suite.ts';
import { fileOf } from './names.ts';

const inherited = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

/** JSON as text: it is what comes in, and no name of it is set by a program. */
const { json } = fc.letrec<{ json: string; list: string; map: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', '0', '-1.5', '1e300', '"text"', '""', '[]', '{}'),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
  map: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...inherited), fc.string({ maxLength: 4 })), tie('json')), {
      maxLength: 4,
    })
    .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
}));

const evaluated = (source: string, data: Json): Json =>
  template(source, 'here')({ input: data, context: { data }, event: { type: 'GO', data } }, new Budget());

atSizes({ short: 300, long: 20_000 }, (numRuns, seed) =>
  test('any JSON passes through an expression unchanged', () => {
    fc.assert(
      fc.property(json, (text) => {
        const data = JSON.parse(text) as Json;
        for (const source of ['${event.data}', '${context.data}', '${input}'])
          expect(JSON.stringify(evaluated(source, data))).toBe(JSON.stringify(data));
        expect(JSON.stringify(evaluated('${[event.data].map(each, {"it": each})}', data))).toBe(
          JSON.stringify([{ it: data }]),
        );
        expect(evaluated('${event.data == context.data && event.data in [input]}', data)).toBe(true);
        const kept = template('${body}', 'keep', { environment: answerEnvironment });
        expect(JSON.stringify(kept({ status: 200, headers: {}, body: data }, new Budget()))).toBe(
          JSON.stringify(data),
        );
      }),
      { seed, numRuns },
    );
  }),
);

test.each<[string, string, Json]>([
  // A field is read beside any other, and by any name.
  ['{"constructor": 1, "a": {"b": 2}}', '${event.data.a.b + event.data.constructor}', 3],
  ['{"constructor": {"constructor": [7]}}', '${event.data.constructor.constructor[0]}', 7],
  ['{"constructor": 1}', '${has(event.data.constructor) && !has(event.data.other)}', true],
  ['{"constructor": 1}', '${event.data.?other.orValue("none")}', 'none'],
  ['{"constructor": 1, "b": 2}', '${event.data.map(name, name)}', ['constructor', 'b']],
  ['{"constructor": 1, "b": 2}', '${size(event.data) + event.data.size()}', 4],
  ['[{"of": 2, "constructor": 1}, {"of": 1}]', '${event.data.sort("of").map(each, each.of)}', [1, 2]],
  ['{"hasOwnProperty": 1, "toString": 2}', '${"toString" in event.data ? event.data.toString : 0}', 2],
  // What is only inherited is not there.
  ['{"a": 1}', '${"constructor" in event.data || has(event.data.toString)}', false],
  ['{"__proto__": {}}', '${event.data == {"approved": true}}', false],
  ['{"__proto__": {}}', '${event.data != {"approved": true}}', true],
  ['[{"__proto__": {}}]', '${event.data[0] in [{"approved": true}] || event.data == [{"a": 1}]}', false],
  ['{"constructor": 1}', '${event.data == {"approved": true}}', false],
])('of %s %s is %j', (text, source, value) => {
  expect(evaluated(source, JSON.parse(text) as Json)).toEqual(value);
});

test('a process that reads one field of an event is not halted by another, and keeps it whole', () => {
  const player = new Player(
    fileOf(`
name: Counting
meaning: A test.
context: { sum: 0, last: null }
initial: counting
states:
  counting:
    on:
      add:
        guard: "\${event.data.amount > 0}"
        actions: { type: assign, params: { sum: "\${context.sum + event.data.amount}", last: "\${event.data}" } }
      stop: over
  over: { type: final }
output: "\${context.last}"
`),
  );
  for (const text of [
    '{"amount": 2, "constructor": "x"}',
    '{"amount": 1, "__proto__": {"a": {"constructor": 1}}}',
  ])
    player.send('add', JSON.parse(text) as Json);
  player.send('stop');
  expect(player.context.sum).toBe(3);
  expect(JSON.stringify(player.output)).toBe('{"amount":1,"__proto__":{"a":{"constructor":1}}}');
});
