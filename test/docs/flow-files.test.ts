// docs/flow-files.md: its files are valid and tested as it says, and no table has gone stale; the files of docs/connectors.md.
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invokeSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { lintFindings } from '../../flows/language/lint/lint.ts';
import { actionParams } from '../../flows/language/reading/action-vocabulary.ts';
import { readFlowFile } from '../../flows/language/reading/read-flow-file.ts';
import {
  type Fields,
  inputFields,
  invokeFields,
  questionFields,
  retryFields,
} from '../../flows/language/reading/vocabulary.ts';
import { parsedText } from '../../flows/language/reading/yaml.ts';
import { play } from '../../flows/simulation/play-story.ts';
import {
  givenKeys,
  type StoryFile,
  storyFileProblems,
  thenKeys,
  whenKeys,
} from '../../flows/simulation/story-file.ts';

const docs = join(import.meta.dirname, '../../docs');
const page = await readFile(join(docs, 'flow-files.md'), 'utf8');

const checked = (text: string): FlowFile => {
  const { file, findings } = readFlowFile(text, { builtIn: flowTypes, published: [], connectors: null });
  if (!file) throw new Error(JSON.stringify(findings));
  const invocables = { builtIn: flowTypes, published: [], schemasOf: invokeSchemas };
  expect(lintFindings(file, { invocables })).toEqual([]);
  return file;
};

test('each file of the page is clean, and its stories are as told', () => {
  const texts = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);
  const flows = texts.filter((text) => text.includes('\nmeaning: '));
  expect(flows.length).toBeGreaterThan(0);
  for (const flow of flows) {
    const file = checked(flow);
    // The stories stand behind their file.
    const { data } = parsedText(texts[texts.indexOf(flow) + 1] ?? '');
    expect(storyFileProblems(data)).toEqual([]);
    for (const story of (data as unknown as StoryFile).stories)
      expect(play(file, story)).toEqual({ story: story.story, problems: [] });
  }
});

const connectors = join(import.meta.dirname, '../../docs/examples/connectors');

test.each(globSync('*.flow.yaml', { cwd: connectors }))('examples/connectors/%s is clean', async (name) => {
  checked(await readFile(join(connectors, name), 'utf8'));
});

test.each(['flow-files.md', 'connectors.md'])(
  'each fragment of %s has only fields that are known',
  async (name) => {
    const texts = [...(await readFile(join(docs, name), 'utf8')).matchAll(/```yaml\n(.*?)```/gs)].map(
      ([, text = '']) => text,
    );
    const fragments = texts.filter((text) => !/^(?:meaning|stories|connectors):/m.test(text));
    expect(fragments.length).toBeGreaterThan(0);
    for (const fragment of fragments) {
      const { data, findings } = parsedText(fragment);
      expect(findings).toEqual([]);
      expect(unknownFields(data), fragment).toEqual([]);
    }
  },
);

/** By what a map is found under, or by what it has itself: its fields. */
function unknownFields(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(unknownFields);
  if (typeof data !== 'object' || data === null) return [];
  const map = data as Readonly<Record<string, unknown>>;
  const { src, input, params, type } = map;
  return [
    ...('src' in map ? outside(map, invokeFields) : []),
    ...(String(src) in inputFields ? outside(input, inputFields[src as keyof typeof inputFields]) : []),
    ...('params' in map ? outside(params, actionParams[String(type)]?.params ?? {}, type === 'assign') : []),
    ...(map.retry ? outside(map.retry, retryFields) : []),
    ...eachOf(map.fields, questionFields),
    ...Object.values(map).flatMap(unknownFields),
  ];
}

const outside = (map: unknown, fields: Fields, isOpen = false): string[] =>
  isOpen ? [] : Object.keys(map ?? {}).filter((key) => !(key in fields));
/** SetAccount has a list of names. */
const eachOf = (maps: unknown, fields: Fields): string[] =>
  Object.values(typeof maps === 'object' ? (maps ?? {}) : {}).flatMap((map) => outside(map, fields));

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
