// The JSON Schemas of a file: those of its input and its result, draft 2020-12, limited so that neither its author nor the starter
// of a process can make a check long. Patterns run on an engine of linear time, lengths are checked before anything else, and the
// work of a check is limited.
import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { durationMs } from '../duration.ts';
import { instantMs } from '../expressions/moments.ts';
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import { jsonBytes } from '../machine/context.ts';
import type { At } from './finding.ts';
import { isMap, kindOf, type Report } from './report.ts';

/** For the whole schema. Each part of the input is checked against each part of the schema. */
const MOST_PARTS = 500;
/** Of one list of `dependentRequired`: Ajv writes the whole list into the code of each of its names. */
const MOST_DEPENDENT_NAMES = 100;
/** Characters of the code of all compiled schemas that are kept. The largest schema has 12 million. */
const MOST_KEPT_CODE = 16_000_000;
const MOST_KEPT_SCHEMAS = 200;
const LONGEST_PATTERN = 200;
const LONGEST_MATCHED_TEXT = 1_000;
/** For all patterns of a schema, compiled: `^[a-z]+$` has 6 instructions, `\d{8}` 10. */
const MOST_INSTRUCTIONS = 2_000;
/** For the request that starts a process, as JSON. Every history holds it. */
const MOST_INPUT_BYTES = 32 * 1024;
/** Values of the schema times values of the request: about a tenth of a second. */
const MOST_CHECKS = 2_000_000;
/** With more checks only the first error is reported: one for each check could fill the memory. */
const MOST_CHECKS_WITH_ALL_ERRORS = 50_000;
/** Instructions of patterns times characters that they are matched with: half a second of the slowest ones. */
const MOST_MATCHING = 2_000_000;

const formats = {
  'date-time': (text: string) => instantMs(text) !== null,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  duration: (text: string) => durationMs(text) !== null,
  email: /^[^\s@]{1,64}@[^\s@]{1,255}$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
};

interface Compiled {
  readonly validate: ValidateFunction;
  readonly matching: Matching;
}

/** A new validator for each schema, so that nothing of one schema is kept for the next. */
function compiled(
  schema: JsonObject,
  options: { readonly allErrors: boolean; readonly validateSchema: boolean },
): Compiled {
  const ajv = new Ajv2020({
    formats,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    logger: false,
    // Every object inherits `toString` and others, which are no fields of a request.
    ownProperties: true,
    // Code for each name and each value takes long to compile, and so does making code shorter.
    loopRequired: 2,
    loopEnum: 2,
    code: { optimize: false },
    ...options,
  });
  const matching = new Matching();
  for (const keyword of [patternKeyword(matching), uniqueItemsKeyword])
    ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
  // The schema of schemas has them, no schema of ours may. So nothing runs them, whatever a schema got past its checks with.
  if (!options.validateSchema) for (const keyword of unlimited) ajv.removeKeyword(keyword);
  return { validate: ajv.compile(schema), matching };
}

/**
 * By the schema's content, the last used one last: a process is started with a schema that was read anew, and compiling one can take
 * a tenth of a second.
 */
export class CompiledSchemas {
  readonly #kept = new Map<string, Compiled>();

  of(schema: JsonObject, allErrors: boolean): Compiled {
    const content = `${allErrors} ${JSON.stringify(schema)}`;
    const before = this.#kept.get(content);
    const used = before ?? compiled(schema, { allErrors, validateSchema: false });
    this.#kept.delete(content);
    this.#kept.set(content, used);
    if (!before) this.#forgetOldest();
    return used;
  }

  #forgetOldest(): void {
    const sizes = [...this.#kept].map(
      ([content, { validate }]) => [content, content.length + validate.toString().length] as const,
    );
    let code = sizes.reduce((sum, [, size]) => sum + size, 0);
    for (const [content, size] of sizes) {
      if (this.#kept.size <= MOST_KEPT_SCHEMAS && code <= MOST_KEPT_CODE) return;
      this.#kept.delete(content);
      code -= size;
    }
  }
}

/** Ajv runs a RegExp of JavaScript for these names, and follows references in circles. */
const unlimited = ['patternProperties', '$ref', '$dynamicRef'] as const;

/** What one check may match with the patterns of its schema. */
class Matching {
  #left = MOST_MATCHING;
  /** Only for one check: a pattern keeps up to 8 MB of what it has matched. */
  readonly #patterns = new Map<string, RE2JS>();

  begin(): void {
    this.#left = MOST_MATCHING;
    this.#patterns.clear();
  }

