// What is reported of flow files that are published together, however much is wrong with them.
import { expect, test } from 'vitest';
import { checkTexts, contentsOf, type FlowFileText } from '../../client/flow-files/check-texts.ts';

const linesOf = (texts: readonly FlowFileText[]) =>
  checkTexts({ texts, contents: contentsOf(texts), published: [], connectors: null }).lines;

const files = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ path: `flow-${index}.yaml`, text }));

test('of each file the first findings are listed', () => {
  const lines = linesOf(files(3, '"'.repeat(60_000)));
  expect(lines).toHaveLength(3 * 51);
  expect(lines[50]).toMatch(/^flow-0\.yaml: MoreFindings: 29949 more findings are not listed here/);
  expect(lines.at(-1)).toMatch(/^flow-2\.yaml: MoreFindings: /);
});

test('of all files together the first findings are listed, and how many more there are', () => {
  const lines = linesOf(files(50, '"'.repeat(2_000)));
  expect(lines.join('\n').length).toBeLessThan(300_000);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.at(-1)).toMatch(/^\d+ more findings are not listed here; correct the listed ones first$/);
});
