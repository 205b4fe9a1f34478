// Checks a value against a JSON Schema: the part that flow files may use for `input` and `result` (reading/input-schema.ts lets
// nothing else into a file), and what the schemas of our own flows and operations have beside it. It needs no library: a process
// checks its result in its last step, and replays with it.
import { durationMs, instantMs, isDate } from './duration.ts';
import { partsOf, soleExpression } from './expressions/template.ts';
import { isMap, type Json, type JsonObject } from './flow-file.ts';

export interface SchemaIssue {
  readonly at: readonly (string | number)[];
  /** Such as `must be string, not 3`. */
  readonly message: string;
  /** Another kind of value is expected there, like a text in the place of a map. */
  readonly isWrongKind?: true;
  /** The fields that are known, where this one is not. */
  readonly known?: readonly string[];
}

/** Formats of texts. Each is checked in a time that grows with the length of the text alone. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => instantMs(text) !== null,
  date: isDate,
  duration: (text) => durationMs(text) !== null,
  email: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  /** The uid of an account: of a person whom the process is about. */
  account: (text) => text.trim() !== '',
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
};

type At = SchemaIssue['at'];
type Issues = Generator<SchemaIssue, undefined>;

/**
 * The places where the value is not what the schema says, one after the other: a value may have a thousand of them.
 * @param $defs what `#/$defs/…` names, for a value as a file has it: an expression may give anything
 */
export function* schemaIssues(value: Json, given: Json | undefined, at: At, $defs?: JsonObject): Issues {
  const schema = $defs ? referred(given, $defs) : given;
  if (schema === false) yield { at, message: 'is not allowed' };
  if (!isMap(schema) || ($defs && typeof value === 'string' && soleExpression(value) !== undefined))
    return undefined;
  const otherKind = kindProblem(value, schema);
  const message = otherKind ?? valueProblem(value, schema, $defs !== undefined);
  if (message !== undefined) {
    yield { at, message, ...(otherKind !== undefined && { isWrongKind: true }) };
    return undefined;
  }
  const { anyOf = [], oneOf = [], allOf = [] } = schema as Readonly<Record<string, readonly Json[]>>;
  for (const alternatives of [anyOf, oneOf]) yield* alternativeIssues(alternatives, value, at, $defs);
  for (const each of allOf) if (!isMap(each) || !each.if) yield* schemaIssues(value, each, at, $defs);
  yield* partIssues(value, schema, at, $defs);
}

/** The first problem, in words; undefined if there is none. */
export function resultProblem(value: Json, schema: Json): string | undefined {
  const { value: first } = schemaIssues(value, schema, ['output']).next();
  return first && `${first.at.join('.')} ${first.message}`;
}

/** The message of an issue without the value at fault, which may be personal. */
export const withoutValue = (message: string): string => message.replace(/, not [\s\S]*$/, '');

function referred(schema: Json | undefined, $defs: JsonObject): Json | undefined {
  const { $ref } = isMap(schema) ? schema : {};
  return typeof $ref === 'string' ? $defs[$ref.slice('#/$defs/'.length)] : schema;
}

/** Issues of one alternative: more would say no more about which one was meant. */
const MAX_COMPARED = 10;

/** If the value fits none, the issues of the alternative that was most likely meant. Each is checked once, as they may nest. */
function alternativeIssues(
  alternatives: readonly Json[],
  value: Json,
  at: At,
  $defs: JsonObject | undefined,
): readonly SchemaIssue[] {
  let nearest: readonly SchemaIssue[] = [];
  for (const alternative of alternatives) {
    const issues: SchemaIssue[] = [];
    for (const each of schemaIssues(value, alternative, at, $defs))
      if (issues.push(each) === MAX_COMPARED) break;
    if (issues.length === 0) return [];
    if (nearest.length === 0 || weightOf(issues) < weightOf(nearest)) nearest = issues;
  }
  return nearest;
}

/** A value of the wrong kind is never meant. */
const weightOf = (issues: readonly SchemaIssue[]): number =>
  issues.length + (issues.some(({ isWrongKind }) => isWrongKind) ? MAX_COMPARED : 0);

/** The issues of a list's items, or of a map's fields. */
function* partIssues(value: Json, schema: JsonObject, at: At, $defs: JsonObject | undefined): Issues {
  const { items, properties = {}, required = [], additionalProperties } = schema;
  if (Array.isArray(value))
    for (const [index, each] of (value as Json[]).entries())
      yield* schemaIssues(each, items, [...at, index], $defs);
  if (!isMap(value)) return undefined;
  const fields = properties as JsonObject;
  for (const name of required as readonly string[])
    if (!Object.hasOwn(value, name)) yield { at: [...at, name], message: 'is required' };
  for (const [name, each] of Object.entries(value)) {
    const place = [...at, name];
    if (Object.hasOwn(fields, name)) yield* schemaIssues(each, fields[name], place, $defs);
    else if (additionalProperties === false)
      yield { at: place, message: 'is not known', known: Object.keys(fields) };
    else yield* schemaIssues(each, additionalProperties, place, $defs);
  }
}

function kindProblem(value: Json, { type, not }: JsonObject): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((each) => isOf(value, each)))
    return `must be ${types.join(' or ')}, not ${formatValue(value)}`;
  return value === null && isMap(not) && not.type === 'null' ? 'must have a value' : undefined;
}

function valueProblem(value: Json, schema: JsonObject, isWritten: boolean): string | undefined {
  // What the expressions within a text give is not known.
  if (isWritten && typeof value === 'string' && partsOf(value).some((part) => 'source' in part))
    return undefined;
  const { enum: values, const: only } = schema;
  const one = only === undefined ? [] : [[only]];
  const wrong = [...(values === undefined ? [] : [values as Json[]]), ...one].find(
    (allowed) => !allowed.some((each) => isSame(each, value)),
  );
  if (wrong) return `must be ${formatValues(wrong)}, not ${formatValue(value)}`;
  if (typeof value === 'number') return beyond(value, schema.minimum, schema.maximum, 'must be');
  if (Array.isArray(value))
    return beyond(value.length, schema.minItems, schema.maxItems, 'must have a length of');
  if (typeof value !== 'string') return undefined;
  return (
    beyond([...value].length, schema.minLength, schema.maxLength, 'must have a length of') ??
    formatProblem(value, schema, isWritten)
  );
}

function formatProblem(value: string, schema: JsonObject, isWritten: boolean): string | undefined {
  const { format, pattern } = schema;
  if (typeof format === 'string' && formats[format]?.(value) === false)
    return `must be a ${format}, not ${formatValue(value)}`;
  // Only our own schemas have one: that of somebody else could take for ever.
  if (!isWritten || typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) return undefined;
  return `must ${pattern.startsWith('^P(') ? 'be a duration such as P2D or PT30M' : `match ${pattern}`}, not ${formatValue(value)}`;
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

/** Values of `enum` and `const` have no fields in another order than the author has written. */
const isSame = (one: Json, other: Json): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

const MAX_NAMED = 20;

const formatValues = (values: readonly Json[]): string =>
  values.length > MAX_NAMED
    ? `one of ${values.length} values`
    : values.map(formatValue).join(' or ') || 'nothing at all';

const formatValue = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