  matches(pattern: string, text: string): boolean {
    const expression = this.#patterns.get(pattern) ?? compiledPattern(pattern);
    this.#patterns.set(pattern, expression);
    this.#left -= expression.programSize() * (text.length + 1);
    if (this.#left < 0) throw new TooMuchMatching();
    return expression.test(text);
  }
}

/** Ajv's own runs a RegExp of JavaScript, and also on a text that is too long. */
function patternKeyword(matching: Matching): FuncKeywordDefinition {
  return {
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    errors: false,
    compile(pattern: string, { maxLength }) {
      // Throws if it is no pattern.
      compiledPattern(pattern);
      return (text: string) =>
        text.length > 2 * maxLength || [...text].length > maxLength || matching.matches(pattern, text);
    },
    error: { message: ({ schema }) => `must match pattern "${schema}"` },
  };
}

/** Ajv's own compares each item with each other, and also those of a list that is too long. */
const uniqueItemsKeyword: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  compile:
    (isUnique: boolean, { maxItems }) =>
    (items: readonly Json[]) =>
      !isUnique || items.length > maxItems || new Set(items.map(canonical)).size === items.length,
  error: { message: 'must not have the same item twice' },
};

const canonical = (value: Json): string =>
  JSON.stringify(value, (_, each: Json) =>
    isMap(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );

class TooMuchMatching extends Error {
  override readonly name = 'TooMuchMatching';
}

/** JSON Schema has the patterns of JavaScript; RE2 understands them, unless they need time that is not linear. */
function compiledPattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** @param only the keywords that it may have beside those that check nothing; any unless given */
export function schemaFindings(value: Json, at: At, report: Report, only?: readonly string[]): void {
  if (!isMap(value)) {
    report.find('TypeWrong', at, kindOf(value), 'a JSON Schema, as a map');
    return;
  }
  const before = report.findings.length;
  if (only) checkKeywords(value, at, only, report);
  const { parts, instructions } = boundedParts(value, at, report);
  if (parts > MOST_PARTS)
    report.find('SchemaInvalid', at, `a schema of ${parts} parts`, `at most ${MOST_PARTS}`);
  if (instructions > MOST_INSTRUCTIONS)
    report.find(
      'SchemaInvalid',
      at,
      `a schema whose patterns have ${instructions} instructions`,
      `at most ${MOST_INSTRUCTIONS}, with smaller counts in {…}`,
    );
  if (report.findings.length > before) return;
  try {
    compiled(value, { allErrors: true, validateSchema: true });
  } catch (error) {
    report.find('SchemaInvalid', at, `the schema (${(error as Error).message.split('\n')[0]})`);
  }
}

const annotations: readonly string[] = [
  ...['title', 'description', '$comment', 'default', 'examples', 'deprecated', 'readOnly', 'format'],
];

function checkKeywords(schema: JsonObject, at: At, only: readonly string[], report: Report): void {
  for (const key of Object.keys(schema))
    if (![...only, ...annotations].includes(key))
      report.find('SchemaInvalid', [...at, key], key, `one of ${only.join(', ')}`);
  for (const [part, place] of partsIn(schema, at)) checkKeywords(part, place, only, report);
}

interface InputIssue {
  /** Such as `request.item`. */
  readonly field: string;
  readonly message: string;
}

/**
 * What is wrong with the request that starts a process. Call it only with a schema that has no findings.
 * @param schemas of whoever checks many requests by the same schema
 */
export function inputIssues(
  schema: JsonObject | undefined,
  request: unknown,
  schemas = new CompiledSchemas(),
): InputIssue[] {
  const size = sizeOf(request);
  if (size.depth > bounds.depth)
    return [issue(`has ${size.depth} levels of maps and lists, expected at most ${bounds.depth}`)];
  const bytes = jsonBytes(request);
  if (bytes > MOST_INPUT_BYTES)
    return [issue(`is ${bytes} bytes long, expected at most ${MOST_INPUT_BYTES}`)];
  if (schema === undefined) return [];
  const checks = sizeOf(schema).values * size.values;
  if (checks > MOST_CHECKS)
    return [issue('has too many values for a schema of this size; send fewer, or let the schema check less')];
  try {
    const allErrors = checks <= MOST_CHECKS_WITH_ALL_ERRORS;
    return errorsOf(schemas.of(schema, allErrors), request).slice(0, 50).map(issueOf);
  } catch (error) {
    if (error instanceof TooMuchMatching)
      return [issue('has too much text for the patterns of its schema; send less, or use simpler patterns')];
    const why = (error as Error).message.split('\n')[0];
    return [issue(`cannot be checked by its schema (${why}); lint the flow file, and publish it again`)];
  }
}

/** What is kept holds nothing of the request. */
function errorsOf({ validate, matching }: Compiled, request: unknown): ErrorObject[] {
  matching.begin();
  try {
    validate(request);
    return validate.errors ?? [];
  } finally {
    validate.errors = null;
    matching.begin();
  }
}

const issue = (message: string): InputIssue => ({ field: 'request', message });

/** Every value and key counts, longer texts more. Without recursion: the starter of a process decides how deep it goes. */
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

function issueOf({ keyword, instancePath, params, message }: ErrorObject): InputIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'].map((each) => params[each]);
  const property = named.find((each) => typeof each === 'string');
  const field = ['request', ...path, ...(property === undefined ? [] : [String(property)])].join('.');
  if (params.missingProperty !== undefined) return { field, message: 'is required' };
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

interface Counted {
  /** Maps, and what else is a schema or a rule of its own: `true`, `false`, the names of `dependentRequired`. */
  readonly parts: number;
  /** The instructions of its patterns. */
  readonly instructions: number;
}

/** Counts what is in a schema, and reports what each of its parts may not have. */
function boundedParts(schema: JsonObject, at: At, report: Report): Counted {
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
  const checked = pattern === undefined ? { instructions: 0 } : checkedPattern(pattern, maxLength);
  if (typeof checked === 'string')
    report.find('SchemaInvalid', [...at, 'pattern'], JSON.stringify(pattern), checked);
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= 1_000))
    report.find('SchemaInvalid', [...at, 'uniqueItems'], 'uniqueItems', 'maxItems of at most 1000 beside it');
  checkDependentNames(schema, at, report);
  const own = {
    parts: 1 + partsBesideMaps(schema),
    instructions: typeof checked === 'string' ? 0 : checked.instructions,
  };
  return partsIn(schema, at)
    .map(([part, place]) => boundedParts(part, place, report))
    .reduce(sum, own);
}

