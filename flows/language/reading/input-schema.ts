// Checks the JSON Schemas (draft 2020-12) of a flow file's input and result, and values against them. Neither the author of a
// schema nor the sender of a value can make a check expensive: patterns run on RE2 in linear time, lengths are checked first,
// and the total work is limited.
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

/** Per schema. Each part of the input is checked against each part of the schema. */
const MAX_PARTS = 500;
/** Per list of `dependentRequired`: Ajv generates code with the whole list for each of its names. */
const MAX_DEPENDENT_NAMES = 100;
/** Characters of generated code in the cache. The largest schema has 12 million. */
const MAX_CACHED_CODE = 16_000_000;
const MAX_CACHED_SCHEMAS = 200;
const MAX_PATTERN_LENGTH = 200;
const MAX_MATCHED_TEXT_LENGTH = 1_000;
/** For all patterns of a schema, compiled: `^[a-z]+$` has 6 instructions, `\d{8}` 10. */
const MAX_INSTRUCTIONS = 2_000;
/** For the request that starts a process, as JSON. It is part of every history. */
const MAX_INPUT_BYTES = 32 * 1024;
/** Values of the schema times values of the request: about a tenth of a second. */
const MAX_CHECKS = 2_000_000;
/** Above this, only the first error is reported: one error per check could exhaust the memory. */
const MAX_CHECKS_WITH_ALL_ERRORS = 50_000;
/** Instructions of patterns times characters of matched text: half a second with the slowest patterns. */
const MAX_MATCHING = 2_000_000;

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

/** A new Ajv instance for each schema, so that schemas share no state. */
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
    // Ignores inherited properties such as `toString`.
    ownProperties: true,
    // Unrolled loops and optimized code take long to compile.
    loopRequired: 2,
    loopEnum: 2,
    code: { optimize: false },
    ...options,
  });
  const matching = new Matching();
  for (const keyword of [patternKeyword(matching), uniqueItemsKeyword])
    ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
  // Only the meta-schema may use these. Without them here, nothing runs them even if our own checks miss one.
  if (!options.validateSchema) for (const keyword of unlimited) ajv.removeKeyword(keyword);
  return { validate: ajv.compile(schema), matching };
}

/**
 * An LRU cache by the schema's content, because each start of a process parses its schema again. Compiling one can take a tenth
 * of a second.
 */
export class CompiledSchemas {
  readonly #kept = new Map<string, Compiled>();

  of(schema: JsonObject, allErrors: boolean): Compiled {
    const content = `${allErrors} ${JSON.stringify(schema)}`;
    const before = this.#kept.get(content);
    const used = before ?? compiled(schema, { allErrors, validateSchema: false });
    this.#kept.delete(content);
    this.#kept.set(content, used);
    if (!before) this.#evictOldest();
    return used;
  }

  #evictOldest(): void {
    const sizes = [...this.#kept].map(
      ([content, { validate }]) => [content, content.length + validate.toString().length] as const,
    );
    let code = sizes.reduce((sum, [, size]) => sum + size, 0);
    for (const [content, size] of sizes) {
      if (this.#kept.size <= MAX_CACHED_SCHEMAS && code <= MAX_CACHED_CODE) return;
      this.#kept.delete(content);
      code -= size;
    }
  }
}

/** Ajv matches names with JavaScript's RegExp, and follows circular references. */
const unlimited = ['patternProperties', '$ref', '$dynamicRef'] as const;

/** Limits the pattern matching of one check. */
class Matching {
  #left = MAX_MATCHING;
  /** Cleared after each check: a compiled pattern caches up to 8 MB. */
  readonly #patterns = new Map<string, RE2JS>();

