// The input of a flow, from JSON and from `--set`, which overrides the JSON. The flow's own check says what is wrong with it.
import { type FlowType, flowTypes } from '../contract/flows/flow-types.ts';
import type { JsonSchema } from '../contract/openapi/schemas.ts';
import { wrongUse } from '../shared/terminal/exit-codes.ts';
import { pairIn } from './options.ts';

type Fields = Record<string, unknown>;

/** The built-in flow of this name, in any case. */
export const builtInNamed = (name: string): FlowType | undefined =>
  flowTypes.find((each) => each.toLowerCase() === name.toLowerCase());

/** @param schema what the flow takes: by it digits are a number, or a text such as a reference number */
export function startInput(values: unknown, pairs: readonly string[], schema: JsonSchema): Fields {
  if (!isFields(values)) throw wrongUse('the input must be a JSON object, like { "request": { … } }');
  const input: Fields = structuredClone(values);
  for (const pair of pairs) {
    const [path, value] = assignment(pair, schema);
    setAt(input, path, value);
  }
  return input;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A change of an input whose flow is not known here: digits are a number unless they stand in quotes; null takes a field out. */
export function patchOf(pairs: readonly string[], option: string): Fields {
  const patch: Fields = {};
  for (const pair of pairs) {
    const [path, value] = pairIn(pair, 'path=value, like request.pupUid=pup-central', option);
    setAt(patch, path.split('.'), NUMBER.test(value) ? Number(value) : valueIn(pair, value, option));
  }
  return patch;
}

/** The interface requires them; what is not given is not permitted. */
const PERMISSIONS = ['allowLargerLockers', 'allowOverflowLockers', 'keepBookedAfterPickUp'];

/** The input of a built-in flow, or of a copy of one that books, with what its request may leave out here. */
export function withPermissions(input: Fields, schema: JsonSchema): Fields {
  // Fields of that name in a file of a user's own are the user's.
  if (!schemaAt(schema, ['onOverdue'], schema.$defs ?? {})) return input;
  const taken = PERMISSIONS.filter((name) => schemaAt(schema, ['request', name], schema.$defs ?? {}));
  const none = Object.fromEntries(taken.map((name) => [name, false]));
  return { ...input, request: { ...none, ...(isFields(input.request) && input.request) } };
}

/** An object, a list, a quoted text, true, false and null. */
const JSON_VALUE = /^(true|false|null|[[{"].*)$/s;

/** `path=value`: a field of the input, and its value. */
function assignment(pair: string, schema: JsonSchema): readonly [path: readonly string[], value: unknown] {
  const [name, value] = pairIn(pair, 'path=value, like request.pupUid=pup-central', '--set');
  const path = name.split('.');
  if (!JSON_VALUE.test(value)) return [path, typed(value, schemaAt(schema, path, schema.$defs ?? {}))];
  return [path, valueIn(pair, value, '--set')];
}

function valueIn(pair: string, value: string, option: string): unknown {
  if (!JSON_VALUE.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    throw wrongUse(
      `${option} ${pair}: the value begins like JSON and is not JSON; write a text as path='"…"'`,
    );
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes the maps around it that are not there yet. */
function setAt(fields: Fields, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  // Defined, not assigned: so a field named __proto__ is an ordinary field, and refused as unknown.
  const put = (item: unknown) =>
    Object.defineProperty(fields, name, {
      value: item,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  if (rest.length === 0) return void put(value);
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const inner = isFields(before) ? before : {};
  put(inner);
  setAt(inner, rest, value);
}

type Definitions = NonNullable<JsonSchema['$defs']>;

/** Undefined where nothing is said of it. */
function schemaAt(
  schema: JsonSchema | undefined,
  [name, ...rest]: readonly string[],
  $defs: Definitions,
): JsonSchema | undefined {
  const known = resolved(schema, $defs);
  if (name === undefined) return known;
  const { properties, anyOf, oneOf, allOf } = (known ?? {}) as Record<string, unknown>;
  const own = (properties as Record<string, JsonSchema> | undefined)?.[name];
  if (own) return schemaAt(own, rest, $defs);
  const branches = [anyOf, oneOf, allOf].flatMap((each) => (each as JsonSchema[] | undefined) ?? []);
  for (const branch of branches) {
    const match = schemaAt(branch, [name, ...rest], $defs);
    if (match) return match;
  }
  return undefined;
}

function resolved(schema: JsonSchema | undefined, $defs: Definitions): JsonSchema | undefined {
  const { $ref } = (schema ?? {}) as { readonly $ref?: string };
  return $ref === undefined ? schema : resolved($defs[$ref.slice($ref.lastIndexOf('/') + 1)], $defs);
}

/** A text as the flow wants it there: a number, where it takes no text. What does not fit stays a text and is refused as one. */
function typed(text: string, schema: JsonSchema | undefined): unknown {
  const { type, anyOf = [] } = (schema ?? {}) as { readonly type?: unknown; readonly anyOf?: JsonSchema[] };
  const types = [type, ...anyOf.map((each) => (each as { readonly type?: unknown }).type)].flat();
  if (types.includes('string') || types.every((each) => each === undefined)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
