// The example flow files: each is valid, `lint` finds nothing in it, its stories hold, and they visit every state.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { isAllowed, partsOfPath } from '../../../activities/connectors/request-url.ts';
import { invokeSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile, Json } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { inputIssues } from '../../../flows/language/reading/input-schema.ts';
import { flowFileSchema } from '../../../flows/language/reading/json-schema.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { invokesOf, nodesOf, workOf } from '../../../flows/language/reading/walk.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { type StoryFile, storyFileProblems } from '../../../flows/simulation/story-file.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { namesForTests } from './names.ts';

const folder = join(import.meta.dirname, '../../../docs/examples/flow-files');
const names = (await readdir(folder)).filter((name) => name.endsWith('.flow.yaml'));

async function read(name: string): Promise<{ file: FlowFile; stories: StoryFile }> {
  const text = (path: string) => readFile(join(folder, path), 'utf8');
  const { file, findings } = readFlowFile(await text(name), namesForTests);
  expect(findings).toEqual([]);
  const { data, findings: wrong } = parsedText(await text(name.replace('.flow.', '.stories.')));
  expect([...wrong, ...storyFileProblems(data)]).toEqual([]);
  return { file: file as FlowFile, stories: data as unknown as StoryFile };
}

test('there are six', () => expect(names).toHaveLength(6));

/** Those beside the examples. */
const { connectors } = readConnectors(
  await readFile(join(folder, '../connectors/connectors.yaml'), 'utf8'),
  () => 'https://chat.example/a-secret',
);

const validate = new Ajv({ strict: false }).compile(flowFileSchema(flowTypes));

describe.each(names)('%s', (name) => {
  test('names the schema of flow files for editors, which takes it', async () => {
    const text = await readFile(join(folder, name), 'utf8');
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../docs/flow-file.schema.json');
    validate(parsedText(text).data);
    expect(validate.errors).toBeNull();
  });

  test('lint finds nothing', async () => {
    const invocables = { builtIn: flowTypes, schemasOf: invokeSchemas, published: [] };
    expect(lintFindings((await read(name)).file, { invocables })).toEqual([]);
  });

  test('its calls are allowed by the connectors beside the examples', async () => {
    const works = nodesOf((await read(name)).file)
      .flatMap(invokesOf)
      .map(workOf);
    for (const { invoke } of works.filter(({ invoke: { src } }) => src === 'call')) {
      const { connector, method = 'GET', path } = invoke.input as Record<string, string>;
      const { allow } = connectors.find((each) => each.name === connector) ?? {};
      expect(allow && isAllowed(allow, method, partsOfPath(path ?? '')), `${method} ${path}`).toBe(true);
    }
  });

  test('its stories are as told', async () => {
    const { file, stories } = await read(name);
    for (const story of stories.stories) {
      expect(inputIssues(file.input, story.given?.input ?? {})).toEqual([]);
      expect(play(file, story, { schemasOf: invokeSchemas })).toEqual({ story: story.story, problems: [] });
    }
  });

  test('its stories visit every state', async () => {
    const { file, stories } = await read(name);
    const told = JSON.stringify(stories);
    const leaves = nodesOf(file).filter(({ state }) => state.states === undefined);
    expect(leaves.map(({ keys }) => keys.join('.')).filter((path) => !told.includes(`"${path}"`))).toEqual(
      [],
    );
  });
});

const sound = { name: 'A', meaning: 'A test.', initial: 'a', states: { a: {} } };

const booking = (input: Json): Json => ({ ...sound, states: { a: { invoke: { src: 'book', input } } } });

test.each<[string, Json]>([
  ['a field that is none', { ...sound, sates: {} }],
  ['a missing meaning', { name: 'A', states: {} }],
  ['a type of state that is none', { ...sound, states: { a: { type: 'finall' } } }],
  ['an action that is none', { ...sound, states: { a: { entry: { type: 'asign', params: {} } } } }],
  [
    'a question without an inbox',
    { ...sound, states: { a: { invoke: { src: 'ask', input: { question: 'Well?' } } } } },
  ],
  [
    'a path to elsewhere',
    { ...sound, states: { a: { invoke: { src: 'call', input: { connector: 'c', path: '//x' } } } } },
  ],
  ['a booking without an operation', booking({ request: {} })],
  ['a booking by an operation that books nothing', booking({ operation: 'GetLockers' })],
  [
    'a leg that is done in no state',
    booking({ operation: 'CreateLocalShipmentAsIssue', legs: { issue: { done: ['PickedUp'] } } }),
  ],
])('the schema marks %s', (_, data) => {
  expect(validate(sound)).toBe(true);
  expect(validate(data)).toBe(false);
});
