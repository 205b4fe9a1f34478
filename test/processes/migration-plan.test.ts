// The plan of a migration: what a dry run writes, a gap for everything that a plan has to say, and how one is read.
import { expect, test } from 'vitest';
import { parsedText } from '../../flows/language/reading/yaml.ts';
import { planIn, planWithGaps } from '../../processes/migration-plan.ts';

const group = (code: string, at: string) => ({
  code,
  at,
  reason: `${code} of ${at}`,
  remedy: 'say what it is',
  outcome: 'needsPlan' as const,
  count: 3,
  example: 'parcel-1',
});

test('each gap stands in its part, under its name', () => {
  const text = planWithGaps([
    group('StateRemoved', 'lent.asked'),
    group('FinalChanged', 'returned'),
    group('InvokeRemoved', 'loan'),
    group('ContextUnknown', 'context.shelf'),
    group('InputUnknown', 'input.desk'),
    group('TimerUnclear', "lent opens('desk')"),
    group('TimerOverdue', 'lent'),
  ]);
  expect(parsedText(text ?? '').data).toEqual({
    states: { 'lent.asked': 'TODO', returned: 'TODO' },
    invokes: { loan: 'TODO' },
    timers: { "lent opens('desk')": 'TODO' },
    context: { shelf: 'TODO' },
    input: { desk: 'TODO' },
    overdue: 'TODO',
  });
});

test('what may be said in more than one way is a comment with its remedy', () => {
  const text = planWithGaps([group('Stranded', 'kept')]);
  expect(text).toBe('# 3: Stranded of kept.\n#   say what it is\n');
});

test('a gap that several groups have is there once', () => {
  const text = planWithGaps([group('StateRemoved', 'kept'), group('StateRemoved', 'kept')]);
  expect(text?.match(/"kept": TODO/g)).toHaveLength(1);
});

test('nothing that a plan could say is no plan', () => {
  expect(planWithGaps([{ ...group('StatesExclude', 'kept'), outcome: 'refused' }])).toBeNull();
});

test('a plan is read without its empty parts, and comments alone are an empty one', () => {
  expect(planIn('states: { kept: waiting }\ncontext:\noverdue: { grace: 60000 }\n')).toEqual({
    states: { kept: 'waiting' },
    overdue: { grace: 60_000 },
  });
  expect(planIn('# nothing yet\n')).toEqual({});
});

test.each([
  ['states: { kept: TODO }', 'it still has gaps: replace each TODO'],
  ['state: { kept: waiting }', 'state'],
  ['states: [ kept ]', 'states'],
  ['overdue: later', 'overdue must be now, keep, or { grace: milliseconds }'],
  ['leave: kept', 'leave'],
  ['states: { kept: ', 'cannot be read as YAML'],
  ['- kept', 'it is not a map'],
])('%s is refused with its reason', (text, expected) => {
  expect(() => planIn(text)).toThrow(expected);
});

test('a plan is limited in size, and an error in its words', () => {
  expect(() => planIn(`# ${'x'.repeat(32_768)}`)).toThrow('it is 32770 bytes long, expected at most 32768');
  let words = '';
  try {
    planIn('"'.repeat(32_000));
  } catch (error) {
    words = (error as Error).message;
  }
  expect(words).toContain('15949 more findings are not listed here');
  expect(words.length).toBeLessThan(10_000);
});

const long = 'q'.repeat(30_000);
test.each([
  ['an alias', `states: *${long}`],
  ['a tag', `states: !${long} kept`],
  ['a tag that cannot be resolved', `states: !a!${long} kept`],
  ['a block', `states: |${long}\n kept`],
  ['a name', `states: { kept: "${long}" }`],
])('the error of %s that is as long as the plan quotes how it begins', (_, text) => {
  expect(() => planIn(text)).toThrow(/^the plan cannot be used: .{1,1500}$/);
});
