// Property names on the wire. Inside lockerflow every property is camelCase; the wire's own casing is known here alone.
// interface: "create operations use PascalCase request names"; decisions §6: request keys match without regard to case.
import { z } from 'zod';

export type WireNames = 'camelCase' | 'PascalCase' | Readonly<Record<string, string>>;

const wireNames = z.registry<{ names: WireNames }>();

/** Marks how an object's own properties are called on the wire; nested objects are marked by themselves. */
export function onWire<Schema extends z.ZodObject>(names: WireNames, schema: Schema): Schema {
  wireNames.add(schema, { names });
  return schema;
}

export function wireName(schema: z.ZodObject, property: string): string {
  const names = wireNames.get(schema)?.names ?? 'camelCase';
  if (names === 'camelCase') return property;
  if (names === 'PascalCase') return property.charAt(0).toUpperCase() + property.slice(1);
  return names[property] ?? property;
}

/** The schema inside optional, nullable and default wrappers and pipes. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
      inner = inner.unwrap();
    else if (inner instanceof z.ZodPrefault || inner instanceof z.ZodCatch) inner = inner.unwrap();
    else if (inner instanceof z.ZodPipe) inner = inner.in instanceof z.ZodTransform ? inner.out : inner.in;
    else return inner;
  }
}

/** One property under two casings at once: which of them is meant cannot be known. */
export interface DuplicateKey {
  readonly path: readonly (string | number)[];
  readonly keys: readonly string[];
}

/** Renames the keys of a wire value to the schema's camelCase properties, without regard to case. */
export function fromWire(schema: z.core.$ZodType, value: unknown, duplicates: DuplicateKey[] = []): unknown {
  return renamed(unwrapped(schema), value, [], duplicates);
}

type Path = readonly (string | number)[];

function renamed(schema: z.core.$ZodType, value: unknown, path: Path, duplicates: DuplicateKey[]): unknown {
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = unwrapped(schema.element);
    return value.map((item, index) => renamed(element, item, [...path, index], duplicates));
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  const properties = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  const seen = new Map<string, string>();
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const property = properties.get(key.toLowerCase());
    if (property === undefined) continue;
    const before = seen.get(property);
    if (before !== undefined) duplicates.push({ path, keys: [before, key] });
    seen.set(property, key);
    const inner = schema.shape[property];
    const at = [...path, wireName(schema, property)];
    result[property] = inner === undefined ? item : renamed(unwrapped(inner), item, at, duplicates);
  }
  return result;
}

/** Renames camelCase properties to the names that the wire wants; leaves out what is undefined. */
export const toWire = (schema: z.core.$ZodType, value: unknown): unknown => renamingOf(schema)(value);

type Renaming = (value: unknown) => unknown;

const asItIs: Renaming = (value) => value;

/** By schema: an answer may list 100,000 things, and to look up their names for each held up all other requests. */
const renamings = new WeakMap<z.core.$ZodType, Renaming>();

function renamingOf(schema: z.core.$ZodType): Renaming {
  const known = renamings.get(schema);
  if (known) return known;
  const made = newRenaming(unwrapped(schema));
  renamings.set(schema, made);
  return made;
}

function newRenaming(schema: z.core.$ZodType): Renaming {
  if (schema instanceof z.ZodArray) {
    const element = renamingOf(schema.element);
    return (value) => (Array.isArray(value) ? value.map(element) : value);
  }
  if (!(schema instanceof z.ZodObject)) return asItIs;
  const properties = new Map(
    Object.entries(schema.shape).map(([property, inner]: [string, z.core.$ZodType]) => [
      property,
      { name: wireName(schema, property), renaming: renamingOf(inner) },
    ]),
  );
  return (value) => {
    if (!isRecord(value)) return value;
    const result: Record<string, unknown> = {};
    for (const property of Object.keys(value)) {
      const known = properties.get(property);
      const item = value[property];
      if (known && item !== undefined) result[known.name] = known.renaming(item);
    }
    return result;
  };
}

/** A path of camelCase properties, as zod reports it, in the names of the wire: `Dimension.width`. */
export function wirePath(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const names: string[] = [];
  let current: z.core.$ZodType | undefined = schema;
  for (const part of path) {
    const inner: z.core.$ZodType | undefined = current && unwrapped(current);
    if (inner instanceof z.ZodObject) {
      names.push(wireName(inner, String(part)));
      current = inner.shape[String(part)];
    } else {
      names.push(String(part));
      current = inner instanceof z.ZodArray ? inner.element : undefined;
    }
  }
  return names.join('.');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
