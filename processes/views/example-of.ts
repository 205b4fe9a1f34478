// A value that a JSON Schema of a flow file takes, as an example: its own example where it has one, else the least that it
// asks for. Patterns and other rules may refuse it. A text that would be long is left out with the whole example: the document has
// one of each flow, and a length may be any number.
import type { Json, JsonObject } from '../../flows/language/flow-file.ts';

/** Characters of a text, and of the whole example as JSON. A person reads it. */
const LONGEST_TEXT = 200;
const LONGEST_EXAMPLE = 10_000;

/** Undefined where it would be too long, or where the schema asks for what nobody can make. */
export function exampleOf(schema: JsonObject): Json | undefined {
  try {
    const example = leastOf(schema);
    return JSON.stringify(example).length > LONGEST_EXAMPLE ? undefined : example;
  } catch (error) {
    if (error instanceof TooLong) return undefined;
    throw error;
  }
}

class TooLong extends Error {
  override readonly name = 'TooLong';
}

function leastOf(schema: JsonObject): Json {
  const { examples, default: preset, const: only, enum: choice, type } = schema;
  const given = [firstOf(examples), preset, only, firstOf(choice)].find((each) => each !== undefined);
  if (given !== undefined) return given;
  const kind = String(Array.isArray(type) ? type[0] : type);
  return (byType[kind] ?? textOf)(schema);
}

const firstOf = (list: Json | undefined): Json | undefined => (Array.isArray(list) ? list[0] : undefined);

const numberOf = ({ minimum, exclusiveMinimum }: JsonObject): number =>
  Number(minimum ?? Number(exclusiveMinimum ?? 9) + 1);

const byType: Readonly<Record<string, (schema: JsonObject) => Json>> = {
  object: objectOf,
  array: ({ items, minItems }) => (Number(minItems ?? 0) > 0 && isMap(items) ? [leastOf(items)] : []),
  number: numberOf,
  integer: numberOf,
  boolean: () => true,
  null: () => null,
};

function objectOf({ properties, required }: JsonObject): JsonObject {
  const shape = isMap(properties) ? properties : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.map((name) => {
      const field = shape[name];
      return [name, isMap(field) ? leastOf(field) : 'text'];
    }),
  );
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2031-05-01T12:00:00Z',
  date: '2031-05-01',
  duration: 'P3D',
  email: 'anna@example.com',
  uuid: '3f0e5a4c-7f0b-4f0e-9d52-0c5b5a1d6b7e',
};

function textOf({ format, minLength, maxLength }: JsonObject): string {
  if (Number(minLength ?? 0) > LONGEST_TEXT) throw new TooLong();
  const text = byFormat[String(format)] ?? 'text'.padEnd(Number(minLength ?? 0), 'x');
  return text.slice(0, Number(maxLength ?? text.length));
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
