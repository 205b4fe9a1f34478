// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// Expressions of flow files: numbers of JSON, instants as texts, only the allowed names, and a limit of their work.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../../flows/language/expressions/cost.ts';
import { expressionProblem } from '../../../flows/language/expressions/expression.ts';
import {
  ExpressionFailure,
  expressionFailureIn,
  type FailureCode,
  failureRemedies,
  haltRemedies,
} from '../../../flows/language/expressions/failure.ts';
import { template } from '../../../flows/language/expressions/template.ts';
import type { Json } from '../../../flows/language/flow-file.ts';

const scope = {
  input: {
    bids: [
      { of: 'a', price: 2 },
      { of: 'b', price: 2 },
      { of: 'c', price: 1 },
    ],
    item: 'item-1',
    due: '2026-01-10T12:00:00Z',
  },
  context: {
    count: 7,
    price: 1.5,
    list: Array.from({ length: 2_000 }, (_, index) => index),
    long: 'x'.repeat(20_000),
    rest: 'x'.repeat(12_768),
  },
  event: { type: 'GO', data: { state: 'broken' } },
  flow: { key: 'loan-1' },
  now: '2026-01-01T00:00:00.000Z',
};

const evaluate = (value: Json): Json => template(value, 'here')(scope, new Budget());

test.each<[string, Json]>([
  ['${context.count + 1}', 8],
  ['${1 + context.count}', 8],
  ['${context.count / 2}', 3.5],
  ['${context.count % 2 == 1}', true],
  ['${context.price * 2}', 3],
  ['${size(context.list) + context.count}', 2_007],
  ['${context.list[context.count]}', 7],
  ['${context.count in [7, 8]}', true],
  ['${event.data.state == "broken" ? 1 : 2}', 1],
  ['${has(input.spare) ? input.spare : null}', null],
  ['${input.?spare.orValue("none")}', 'none'],
  ['${{"a": [1, true, null]}}', { a: [1, true, null] }],
  ['${later(now, "P2DT1H")}', '2026-01-03T01:00:00.000Z'],
  ['${earlier(input.due, "PT12H")}', '2026-01-10T00:00:00.000Z'],
  ['${isBefore(now, input.due)}', true],
  ['${secondsBetween(now, later(now, "PT1M"))}', 60],
  ['Item ${input.item}: ${context.count} of ${1 + 1}, ${true}', 'Item item-1: 7 of 2, true'],
  ['$${input.item}', '${input.item}'],
  ['${"}" + "{"}', '}{'],
  ['${[context.long, context.rest].join("").size()}', 32_768],
  ['${[1, 2.5, size(context.list)].sum()}', 2_003.5],
  ['${[].sum() == 0 && [1, 2].sum() == 3}', true],
  ['${[context.count, 3, 9].min() + ["b", "a"].min().size()}', 4],
  ['${context.list.max()}', 1_999],
  ['${[3, context.price, 2].sort()}', [1.5, 2, 3]],
  ['${["b", "a"].sort()}', ['a', 'b']],
  ['${input.bids.sort("price").map(bid, bid.of)}', ['c', 'a', 'b']],
  ['${range(3).map(each, each + 1)}', [1, 2, 3]],
  ['${range(context.count)[6]}', 6],
  ['plain', 'plain'],
])('%s is %j', (text, value) => {
  expect(evaluate(text)).toEqual(value);
});

