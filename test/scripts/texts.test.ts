import { expect, test } from 'vitest';
import { problemsOf, textsIn } from '../../scripts/lint/texts.ts';

const FILE = 'console/page/one.tsx';
const found = (source: string) => problemsOf(new Map([[FILE, textsIn(FILE, source)]]));

test('finds what has no translation', () => {
  const { missing, problems } = found(
    'const heard = () => t`not said yet` + t`Up to date` + t`never heard`;',
  );
  expect([...missing.keys()]).toEqual(['not said yet', 'never heard']);
  expect(problems.filter((each) => each.startsWith(FILE))).toEqual([]);
});

test('finds text of the page that nothing renders: between tags, and where people see it in attributes', () => {
  const { problems } = found(
    'const a = () => <p title="How late" class="big" aria-label={t`late`}>Hello {t`late`} <b>–</b></p>;',
  );
  expect(problems.filter((each) => each.startsWith(FILE))).toEqual([
    `${FILE}: “How late” is rendered in no language: write t\`…\``,
    `${FILE}: “Hello” is rendered in no language: write t\`…\``,
  ]);
});

test('finds words in place of a text, within one, and in a row of some', () => {
  const bareIn = (source: string) => textsIn('processes/one.ts', source).bare;
  expect(bareIn('const a = (is) => is ? t`late` : "in time";')).toEqual(['in time']);
  expect(bareIn(`const a = (by) => t\`by \${by ?? "somebody"}\`;`)).toEqual(['somebody']);
  expect(bareIn('const a = () => [[1, t`in a locker`], [2, "failed"]];')).toEqual(['failed']);
  expect(bareIn('const a = () => [["late", t`late`], ["done", t`done`]];')).toEqual([]);
  expect(bareIn('const a = (is) => is ? t`late` : "";')).toEqual([]);
});

test('finds what a server renders before anybody reads', () => {
  const file = 'console/one.ts';
  const source = 'const words = { a: t`late` }; const later = { b: () => t`late` };';
  const { problems } = problemsOf(new Map([[file, textsIn(file, source)]]));
  expect(problems.filter((each) => each.startsWith(file))).toEqual([
    expect.stringContaining('“late” is rendered before anybody reads'),
  ]);
});
