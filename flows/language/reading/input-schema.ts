// Checks the JSON Schemas (draft 2020-12) of a flow file's input and result, and requests against them. A flow file may use the part
// of JSON Schema that schema.ts checks. Neither the author of a schema nor the sender of a request can make a check expensive: the
// work is limited by the sizes of both.
import { bounds, type FlowFile, isMap, type Json, type JsonObject, startFieldsOf } from '../flow-file.ts';
import { jsonBytes } from '../json-bytes.ts';
import { formats, schemaIssues } from '../schema.ts';
import { type At, kindOf, pathOf, type Report } from './report.ts';

/** For the request that starts a process, as JSON. It is part of every history. */
const MAX_INPUT_BYTES = 32 * 1024;
/** Values of the schema times values of the request: about a tenth of a second. */
const MAX_CHECKS = 2_000_000;
const MAX_ISSUES = 50;

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
    report.find('TypeWrong', at, kindOf(schema), 'a JSON Schema, as a map');
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

export interface InputIssue {
  /** Such as `request.item`. */
  readonly field: string;
  readonly message: string;
}

/** The fields in the argument of a start that its file does not take. */
export function unknownStartFields(file: FlowFile, input: object): InputIssue[] {
  const known = startFieldsOf(file);
  return Object.keys(input)
    .filter((field) => !known.includes(field))
    .map((field) => ({ field, message: `is not known; expected ${known.join(', ')}` }));
}

/** Validates the request that starts a process. The schema must have no findings. */
export function inputIssues(schema: JsonObject | undefined, request: unknown): InputIssue[] {
  const size = sizeOf(request);
  if (size.depth > bounds.depth)
    return [issue(`has ${size.depth} levels of maps and lists, expected at most ${bounds.depth}`)];
  const bytes = jsonBytes(request);
  if (bytes > MAX_INPUT_BYTES) return [issue(`is ${bytes} bytes long, expected at most ${MAX_INPUT_BYTES}`)];
  if (schema === undefined) return [];
  if (sizeOf(schema).values * size.values > MAX_CHECKS)
    return [issue('has too many values for a schema of this size; send fewer, or let the schema check less')];
  const issues: InputIssue[] = [];
  for (const { at, message } of schemaIssues(request as Json, schema, ['request']))
    if (issues.push({ field: pathOf(at), message }) === MAX_ISSUES) break;
  return issues;
}

const issue = (message: string): InputIssue => ({ field: 'request', message });

/** Every value and key counts, longer texts more. Not recursive: the sender decides how deeply a request is nested. */
function sizeOf(value: unknown): { readonly values: number; readonly depth: number } {
  let values = 0;
  let deepest = 0;
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [each, depth] = next;
    values += 1 + (typeof each === 'string' ? each.length / 16 : 0);
    if (typeof each !== 'object' || each === null) continue;
    deepest = Math.max(deepest, depth + 1);
    for (const [key, inner] of Object.entries(each)) {
      if (!Array.isArray(each)) values += 1 + key.length / 16;
      open.push([inner, depth + 1]);
    }
  }
  return { values: Math.ceil(values), depth: deepest };
}