const failures: readonly (readonly [FailureCode, Json, RegExp])[] = [
  ['ExpressionFailed', '${[1, "2"].sum()}', /sum has a text; expected numbers/],
  ['ExpressionFailed', '${[].min()}', /the list is empty; min expected at least one item/],
  ['ExpressionFailed', '${[1, "2"].sort()}', /sort has a text; expected only numbers or only texts/],
  [
    'ExpressionFailed',
    '${input.bids.sort("cost")}',
    /the list has a map; expected maps that have the field cost/,
  ],
  ['ValueTooLarge', '${range(10001).size()}', /range gives a list of 10001 numbers, expected at most 10000/],
  ['ExpressionFailed', '${input.spare}', /No such key: spare/],
  ['ExpressionFailed', '${input.constructor}', /No such key: constructor/],
  ['ExpressionFailed', '${context.toString}', /No such key: toString/],
  ['ExpressionFailed', '${context.count + input.item}', /no such overload/],
  ['ExpressionFailed', '${context.count / 0}', /no finite number/],
  ['ExpressionFailed', '${9223372036854775807 - 1}', /too large for JSON/],
  ['ExpressionFailed', '${later("tomorrow", "P1D")}', /is not an instant/],
  ['ExpressionFailed', '${later("2026-02-30T12:00:00Z", "P1D")}', /is not an instant/],
  ['ExpressionFailed', 'Item ${input.spare}', /No such key/],
  ['ExpressionFailed', 'List ${[1]}', /a list or a map within a text/],
  ['ValueTooLarge', '${context.long + context.long}', /more than 32768 bytes/],
  ['ValueTooLarge', '${context.list.map(x, context.long).join("")}', /join gives/],
  ['ValueTooLarge', '${[context.long, context.rest, "x"].join("").size()}', /join gives a text of 32769/],
  ['TooMuchWork', '${context.list.all(x, context.list.all(y, true))}', /more work/],
  ['TooMuchWork', '${context.list.exists(x, context.list.exists(y, y.z > 1))}', /more work/],
  // The loop has few turns, but each turn makes an error.
  ['TooMuchWork', '${[1, 2, 3, 4].all(x, context.list.exists(y, y.z > 1) || true)}', /more work/],
  ['TooMuchWork', '${[1, 2, 3, 4].all(x, context.list.all(y, (y.z > 1) || true))}', /more work/],
  ['TooMuchWork', '${[1, 2, 3, 4].all(x, context.list.all(y, y.?z.orValue(1) == 1))}', /more work/],
  ['TooMuchWork', '${context.list.map(x, context.list.filter(y, y > x).size()).size()}', /more work/],
  ['TooMuchWork', '${context.list.map(x, context.long.contains(context.long + "y")).size()}', /more work/],
];

test.each(failures)('%s: %s', (code, text, reason) => {
  let thrown: unknown;
  try {
    evaluate(text);
  } catch (error) {
    thrown = error;
  }
  const failure = expressionFailureIn(thrown);
  expect(failure).toMatchObject({ code, path: 'here' });
  expect(failure?.reason).toMatch(reason);
  expect(failure?.message).toContain(failureRemedies[code]);
});

test('what an operator reads of a process that stands still is what docs/operate.md says', async () => {
  const page = await readFile(new URL('../../../docs/operate.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.includes('the step for … cannot be taken')) ?? '';
  const { haltMessage } = new ExpressionFailure({
    code: 'ExpressionFailed',
    path: 'here',
    reason: 'why',
  });
  const verbs = { migrate: 'migrate --key', dropEvent: 'drop-event', giveUp: 'give-up' };
  for (const [action, words] of Object.entries(haltRemedies)) {
    const command = `${verbs[action as keyof typeof verbs]} loan-7 `;
    expect(row.toLowerCase()).toContain(`${words}: \`npx lockerflow ${command}`);
    expect(haltMessage).toContain(`${words} (${action})`);
  }
  expect(haltMessage.indexOf('migrate')).toBeLessThan(haltMessage.indexOf(failureRemedies.ExpressionFailed));
  expect(haltMessage.indexOf(failureRemedies.ExpressionFailed)).toBeLessThan(
    haltMessage.indexOf('dropEvent'),
  );
});

describe('refused before anything runs', () => {
  test.each([
    'context.item.matches("a")',
    'timestamp(now)',
    'duration("1h") == duration("2h")',
    'cel.bind(x, 1, x)',
    'type(1) == int',
    'google',
    'process',
    'b"abc"',
    '1u',
    'size',
    'context.',
    '"a" + 1',
    `${'('.repeat(60)}1${')'.repeat(60)}`,
  ])('%s', (source) => {
    expect(expressionProblem(source)).toEqual(expect.any(String));
  });
});
