// The JSON Schema that a file gives for its input: draft 2020-12, limited in size, and without anything that could hang a
// worker.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { durationMs } from '../duration.ts';
import { instantMs } from '../expressions/moments.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { jsonBytes } from '../machine/context.ts';
import type { At } from './finding.ts';
import { isMap, kindOf, type Report } from './report.ts';

/** Of the whole schema. Each part of the input is checked against each part of the schema. */
const MOST_PARTS = 500;
const LONGEST_MATCHED_TEXT = 1_000;
/** Of the request that starts a process, as JSON. Every history holds it. */
const MOST_INPUT_BYTES = 32 * 1024;

const formats = {
  'date-time': (text: string) => instantMs(text) !== null,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  duration: (text: string) => durationMs(text) !== null,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
};

/** A new validator for each schema, so that nothing of one schema is kept for the next. */
const validator = (): Ajv2020 =>
  new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    formats,
    logger: false,
  });

export function schemaFindings(value: Json, at: At, report: Report): void {
  if (!isMap(value)) {
    report.find('TypeWrong', at, kindOf(value), 'a JSON Schema, as a map');
    return;
  }
  const before = report.findings.length;
  const count = boundedParts(value, at, report);
  if (count > MOST_PARTS)
    report.find('SchemaInvalid', at, `a schema of ${count} parts`, `at most ${MOST_PARTS}`);
  if (report.findings.length > before) return;
  try {
    validator().compile(value);
  } catch (error) {
    report.find('SchemaInvalid', at, `the schema (${(error as Error).message.split('\n')[0]})`);
  }
}

export interface InputIssue {
  /** Such as `request.item`. */
  readonly field: string;
  readonly message: string;
}

/** What is wrong with the request that starts a process. Call it only with a schema that has no findings. */
export function inputIssues(schema: JsonObject | undefined, request: unknown): InputIssue[] {
  const bytes = jsonBytes(request);
  if (bytes > MOST_INPUT_BYTES)
    return [{ field: 'request', message: `is ${bytes} bytes long, expected at most ${MOST_INPUT_BYTES}` }];
  if (schema === undefined) return [];
  const validate = validator().compile(schema);
  return validate(request) ? [] : (validate.errors ?? []).slice(0, 50).map(issueOf);
}

function issueOf({ keyword, instancePath, params, message }: ErrorObject): InputIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'].map((each) => params[each]);
  const property = named.find((each) => typeof each === 'string');
  const field = ['request', ...path, ...(property === undefined ? [] : [String(property)])].join('.');
  if (keyword === 'required') return { field, message: 'is required' };
  if (property !== undefined) return { field, message: 'is not known' };
  const values = keyword === 'enum' ? `: ${JSON.stringify(params.allowedValues)}` : '';
  return { field, message: `${message ?? 'is wrong'}${values}` };
}

const references: readonly string[] = [
  '$ref',
  '$dynamicRef',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  '$vocabulary',
];

/** Counts the maps in a schema, and reports what each of them may not have. */
function boundedParts(schema: JsonObject, at: At, report: Report): number {
  const { pattern, patternProperties, maxLength, uniqueItems, maxItems } = schema;
  for (const key of references)
    if (Object.hasOwn(schema, key))
      report.find('SchemaInvalid', [...at, key], key, 'a schema without references');
  if (patternProperties !== undefined)
    report.find(
      'SchemaInvalid',
      [...at, 'patternProperties'],
      'patternProperties',
      'properties by their names',
    );
  if (pattern !== undefined) {
    const problem = patternProblem(pattern, maxLength);
    if (problem) report.find('SchemaInvalid', [...at, 'pattern'], JSON.stringify(pattern), problem);
  }
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= 1_000))
    report.find('SchemaInvalid', [...at, 'uniqueItems'], 'uniqueItems', 'maxItems of at most 1000 beside it');
  const inner = Object.entries(schema).flatMap(([key, each]) => partsIn(each, [...at, key]));
  return inner.reduce((sum, [part, place]) => sum + boundedParts(part, place, report), 1);
}

function partsIn(value: Json, at: At): [JsonObject, At][] {
  if (isMap(value)) return [[value, at]];
  return Array.isArray(value)
    ? (value as Json[]).flatMap((each, index) => partsIn(each, [...at, index]))
    : [];
}

/**
 * A JavaScript RegExp can run for ever if a part that repeats is within another part that repeats, or if several such parts
 * follow each other.
 */
function patternProblem(pattern: Json, maxLength: Json | undefined): string | undefined {
  if (typeof pattern !== 'string') return 'a text';
  if (!(typeof maxLength === 'number' && maxLength <= LONGEST_MATCHED_TEXT))
    return `maxLength of at most ${LONGEST_MATCHED_TEXT} beside it`;
  if (!pattern.startsWith('^') || pattern.length > 200)
    return 'a pattern that begins with ^, of at most 200 characters';
  const plain = pattern.replaceAll(/\\./gs, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (/\\[1-9k]/.test(pattern) || /\(\?[^:]/.test(plain))
    return 'a pattern without back references and look-around';
  if (/\)[*+{]/.test(plain)) return 'a pattern in which no group repeats';
  const repeats = plain.match(/[*+]|\{\d*,\d*\}/g) ?? [];
  const options = plain.match(/\?/g) ?? [];
  return repeats.length > 2 || options.length > 10
    ? 'a pattern in which at most two parts repeat'
    : undefined;
}
