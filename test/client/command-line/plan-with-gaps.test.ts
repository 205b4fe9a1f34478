// The plan that a dry run of `migrate` writes: a gap for everything that a plan has to say, each once.
import { expect, test } from 'vitest';
import { planWithGaps } from '../../../client/command-line/verbs/flow-files/migrate.ts';
import { parsedText } from '../../../flow-files/reading/yaml.ts';

const group = (code: string, at: string) => ({
  ...{ code, at, reason: `${code} of ${at}`, remedy: 'say what it is' },
  ...{ outcome: 'needsPlan' as const, count: 3, example: 'parcel-1' },
});

test('each gap stands in its part, under its name', () => {
  const text = planWithGaps([
    group('StateRemoved', 'lent.asked'),
    group('FinalChanged', 'returned'),
    group('InvokeRemoved', 'loan'),
    group('ContextUnknown', 'context.shelf'),
    group('InputUnknown', 'input.desk'),
    group('TimerOverdue', 'lent'),
  ]);
  expect(parsedText(text).data).toEqual({
    states: { 'lent.asked': 'TODO', returned: 'TODO' },
    invokes: { loan: 'TODO' },
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
  expect(text.match(/"kept": TODO/g)).toHaveLength(1);
});
