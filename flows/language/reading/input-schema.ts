// Checks the JSON Schemas (draft 2020-12) of a flow file's input, result and events, and requests against them. A flow file may use
// the part of JSON Schema that schema.ts checks.
import { type FlowFile, isMap, type Json, type JsonObject } from '../flow-file.ts';
import { formats } from '../schema.ts';
import { type ValueIssue, valueIssues } from '../value-issues.ts';
import { startFieldsOf } from '../whole-process.ts';
import { type At, jsonKindOf, type Report } from './report.ts';

const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

interface Keyword {
  readonly expected: string;
  isSound(value: Json): boolean;
}

const text: Keyword = { expected: 'a text', isSound: (value) => typeof value === 'string' };
const flag: Keyword = { expected: 'true or false', isSound: (value) => typeof value === 'boolean' };
const number: Keyword = { expected: 'a number', isSound: (value) => typeof value === 'number' };
const count: Keyword = {
  expected: 'a whole number from 0',
  isSound: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const list: Keyword = { expected: 'a list', isSound: (value) => Array.isArray(value) };
const any: Keyword = { expected: 'a value', isSound: () => true };

/** What the value of each keyword may be; those whose values are schemas themselves are in `schemasIn`. */
const keywords: Readonly<Record<string, Keyword>> = {
  type: {
    expected: `one of ${types.join(', ')}, or a list of them`,
    isSound: (value) => [value].flat().every((each) => types.includes(each as string)),
  },
  enum: list,
  const: any,
  properties: { expected: 'a map of JSON Schemas', isSound: isMap },
  required: {
    expected: 'a list of names',
    isSound: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
  additionalProperties: any,
  items: any,
  anyOf: {
    expected: 'a list of JSON Schemas',
    isSound: (value) => Array.isArray(value) && value.length > 0,
  },
  minimum: number,
  maximum: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  format: {
    expected: `one of ${Object.keys(formats).join(', ')}`,
    isSound: (value) => typeof value === 'string' && Object.hasOwn(formats, value),
  },
  /** It names what is sent. */
  item: flag,
  title: text,
  description: text,
  $comment: text,
  default: any,
  examples: list,
  deprecated: flag,
  readOnly: flag,
};

/** What is wrong with a schema of a file. */
export function schemaFindings(schema: Json, at: At, report: Report): void {
  if (!isMap(schema)) {
    report.find('TypeWrong', at, jsonKindOf(schema), 'a JSON Schema, as a map');
    return;
  }
  for (const [key, value] of Object.entries(schema)) checkKeyword(key, value, [...at, key], report);
}

function checkKeyword(key: string, value: Json, at: At, report: Report): void {
  const keyword = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
  if (!keyword) report.find('SchemaInvalid', at, key, `one of ${Object.keys(keywords).join(', ')}`);
  else if (!keyword.isSound(value)) report.find('SchemaInvalid', at, JSON.stringify(value), keyword.expected);
  // `true` and `false` are schemas too.
  else
    for (const [inner, place] of schemasIn(key, value, at))
      if (typeof inner !== 'boolean') schemaFindings(inner, place, report);
}

function schemasIn(key: string, value: Json, at: At): (readonly [Json, At])[] {
  if (key === 'items' || key === 'additionalProperties') return [[value, at]];
  if (key !== 'properties' && key !== 'anyOf') return [];
  return Object.entries(value as JsonObject).map(([name, each]) => [
    each,
    [...at, key === 'anyOf' ? Number(name) : name],
  ]);
}

/** The fields in the argument of a start that its file does not take. */
export function unknownStartFields(file: FlowFile, input: object): ValueIssue[] {
  const known = startFieldsOf(file);
  return Object.keys(input)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, message: `is not known; expected ${known.join(', ')}` }));
}

/** Validates the request that starts a process. The schema must have no findings. */
export const inputIssues = (schema: JsonObject | undefined, request: unknown): ValueIssue[] =>
  valueIssues(schema, request, 'request');
