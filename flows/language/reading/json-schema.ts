// The JSON Schema of flow files. Editors use it to complete and check a file while its author types. It does not check names,
// targets and expressions: `lint` does. It is made from the same tables as the checks.

import { MAX_KEYS } from '../correlation.ts';
import type { JsonObject } from '../flow-file.ts';
import { operationsOfFiles } from '../machine/actor-kinds.ts';
import { HIGHEST_PRIORITY } from '../machine/tasks.ts';
import {
  actionParams,
  type Field,
  type Fields,
  fileFields,
  guardParams,
  inputFields,
  invokeFields,
  type Kind,
  questionFields,
  retryFields,
  stateFields,
  transitionFields,
} from './vocabulary.ts';

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const text: JsonObject = { type: 'string' };
const name: JsonObject = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' };
const expression: JsonObject = {
  type: 'string',
  pattern: '\\$\\{',
  description: 'One CEL expression, and no other text.',
};
const oneOrMore = (item: JsonObject): JsonObject => ({ anyOf: [item, { type: 'array', items: item }] });
const mapOf = (item: JsonObject): JsonObject => ({ type: 'object', additionalProperties: item });

const byKind: Readonly<Record<Kind, JsonObject>> = {
  text,
  title: { type: 'string', minLength: 1, maxLength: 60 },
  boolean: { type: 'boolean' },
  count: { type: 'integer', minimum: 0 },
  name,
  eventName: text,
  former: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)*$' },
  value: {},
  data: { type: 'object' },
  texts: oneOrMore(text),
  choices: { anyOf: [{ type: 'array', items: text }, expression] },
  schema: { type: 'object' },
  states: { type: 'object', propertyNames: name, additionalProperties: ref('state') },
  initial: name,
  target: text,
  targets: oneOrMore(text),
  transitions: ref('transitions'),
  events: mapOf(ref('transitions')),
  delays: mapOf(ref('transitions')),
  delay: text,
  actions: oneOrMore(ref('action')),
  guard: ref('guard'),
  guards: { type: 'array', minItems: 1, items: ref('guard') },
  stateIn: { type: 'string', pattern: '^#' },
  invokes: oneOrMore(ref('invoke')),
  src: text,
  connector: name,
  path: { type: 'string', pattern: '^/(?!/)' },
  keep: {},
  fields: mapOf(ref('questionField')),
  priority: { anyOf: [{ type: 'integer', minimum: 0, maximum: HIGHEST_PRIORITY }, expression] },
  moments: oneOrMore(text),
  retry: ref('retry'),
  refusals: oneOrMore({ anyOf: [name, { type: 'integer', minimum: 400, maximum: 499 }] }),
  duration: { type: 'string', pattern: '^P' },
  factor: { type: 'number', minimum: 1, maximum: 100 },
  positive: { type: 'integer', minimum: 1 },
  correlate: {
    type: 'object',
    propertyNames: name,
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    maxProperties: MAX_KEYS,
  },
  anyDuration: text,
  undo: ref('work'),
  steps: oneOrMore(text),
  do: ref('work'),
  keepOfItem: {},
  enough: { anyOf: [{ type: 'integer', minimum: 0 }, expression] },
  number: { anyOf: [{ type: 'integer', minimum: 1 }, expression] },
  tolerance: { anyOf: [{ type: 'integer', minimum: 0 }, { const: 'all' }, expression] },
  invokeId: text,
  raiseId: text,
};

function schemaOfField({ kind, meaning, values }: Field): JsonObject {
  return { ...byKind[kind], ...(values && { enum: values }), description: meaning };
}

function schemaOf(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([key]) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, field]) => [key, schemaOfField(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const actions: JsonObject[] = Object.entries(actionParams).map(([type, { meaning, params }]) => ({
  type: 'object',
  description: meaning,
  properties: { type: { const: type }, params: params ? schemaOf(params) : { type: 'object' } },
  required: [
    'type',
    ...(params && !Object.values(params).some(({ required }) => required) ? [] : ['params']),
  ],
  additionalProperties: false,
}));

const guards: JsonObject[] = Object.entries(guardParams).map(([type, params]) => ({
  type: 'object',
  properties: { type: { const: type }, params: schemaOf(params) },
  required: ['type', 'params'],
  additionalProperties: false,
}));

const inputOf = (src: keyof typeof inputFields): JsonObject => {
  const isNeeded = Object.values(inputFields[src]).some(({ required }) => required);
  return {
    if: { properties: { src: { const: src } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { input: schemaOf(inputFields[src]) }, ...(isNeeded && { required: ['input'] }) },
  };
};

export function flowFileSchema(flows: readonly string[]): JsonObject {
  const { src, ...rest } = invokeFields;
  const invoke = schemaOf(rest);
  const names = ['ask', 'call', ...flows, ...operationsOfFiles];
  const srcOf = (...own: readonly string[]): JsonObject => ({
    description: src?.meaning ?? '',
    anyOf: [
      { enum: [...own, ...names] },
      { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}(@[1-9]\\d*)?$' },
    ],
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A flow file of lockerflow',
    ...schemaOf(fileFields),
    required: ['name', 'meaning', 'states'],
    $defs: {
      state: schemaOf(stateFields),
      transition: schemaOf(transitionFields),
      transitions: oneOrMore({ anyOf: [text, ref('transition')] }),
      action: { anyOf: actions },
      guard: { anyOf: [expression, ...guards] },
      invoke: {
        ...invoke,
        properties: {
          src: srcOf('each', 'undo'),
          ...(invoke.properties as JsonObject),
        },
        required: ['src'],
        allOf: (Object.keys(inputFields) as (keyof typeof inputFields)[]).map(inputOf),
      },
      work: {
        type: 'object',
        properties: {
          src: srcOf(),
          input: {},
          ...Object.fromEntries(
            Object.entries(invokeFields)
              .filter(([field]) => field === 'retry' || field === 'within')
              .map(([field, each]) => [field, schemaOfField(each)]),
          ),
        },
        required: ['src'],
        additionalProperties: false,
        allOf: [inputOf('ask'), inputOf('call')],
      },
      questionField: schemaOf(questionFields),
      retry: schemaOf(retryFields),
    },
  };
}
