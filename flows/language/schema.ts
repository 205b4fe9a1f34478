// Checks a value against the part of JSON Schema that flow files may use, for `input` and `result`. It needs no library: a process
// checks its result in its last step, and replays with it. reading/input-schema.ts lets nothing else into a file.
import { durationMs, instantMs } from './duration.ts';
import type { Json, JsonObject } from './flow-file.ts';

export interface SchemaIssue {
  /** Such as `request.item`. */
  readonly field: string;
  readonly message: string;
}

/** Formats of texts. Each is checked in a time that grows with the length of the text alone. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => instantMs(text) !== null,
  date: (text) => /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text),
  duration: (text) => durationMs(text) !== null,
  email: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
};

/** The places where the value is not what the schema says, one after the other: a value may have a thousand of them. */
export function* schemaIssues(
  value: Json,
  schema: Json | undefined,
  field: string,
): Generator<SchemaIssue, undefined> {
  if (schema === false) yield { field, message: 'is not allowed' };
  if (!isMap(schema)) return undefined;
  const message = kindProblem(value, schema) ?? sizeProblem(value, schema);
  if (message !== undefined) yield { field, message };
  else {
    yield* alternativeIssues((schema.anyOf ?? []) as readonly Json[], value, field);
    if (Array.isArray(value))
      for (const [index, each] of (value as Json[]).entries())
        yield* schemaIssues(each, schema.items, `${field}.${index}`);
    else if (isMap(value)) yield* fieldIssues(value, schema, field);
  }
}

/** The first problem, in words; undefined if there is none. */
export function resultProblem(value: Json, schema: Json): string | undefined {
  const { value: first } = schemaIssues(value, schema, 'output').next();
  return first && `${first.field} ${first.message}`;
}

/** That of the first alternative, if the value fits none. Each is looked at once: they may be within each other. */
function alternativeIssues(alternatives: readonly Json[], value: Json, field: string): SchemaIssue[] {
  const [first] = alternatives;
  const { value: issue } = schemaIssues(value, first, field).next();
  if (!issue) return [];
  const fitsOther = alternatives.slice(1).some((each) => schemaIssues(value, each, field).next().done);
  return fitsOther ? [] : [issue];
}

function* fieldIssues(
  value: JsonObject,
  { properties = {}, required = [], additionalProperties }: JsonObject,
  field: string,
): Generator<SchemaIssue, undefined> {
  const known = properties as JsonObject;
  for (const name of required as readonly string[])
    if (!Object.hasOwn(value, name)) yield { field: `${field}.${name}`, message: 'is required' };
  for (const [name, each] of Object.entries(value)) {
    if (Object.hasOwn(known, name)) yield* schemaIssues(each, known[name], `${field}.${name}`);
    else if (additionalProperties === false) yield { field: `${field}.${name}`, message: 'is not known' };
    else yield* schemaIssues(each, additionalProperties, `${field}.${name}`);
  }
}

function kindProblem(value: Json, { type, enum: values, const: only }: JsonObject): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((each) => isOf(value, each)))
    return `must be ${types.join(' or ')}, not ${wordsOf(value)}`;
  const one = only === undefined ? [] : [[only]];
  const wrong = [...(values === undefined ? [] : [values as Json[]]), ...one].find(
    (allowed) => !allowed.some((each) => isSame(each, value)),
  );
  return wrong && `must be ${wordsOfSome(wrong)}, not ${wordsOf(value)}`;
}

/** The bounds of numbers, and of the lengths of texts and lists; the format of a text. */
function sizeProblem(value: Json, schema: JsonObject): string | undefined {
  if (typeof value === 'number') return beyond(value, schema.minimum, schema.maximum, 'must be');
  if (Array.isArray(value))
    return beyond(value.length, schema.minItems, schema.maxItems, 'must have a length of');
  if (typeof value !== 'string') return undefined;
  const { format } = schema;
  return (
    beyond([...value].length, schema.minLength, schema.maxLength, 'must have a length of') ??
    (typeof format === 'string' && formats[format]?.(value) === false
      ? `must be a ${format}, not ${wordsOf(value)}`
      : undefined)
  );
}

function beyond(
  size: number,
  least: Json | undefined,
  most: Json | undefined,
  words: string,
): string | undefined {
  if (typeof least === 'number' && size < least) return `${words} at least ${least}, not ${size}`;
  return typeof most === 'number' && size > most ? `${words} at most ${most}, not ${size}` : undefined;
}

function isOf(value: Json, type: Json): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isMap(value);
  return type === (value === null ? 'null' : typeof value);
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of `enum` and `const` have no fields in another order than the author has written. */
const isSame = (one: Json, other: Json): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

const MAX_NAMED = 20;

const wordsOfSome = (values: readonly Json[]): string =>
  values.length > MAX_NAMED
    ? `one of ${values.length} values`
    : values.map(wordsOf).join(' or ') || 'nothing at all';

const wordsOf = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
