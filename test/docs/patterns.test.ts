// docs/examples/patterns/: each file is clean, each story holds, and each row of the tables of docs/patterns.md names a file
// that is there.

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invokeSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { yardsticks } from '../../docs/pattern-rows.ts';
import { groups } from '../../docs/patterns.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { lintFindings } from '../../flows/language/lint/lint.ts';
import { inputIssues } from '../../flows/language/reading/input-schema.ts';
import { readFlowFile } from '../../flows/language/reading/read-flow-file.ts';
import { parsedText } from '../../flows/language/reading/yaml.ts';
import { play } from '../../flows/simulation/play-story.ts';
import { type StoryFile, storyFileProblems } from '../../flows/simulation/story-file.ts';

const root = join(import.meta.dirname, '../..');
const patterns = join(root, 'docs/examples/patterns');
const SUFFIX = '.flow.yaml';
const paths = globSync(`*/*${SUFFIX}`, { cwd: patterns })
  .map((path) => path.replaceAll('\\', '/').slice(0, -SUFFIX.length))
  .sort();
const textOf = (path: string) => readFile(join(patterns, path), 'utf8');

const files = new Map<string, FlowFile>();
for (const path of paths) {
  const { file, findings } = readFlowFile(await textOf(`${path}${SUFFIX}`), {
    builtIn: flowTypes,
    published: null,
    connectors: null,
  });
  if (!file) throw new Error(`${path}: ${JSON.stringify(findings)}`);
  files.set(path, file);
}

test('each file has a name of its own, and a page', () => {
  const names = [...files.values()].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const folders = new Set(paths.map((path) => path.slice(0, path.indexOf('/'))));
  expect([...folders].sort()).toEqual(Object.keys(groups).sort());
});

describe.each(paths)('%s', (path) => {
  test('lint finds nothing in it, its stories hold, and programs read of it what they say', async () => {
    const file = files.get(path) as FlowFile;
    const beside = paths.filter((each) => each.startsWith(path.slice(0, path.indexOf('/') + 1)));
    const others = beside.map((each) => files.get(each) as FlowFile);
    const invocables = { builtIn: flowTypes, schemasOf: invokeSchemas, published: [] };
    expect(lintFindings(file, { others, invocables })).toEqual([]);
    const { data, findings } = parsedText(await textOf(`${path}.stories.yaml`));
    expect([...findings, ...storyFileProblems(data)]).toEqual([]);
    const { flow, stories } = data as unknown as StoryFile;
    const folder = path.slice(0, path.indexOf('/'));
    expect(`${folder}/${flow}`).toBe(`${path}${SUFFIX}`);
    for (const story of stories) {
      const { event, input = {} } = story.given ?? {};
      if (event === undefined) expect(inputIssues(file.input, input)).toEqual([]);
      expect(play(file, story, { schemasOf: invokeSchemas })).toEqual({ story: story.story, problems: [] });
    }
  });
});

describe.each(yardsticks)('$title', ({ rows }) => {
  test('each row is there once, and names what runs, or why nothing does', () => {
    const ids = rows.map(({ id, name }) => `${id} ${name}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, support, file, note } of rows) {
      if (file !== undefined) expect(paths, name).toContain(file);
      if (support === 'directly' || support === 'workaround') expect(file, name).toBeDefined();
      if (support !== 'directly') expect(note, name).toBeDefined();
    }
  });
});