  begin(): void {
    this.#left = MAX_MATCHING;
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

/** Replaces Ajv's keyword, which uses JavaScript's RegExp even on texts longer than maxLength. */
function patternKeyword(matching: Matching): FuncKeywordDefinition {
  return {
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    errors: false,
    compile(pattern: string, { maxLength }) {
      // Throws if the pattern is invalid.
      compiledPattern(pattern);
      return (text: string) =>
        text.length > 2 * maxLength || [...text].length > maxLength || matching.matches(pattern, text);
    },
    error: { message: ({ schema }) => `must match pattern "${schema}"` },
  };
}

/** Replaces Ajv's keyword, which compares every pair of items even in lists longer than maxItems. */
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

/** Translates JavaScript's syntax, which JSON Schema uses. RE2 rejects patterns that cannot run in linear time. */
function compiledPattern(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/** @param only the keywords that are allowed besides annotations; absent: all */
export function schemaFindings(value: Json, at: At, report: Report, only?: readonly string[]): void {
  if (!isMap(value)) {
    report.find('TypeWrong', at, kindOf(value), 'a JSON Schema, as a map');
    return;
  }
  const before = report.findings.length;
  if (only) checkKeywords(value, at, only, report);
  const { parts, instructions } = checkParts(value, at, report);
  if (parts > MAX_PARTS)
    report.find('SchemaInvalid', at, `a schema of ${parts} parts`, `at most ${MAX_PARTS}`);
  if (instructions > MAX_INSTRUCTIONS)
    report.find(
      'SchemaInvalid',
      at,
      `a schema whose patterns have ${instructions} instructions`,
      `at most ${MAX_INSTRUCTIONS}, with smaller counts in {…}`,
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
 * Validates the request that starts a process. The schema must have no findings.
 * @param schemas a cache, for callers that check many requests against the same schema
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
  if (bytes > MAX_INPUT_BYTES) return [issue(`is ${bytes} bytes long, expected at most ${MAX_INPUT_BYTES}`)];
  if (schema === undefined) return [];
  const checks = sizeOf(schema).values * size.values;
  if (checks > MAX_CHECKS)
    return [issue('has too many values for a schema of this size; send fewer, or let the schema check less')];
  try {
    const allErrors = checks <= MAX_CHECKS_WITH_ALL_ERRORS;
    return errorsOf(schemas.of(schema, allErrors), request).slice(0, 50).map(issueOf);
  } catch (error) {
    if (error instanceof TooMuchMatching)
      return [issue('has too much text for the patterns of its schema; send less, or use simpler patterns')];
    const why = (error as Error).message.split('\n')[0];
    return [issue(`cannot be checked by its schema (${why}); lint the flow file, and publish it again`)];
  }
}

/** Clears the cached validator afterwards, so that it retains nothing of the request. */
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
  /** Maps, and other items that cost a check: the schemas `true` and `false`, the names of `dependentRequired`. */
  readonly parts: number;
  /** RE2 instructions of its patterns. */
  readonly instructions: number;
}

/** Counts the parts of a schema, and reports forbidden keywords and exceeded limits in each. */
function checkParts(schema: JsonObject, at: At, report: Report): Counted {
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
    .map(([part, place]) => checkParts(part, place, report))
    .reduce(sum, own);
}

function checkDependentNames(schema: JsonObject, at: At, report: Report): void {
  for (const keyword of dependentNames) {
    const { [keyword]: dependent } = schema;
    for (const [name, names] of Object.entries(isMap(dependent) ? dependent : {}))
      if (Array.isArray(names) && names.length > MAX_DEPENDENT_NAMES)
        report.find(
          'SchemaInvalid',
          [...at, keyword, name],
          `a list of ${names.length} names`,
          `at most ${MAX_DEPENDENT_NAMES}`,
        );
  }
}

const sum = (one: Counted, other: Counted): Counted => ({
  parts: one.parts + other.parts,
  instructions: one.instructions + other.instructions,
});

/** Keywords whose values are data. */
const dataKeywords: readonly string[] = ['const', 'default', 'enum', 'examples'];
const dependentNames: readonly string[] = ['dependentRequired', 'dependencies'];
/** Keywords whose values map the author's names to schemas: these names are not keywords. */
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
 * Parts of a schema that are not maps: the schemas `true` and `false` in lists and maps, and the names of
 * `dependentRequired`.
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

/** @returns the pattern's size; for an invalid one, the text of what was expected */
function checkedPattern(
  pattern: Json,
  maxLength: Json | undefined,
): { readonly instructions: number } | string {
  if (typeof pattern !== 'string') return 'a text';
  if (!(typeof maxLength === 'number' && maxLength <= MAX_MATCHED_TEXT_LENGTH))
    return `maxLength of at most ${MAX_MATCHED_TEXT_LENGTH} beside it`;
  if (pattern.length > MAX_PATTERN_LENGTH) return `a pattern of at most ${MAX_PATTERN_LENGTH} characters`;
  // RE2JS would translate `\k<name>` to plain text.
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
