// docs/flow-file.schema.json, which editors use to check flow files: it accepts the examples, and refuses wrong files.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type { Json } from '../../flow-files/flow-file.ts';
import { flowFileSchema } from '../../flow-files/reading/json-schema.ts';
import { parsedText } from '../../flow-files/reading/yaml.ts';

const root = join(import.meta.dirname, '../..');
const schema = flowFileSchema(flowTypes);
const validate = new Ajv({ strict: false }).compile(schema);
const examples = join(root, 'examples/flow-files');

const flows = (await readdir(examples)).filter((name) => name.endsWith('.flow.yaml'));

test.each(flows)('takes %s, which names it for editors', async (name) => {
  const text = await readFile(join(examples, name), 'utf8');
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../docs/flow-file.schema.json');
  validate(parsedText(text).data);
  expect(validate.errors).toBeNull();
});

const sound = { name: 'A', meaning: 'A test.', initial: 'a', states: { a: {} } };

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
])('marks %s', (_, data) => {
  expect(validate(sound)).toBe(true);
  expect(validate(data)).toBe(false);
});
