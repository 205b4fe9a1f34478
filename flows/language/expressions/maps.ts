// Maps of data, as the library can read them. It takes the type of a value from `value.constructor`, which data may have as a
// field: a map with this field becomes a Map, and so does each map around it. All other data is given as it is.
import { bounds } from '../flow-file.ts';

type Fields = Readonly<Record<string, unknown>>;
export type AnyMap = Fields | ReadonlyMap<string, unknown>;

export const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;
export const isMap = (value: unknown): value is AnyMap => isCollection(value) && !Array.isArray(value);

export const namesOf = (map: AnyMap): string[] => (map instanceof Map ? [...map.keys()] : Object.keys(map));
export const hasName = (map: AnyMap, name: string): boolean =>
  map instanceof Map ? map.has(name) : Object.hasOwn(map, name);
export const valueAt = (map: AnyMap, name: string): unknown =>
  map instanceof Map ? map.get(name) : (map as Fields)[name];

/** The variables of an expression. What it does not read is not looked at. */
export class Variables extends Map<string, unknown> {
  readonly #values: Fields;

  constructor(values: Fields) {
    super();
    this.#values = values;
  }

  override get(name: string): unknown {
    const value = this.#values[name];
    if (!isCollection(value)) return value;
    const before = last.get(name);
    if (before?.value === value) return before.read;
    const read = readable(value, 0);
    last.set(name, { value, read });
    return read;
  }
}

/** By variable: the expressions of a step read the same values. */
const last = new Map<string, { readonly value: object; readonly read: object }>();

/** Deeper than an expression reaches with all its parts, and compares from there. */
const DEEPEST_READ = bounds.depth * 4;

/** What is large is looked at once, not for each expression. A context is new after each `assign`; its values are not. */
const LEVELS_KEPT = 2;
const LARGE = 64;

const known = new WeakMap<object, object>();
let looks = 0;

function readable<Value>(value: Value, level: number): Value | object {
  if (!isCollection(value) || level > DEEPEST_READ) return value;
  if (level >= LEVELS_KEPT) return converted(value, level);
  const kept = known.get(value);
  if (kept) return kept;
  const before = looks;
  const made = converted(value, level);
  if (looks - before > LARGE) known.set(value, made);
  return made;
}

const converted = (value: object, level: number): object =>
  Array.isArray(value) ? convertedList(value, level) : convertedMap(value as Fields, level);

function convertedList(list: readonly unknown[], level: number): object {
  looks += list.length;
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const read = readable(list[index], level + 1);
    if (read === list[index]) continue;
    copy ??= [...list];
    copy[index] = read;
  }
  return copy ?? list;
}

function convertedMap(map: Fields, level: number): object {
  let copy = Object.hasOwn(map, 'constructor') ? new Map(Object.entries(map)) : undefined;
  for (const name in map) {
    looks++;
    const read = readable(map[name], level + 1);
    if (read === map[name]) continue;
    copy ??= new Map(Object.entries(map));
    copy.set(name, read);
  }
  return copy ?? map;
}
