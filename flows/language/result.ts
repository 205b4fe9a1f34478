// Checks what a process gives at its end against `result` of its file: the part of JSON Schema that needs no library, so that the
// check is part of the last step, and replays with it. Nothing else in a schema gets past the reading of the file.
import type { Json, JsonObject } from './flow-file.ts';

/** The keywords that are checked. */
export const resultKeywords = [
  ...(['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items'] as const),
  ...(['anyOf', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const),
] as const;

/** The first place where the value is not what the schema says; undefined if it is. */
export function resultProblem(value: Json, schema: Json | undefined, at = 'output'): string | undefined {
  if (schema === false) return `${at} is not allowed`;
  if (!isMap(schema)) return undefined;
  const problem = kindProblem(value, schema) ?? sizeProblem(value, schema);
  if (problem !== undefined) return `${at} ${problem}`;
  const { anyOf } = schema;
  const problems = ((anyOf ?? []) as Json[]).map((each) => resultProblem(value, each, at));
  if (problems.length > 0 && problems.every((each) => each !== undefined)) return problems[0];
  if (Array.isArray(value)) return firstOf(value, (each, index) => [each, schema.items, `${at}.${index}`]);
  return isMap(value) ? fieldProblem(value, schema, at) : undefined;
}

function fieldProblem(value: JsonObject, schema: JsonObject, at: string): string | undefined {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = properties as JsonObject;
  const missing = (required as string[]).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const other = Object.keys(value).find((name) => !Object.hasOwn(known, name));
  if (other !== undefined && additionalProperties === false) return `${at}.${other} is not known`;
  return firstOf(Object.entries(value), ([name, each]) => [
    ...([each, Object.hasOwn(known, name) ? known[name] : additionalProperties] as const),
    `${at}.${name}`,
  ]);
}

function firstOf<Item>(
  items: readonly Item[],
  asked: (item: Item, index: number) => [value: Json, schema: Json | undefined, at: string],
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = resultProblem(...asked(item, index));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function kindProblem(value: Json, { type, enum: values, const: only }: JsonObject): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((each) => isOf(value, each)))
    return `is ${wordsOf(value)}, expected ${types.join(' or ')}`;
  const one = only === undefined ? [] : [[only]];
  const wrong = [...(values === undefined ? [] : [values as Json[]]), ...one].find(
    (allowed) => !allowed.some((each) => isSame(each, value)),
  );
  return wrong && `is ${wordsOf(value)}, expected ${wrong.map(wordsOf).join(' or ')}`;
}

/** The bounds of numbers, and of the lengths of texts and lists. */
function sizeProblem(value: Json, schema: JsonObject): string | undefined {
  if (typeof value === 'number') return beyond(value, schema.minimum, schema.maximum, 'is');
  if (typeof value === 'string')
    return beyond([...value].length, schema.minLength, schema.maxLength, 'has a length of');
  return Array.isArray(value)
    ? beyond(value.length, schema.minItems, schema.maxItems, 'has a length of')
    : undefined;
}

function beyond(
  size: number,
  least: Json | undefined,
  most: Json | undefined,
  words: string,
): string | undefined {
  if (typeof least === 'number' && size < least) return `${words} ${size}, expected at least ${least}`;
  return typeof most === 'number' && size > most ? `${words} ${size}, expected at most ${most}` : undefined;
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
const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

const wordsOf = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
