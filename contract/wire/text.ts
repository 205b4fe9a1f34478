// Validates texts: well-formed Unicode that Postgres can store, and length in characters (code points), as in JSON Schema.
import { z } from 'zod';

// Postgres cannot store a NUL character or a lone surrogate. Without this check such a text would cause an internal error, or
// come back changed.
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();
export const STORABLE_MESSAGE = 'must be well-formed Unicode without a NUL character';
/**
 * `isStorable` as JSON Schema. Surrogates have a separate pattern, because some regular expression engines lack them; it works
 * with and without the flag u.
 */
export const storableSchema = {
  pattern: '^[^\\x00]*$',
  allOf: [{ pattern: '^(?:[^\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$' }],
};

/** Not zod's min and max: they count UTF-16 units, and some characters have two. */
export const textOf = (min: 0 | 1, max: number) =>
  z
    .string()
    .refine((value) => value.length >= min, 'must not be empty')
    .refine((value) => !isLongerThan(value, max), `must have at most ${max.toLocaleString('en')} characters`)
    .refine(isStorable, STORABLE_MESSAGE)
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max, ...storableSchema });

/** @param max in characters */
export const isLongerThan = (value: string, max: number): boolean =>
  value.length > max && (value.length > 2 * max || [...value].length > max);

export const ILL_FORMED_MESSAGE = 'has half a surrogate pair; expected well-formed Unicode';

/**
 * The path of the first text or field name with a lone surrogate in a JSON value, such as `message.uid`; undefined: none.
 * Temporal and Postgres reject such a text as a name. Not recursive: a request body may be nested arbitrarily deeply.
 */
export function illFormedPlace(value: unknown): string | undefined {
  const left: [place: string, value: unknown][] = [['', value]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [place, one] = next;
    if (typeof one === 'string' && !one.isWellFormed()) return place;
    if (typeof one !== 'object' || one === null) continue;
    const names = Object.keys(one);
    for (const name of names.toReversed()) {
      const inner = place === '' ? name.toWellFormed() : `${place}.${name.toWellFormed()}`;
      if (!name.isWellFormed()) return inner;
      left.push([inner, (one as Readonly<Record<string, unknown>>)[name]]);
    }
  }
  return undefined;
}
