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
  readonly #readable: ReadableValues;

  constructor(values: Fields, readable: ReadableValues) {
    super();
    this.#values = values;
    this.#readable = readable;
  }

  override get(name: string): unknown {
    const value = this.#values[name];
    return isCollection(value) ? this.#readable.of(name, value) : value;
  }
}

/** Deeper than an expression reaches with all its parts, and compares from there. */
const DEEPEST_READ = bounds.depth * 4;

/** What is large is looked at once, not for each expression. A context is new after each `assign`; its values are not. */
const LEVELS_KEPT = 2;
const LARGE = 64;

/** The values of one process as the library can read them, so that its next expression does not look through them again. */
export class ReadableValues {
  /** By variable: the expressions of a step read the same values. */
  readonly #last = new Map<string, { readonly value: object; readonly read: object }>();
  readonly #large = new WeakMap<object, object>();
  readonly #charge: (looks: number) => void;
  #looks = 0;

  /** @param charge for the values that it has looked at */
  constructor(charge: (looks: number) => void) {
    this.#charge = charge;
  }

  of(variable: string, value: object): object {
    const before = this.#last.get(variable);
    if (before?.value === value) return before.read;
    this.#looks = 0;
    const read = this.#readable(value, 0);
    this.#last.set(variable, { value, read });
    this.#charge(this.#looks);
    return read;
  }

  #readable<Value>(value: Value, level: number): Value | object {
    if (!isCollection(value) || level > DEEPEST_READ) return value;
    if (level >= LEVELS_KEPT) return this.#converted(value, level);
    const kept = this.#large.get(value);
    if (kept) return kept;
    const before = this.#looks;
    const made = this.#converted(value, level);
    if (this.#looks - before > LARGE) this.#large.set(value, made);
    return made;
  }

  #converted(value: object, level: number): object {
    return Array.isArray(value)
      ? this.#convertedList(value, level)
      : this.#convertedMap(value as Fields, level);
  }

  #convertedList(list: readonly unknown[], level: number): object {
    this.#looks += list.length;
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const read = this.#readable(list[index], level + 1);
      if (read === list[index]) continue;
      copy ??= [...list];
      copy[index] = read;
    }
    return copy ?? list;
  }

  #convertedMap(map: Fields, level: number): object {
    let copy = Object.hasOwn(map, 'constructor') ? new Map(Object.entries(map)) : undefined;
    for (const name in map) {
      this.#looks++;
      const read = this.#readable(map[name], level + 1);
      if (read === map[name]) continue;
      copy ??= new Map(Object.entries(map));
      copy.set(name, read);
    }
    return copy ?? map;
  }
}
