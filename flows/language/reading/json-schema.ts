// The JSON Schema of flow files. Editors use it to complete and check a file while its author types. It does not check names,
// targets and expressions: `lint` does. It is made from the same tables as the checks.

import type { JsonObject } from '../flow-file.ts';
import { operationsOfFiles } from '../machine/actor-kinds.ts';
import { actionParams, guardParams } from './action-vocabulary.ts';
import { byKind, expression, oneOrMore, ref, text } from './kinds.ts';
import {
  calendarFields,
  eventFields,
  type Field,
  type Fields,
  fileFields,
  inputFields,
  invokeFields,
  legFields,
  questionFields,
  retryFields,
  scheduleFields,
  startFields,
  stateFields,
  transitionFields,
} from './vocabulary.ts';

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
    anyOf: [{ enum: [...own, ...names] }, { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }],
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
          src: srcOf('book', 'each', 'undo'),
          ...(invoke.properties as JsonObject),
        },
        required: ['src'],
        allOf: (Object.keys(inputFields) as (keyof typeof inputFields)[]).map(inputOf),
      },
      work: {
        type: 'object',
        properties: {
          src: srcOf('book'),
          input: {},
          ...Object.fromEntries(
            Object.entries(invokeFields)
              .filter(([field]) => field === 'retry' || field === 'within')
              .map(([field, each]) => [field, schemaOfField(each)]),
          ),
        },
        required: ['src'],
        additionalProperties: false,
        allOf: [inputOf('ask'), inputOf('book'), inputOf('call')],
      },
      leg: schemaOf(legFields),
      calendar: schemaOf(calendarFields),
      event: schemaOf(eventFields),
      schedule: schemaOf(scheduleFields),
      start: schemaOf(startFields),
      questionField: schemaOf(questionFields),
      retry: schemaOf(retryFields),
    },
  };
}
