import { partsOf, soleExpression } from '../expressions/template.ts';
import type { Json, JsonObject } from '../flow-file.ts';
import { nearestOf } from '../nearest-names.ts';
import { type At, isMap, kindOf } from '../reading/report.ts';

interface SchemaProblem {
  readonly at: At;
  /** What is written there. */
  readonly what: string;
  readonly because: string;
  /** Another kind of value is expected there, like a text in the place of a map. */
  readonly isWrongKind?: true;
}

/** @param $defs what `#/$defs/…` names */
export function schemaProblems(
  value: Json,
  given: Json | undefined,
  at: At,
  $defs: JsonObject,
): SchemaProblem[] {
  const schema = resolved(given, $defs);
  if (!isMap(schema) || isUnknown(value)) return [];
  const { anyOf, oneOf, allOf } = schema;
  const all = [
    ...[schema, ...listed(allOf).filter((each) => !isMap(each) || each.if === undefined)].flatMap((each) =>
      each === schema ? ownProblems(value, schema, at, $defs) : schemaProblems(value, each, at, $defs),
    ),
    ...[anyOf, oneOf].flatMap((branches) =>
      branches === undefined
        ? []
        : fewest(listed(branches).map((each) => schemaProblems(value, each, at, $defs))),
    ),
  ];
  return all.filter(
    (each, index) => all.findIndex(({ at: place }) => place.join() === each.at.join()) === index,
  );
}

/** The text as a whole is an expression: its value may be anything. */
const isUnknown = (value: Json): boolean => typeof value === 'string' && soleExpression(value) !== undefined;

function resolved(schema: Json | undefined, $defs: JsonObject): Json | undefined {
  const { $ref } = isMap(schema) ? schema : {};
  return typeof $ref === 'string' ? $defs[$ref.slice('#/$defs/'.length)] : schema;
}

const listed = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** The problems of the alternative that the author most likely meant. A value of the wrong kind is never meant. */
function fewest(branches: readonly SchemaProblem[][]): SchemaProblem[] {
  const [first = []] = branches.toSorted((one, other) => weightOf(one) - weightOf(other));
  return first;
}

const weightOf = (problems: readonly SchemaProblem[]): number =>
  problems.length + (problems.some(({ isWrongKind }) => isWrongKind) ? 100 : 0);

function ownProblems(value: Json, schema: JsonObject, at: At, $defs: JsonObject): SchemaProblem[] {
  const what = JSON.stringify(value);
  const otherKind = kindProblem(value, schema);
  if (otherKind !== undefined) return [{ at, what, because: otherKind, isWrongKind: true }];
  const wrong = valueProblem(value, schema);
  if (wrong !== undefined) return [{ at, what, because: wrong }];
  if (Array.isArray(value))
    return (value as Json[]).flatMap((each, index) =>
      schemaProblems(each, schema.items, [...at, index], $defs),
    );
  return isMap(value) ? fieldProblems(value, schema, at, $defs) : [];
}

function fieldProblems(value: JsonObject, schema: JsonObject, at: At, $defs: JsonObject): SchemaProblem[] {
  const properties = isMap(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const missing = listed(schema.required)
    .map(String)
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ at: [...at, name], what: name, because: 'it is required, and missing' }));
  const fields = Object.entries(value).flatMap(([key, each]) => {
    const place = [...at, key];
    if (Object.hasOwn(properties, key)) return schemaProblems(each, properties[key], place, $defs);
    if (schema.additionalProperties !== false)
      return schemaProblems(each, schema.additionalProperties, place, $defs);
    const near = nearestOf(key, names);
    const expected =
      near === undefined ? `expected ${names.join(', ') || 'no field'}` : `perhaps ${near} was meant`;
    return [{ at: place, what: key, because: `it is not known; ${expected}` }];
  });
  return [...missing, ...fields];
}

const typeWords: Readonly<Record<string, string>> = {
  object: 'a map',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  null: 'an empty value',
};

const typesOf = (value: Json): readonly string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value];
};

function kindProblem(value: Json, { type, not }: JsonObject): string | undefined {
  const types = (typeof type === 'string' ? [type] : listed(type)).map(String);
  if (types.length > 0 && !typesOf(value).some((each) => types.includes(each)))
    return `expected ${types.map((each) => typeWords[each] ?? each).join(' or ')}, but it is ${kindOf(value)}`;
  return value === null && isMap(not) && not.type === 'null' ? 'expected a value' : undefined;
}

function valueProblem(value: Json, schema: JsonObject): string | undefined {
  const { const: only } = schema;
  // The rest of a text with expressions within it is not known.
  if (typeof value === 'string' && partsOf(value).some((part) => 'source' in part)) return undefined;
  if (schema.enum !== undefined && !listed(schema.enum).includes(value))
    return `expected one of ${listed(schema.enum).map(String).join(', ')}`;
  if (only !== undefined && only !== value) return `expected ${JSON.stringify(only)}`;
  if (typeof value === 'number') return numberProblem(value, schema);
  return typeof value === 'string' ? textProblem(value, schema) : undefined;
}

function numberProblem(value: number, { minimum, maximum }: JsonObject): string | undefined {
  if (typeof minimum === 'number' && value < minimum) return `expected at least ${minimum}`;
  return typeof maximum === 'number' && value > maximum ? `expected at most ${maximum}` : undefined;
}

function textProblem(value: string, { minLength, maxLength, pattern }: JsonObject): string | undefined {
  if (typeof minLength === 'number' && value.length < minLength)
    return `expected at least ${minLength} characters`;
  if (typeof maxLength === 'number' && value.length > maxLength)
    return `expected at most ${maxLength} characters`;
  if (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) return undefined;
  return pattern.startsWith('^P(')
    ? 'expected a duration such as P2D or PT30M'
    : `expected a match of ${pattern}`;
}