function checkDependentNames(schema: JsonObject, at: At, report: Report): void {
  for (const keyword of dependentNames) {
    const { [keyword]: dependent } = schema;
    for (const [name, names] of Object.entries(isMap(dependent) ? dependent : {}))
      if (Array.isArray(names) && names.length > MOST_DEPENDENT_NAMES)
        report.find(
          'SchemaInvalid',
          [...at, keyword, name],
          `a list of ${names.length} names`,
          `at most ${MOST_DEPENDENT_NAMES}`,
        );
  }
}

const sum = (one: Counted, other: Counted): Counted => ({
  parts: one.parts + other.parts,
  instructions: one.instructions + other.instructions,
});

/** Keywords that hold data, and keywords that hold schemas by names of the author's own: such a name is no keyword. */
const dataKeywords: readonly string[] = ['const', 'default', 'enum', 'examples'];
const dependentNames: readonly string[] = ['dependentRequired', 'dependencies'];
const namedSchemas: readonly string[] = [
  ...['properties', 'dependentSchemas', 'definitions', ...dependentNames],
];
/** Lists of names and types, which are checked in a loop. */
const plainLists: readonly string[] = ['required', 'type'];

function partsIn(schema: JsonObject, at: At): [JsonObject, At][] {
  return Object.entries(schema).flatMap(([key, each]): [JsonObject, At][] => {
    if (dataKeywords.includes(key)) return [];
    if (!namedSchemas.includes(key) || !isMap(each)) return mapsIn(each, [...at, key]);
    return Object.entries(each).flatMap(([name, part]) => mapsIn(part, [...at, key, name]));
  });
}

/**
 * What counts as a part of a schema and is no map: the schemas `true` and `false` in lists and by names, and names that depend
 * on one.
 */
function partsBesideMaps(schema: JsonObject): number {
  const counts = Object.entries(schema).map(([key, each]) => {
    if ([...dataKeywords, ...plainLists].includes(key)) return 0;
    if (namedSchemas.includes(key) && isMap(each))
      return Object.values(each).reduce<number>((sum, part) => sum + besideMaps(part), 0);
    return Array.isArray(each) ? besideMaps(each as Json) - 1 : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function besideMaps(value: Json): number {
  if (isMap(value)) return 0;
  return Array.isArray(value)
    ? (value as Json[]).reduce<number>((sum, each) => sum + besideMaps(each), 1)
    : 1;
}

function mapsIn(value: Json, at: At): [JsonObject, At][] {
  if (isMap(value)) return [[value, at]];
  return Array.isArray(value) ? (value as Json[]).flatMap((each, index) => mapsIn(each, [...at, index])) : [];
}

/** Or what was expected. */
function checkedPattern(
  pattern: Json,
  maxLength: Json | undefined,
): { readonly instructions: number } | string {
  if (typeof pattern !== 'string') return 'a text';
  if (!(typeof maxLength === 'number' && maxLength <= LONGEST_MATCHED_TEXT))
    return `maxLength of at most ${LONGEST_MATCHED_TEXT} beside it`;
  if (pattern.length > LONGEST_PATTERN) return `a pattern of at most ${LONGEST_PATTERN} characters`;
  // The engine's translation would read `\k<name>` as plain text.
  if (/(?<!\\)(?:\\\\)*\\[1-9k]/.test(pattern)) return 'a pattern without back references';
  if (/\(\?<?[=!]/.test(pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, 'x')))
    return 'a pattern without lookahead and lookbehind';
  try {
    new RegExp(pattern, 'u');
    return { instructions: compiledPattern(pattern).programSize() };
  } catch (error) {
    return `a pattern that RE2 knows (${(error as Error).message})`;
  }
}
