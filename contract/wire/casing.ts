// Property names on the wire. Inside lockerflow every property is camelCase; only this file knows the wire's casing.
// interface: "create operations use PascalCase request names"; assumptions: The wire: request keys match without regard to
// case.
import { z } from 'zod';

type WireNames = 'camelCase' | 'PascalCase' | Readonly<Record<string, string>>;

const wireNames = z.registry<{ names: WireNames }>();

/** Sets the names of an object's own properties on the wire. Nested objects have their own mark. */
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

/** One property given under two casings: we cannot know which one the sender means. */
export interface DuplicateKey {
  readonly path: readonly (string | number)[];
  readonly keys: readonly string[];
}

/** The names in a schema: an array has those of its elements, an object those of its properties, any other schema none. */
type Naming = { readonly element: Naming } | Properties | null;

interface Properties {
  readonly all: readonly Property[];
  /** By its name in lower case, and as nearly every client spells it: what needs no other spelling is found sooner. */
  readonly named: ReadonlyMap<string, Property>;
}

interface Property {
  readonly own: string;
  readonly wire: string;
  readonly naming: Naming;
}

/** Kept by schema: looking up the names for each request took as long as the rest of the parsing. */
const namings = new WeakMap<z.core.$ZodType, Naming>();

function namingOf(schema: z.core.$ZodType): Naming {
  const known = namings.get(schema);
  if (known !== undefined) return known;
  const made = newNaming(unwrapped(schema));
  namings.set(schema, made);
  return made;
}

function newNaming(schema: z.core.$ZodType): Naming {
  if (schema instanceof z.ZodArray) return { element: namingOf(schema.element) };
  if (!(schema instanceof z.ZodObject)) return null;
  const all = Object.entries(schema.shape).map(([own, inner]: [string, z.core.$ZodType]): Property => {
    return { own, wire: wireName(schema, own), naming: namingOf(inner) };
  });
  const spelled = all.flatMap((property) => {
    const { own, wire } = property;
    return [own.toLowerCase(), own, wire].map((name) => [name, property] as const);
  });
  return { all, named: new Map(spelled) };
}

/** Renames the keys of a wire value to the schema's camelCase properties, without regard to case. */
export function fromWire(schema: z.core.$ZodType, value: unknown, duplicates: DuplicateKey[] = []): unknown {
  return ownNames(namingOf(schema), value, [], duplicates);
}

function ownNames(
  naming: Naming,
  value: unknown,
  path: DuplicateKey['path'],
  duplicates: DuplicateKey[],
): unknown {
  if (naming === null) return value;
  if ('element' in naming) {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => ownNames(naming.element, item, [...path, index], duplicates));
  }
  if (!isRecord(value)) return value;
  /** The key under which each property came first; null once a duplicate is reported. */
  const seen = new Map<Property, string | null>();
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const property = naming.named.get(key) ?? naming.named.get(key.toLowerCase());
    if (property === undefined) continue;
    const first = seen.get(property);
    if (typeof first === 'string') duplicates.push({ path, keys: [first, key] });
    seen.set(property, first === undefined ? key : null);
    const { own, wire, naming: inner } = property;
    result[own] = inner === null ? item : ownNames(inner, item, [...path, wire], duplicates);
  }
  return result;
}

/** The paths of what a wire value has and the schema does not know. */
export function unknownFields(schema: z.core.$ZodType, value: unknown): string[] {
  return unknownIn(namingOf(schema), value).map((path) => path.join('.'));
}

function unknownIn(naming: Naming, value: unknown): (readonly (string | number)[])[] {
  if (naming === null) return [];
  if ('element' in naming)
    return Array.isArray(value)
      ? value.flatMap((item, index) => unknownIn(naming.element, item).map((path) => [index, ...path]))
      : [];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const property = naming.named.get(key) ?? naming.named.get(key.toLowerCase());
    return property ? unknownIn(property.naming, item).map((path) => [property.wire, ...path]) : [[key]];
  });
}

/** Renames camelCase properties to their names on the wire. Leaves out undefined properties. */
export function toWire(schema: z.core.$ZodType, value: unknown): unknown {
  return wireNamed(namingOf(schema), value);
}

function wireNamed(naming: Naming, value: unknown): unknown {
  if (naming === null) return value;
  if ('element' in naming)
    return Array.isArray(value) ? value.map((item) => wireNamed(naming.element, item)) : value;
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  for (const { own, wire, naming: inner } of naming.all) {
    const item = value[own];
    if (item !== undefined) result[wire] = wireNamed(inner, item);
  }
  return result;
}

/** A path of camelCase properties, as zod reports it, in the names of the wire: `Dimension.width`. */
export function wirePath(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  let naming = namingOf(schema);
  const names = path.map((part) => {
    const name = String(part);
    const property = naming && 'all' in naming ? naming.named.get(name) : undefined;
    naming = property?.naming ?? (naming && 'element' in naming ? naming.element : null);
    return property?.wire ?? name;
  });
  return names.join('.');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
