// docs/flow-files.md: its files are valid and tested as it says, and no table has gone stale.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invokeSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { lintFindings } from '../../flows/language/lint/lint.ts';
import {
  givenKeys,
  play,
  type StoryFile,
  storyFileProblems,
  thenKeys,
  whenKeys,
} from '../../flows/language/playing/story.ts';
import { readFlowFile } from '../../flows/language/reading/read-flow-file.ts';
import { parsedText } from '../../flows/language/reading/yaml.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = await readFile(join(docs, 'flow-files.md'), 'utf8');

test.each([
  ['flow-files.md', 6],
  ['connectors.md', 1],
])('each file of %s is clean, and its stories are as told', async (name, least) => {
  const texts = [...(await readFile(join(docs, name), 'utf8')).matchAll(/```yaml\n(.*?)```/gs)].map(
    ([, text = '']) => text,
  );
  const flows = texts.filter((text) => text.includes('\nmeaning: '));
  let played = 0;
  for (const flow of flows) {
    const { file, findings } = readFlowFile(flow, { builtIn: flowTypes, published: [], connectors: null });
    if (!file) throw new Error(JSON.stringify(findings));
    const invocables = { builtIn: flowTypes, published: [], schemasOf: invokeSchemas };
    expect(lintFindings(file, { invocables })).toEqual([]);
    // The stories stand behind their file.
    const { data } = parsedText(texts[texts.indexOf(flow) + 1] ?? '');
    if (storyFileProblems(data).length > 0) continue;
    for (const story of (data as unknown as StoryFile).stories) {
      expect(play(file, story)).toEqual({ story: story.story, problems: [] });
      played += 1;
    }
  }
  expect(played).toBeGreaterThanOrEqual(least);
});

test.each([
  ['given', givenKeys],
  ['when', whenKeys],
  ['then', thenKeys],
])('the page describes each key of %s', (part, keys) => {
  const [, rows = ''] = new RegExp(`\\| \`${part}\` \\| \\|\\n(.*?)\\n\\n`, 's').exec(page) ?? [];
  const told = rows
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key));
  expect(told.sort()).toEqual([...keys].sort());
});
