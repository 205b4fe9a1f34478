// Texts: which can be stored, and how long they may be. Lengths count characters, as JSON Schema does.
import { z } from 'zod';

// Postgres cannot store a NUL character or half a surrogate pair. Without this check such a text would cause an internal
// error, or come back as another text.
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();
export const STORABLE_MESSAGE = 'must be well-formed Unicode without a NUL character';
/**
 * The same in JSON Schema. It is a pattern of its own, because some readers do not know surrogates; it works with and
 * without the flag u.
 */
export const storableSchema = {
  pattern: '^[^\\x00]*$',
  allOf: [{ pattern: '^(?:[^\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$' }],
};

/** A text of so many characters, counted as in JSON Schema; JavaScript counts some characters twice. */
export const textOf = (least: 0 | 1, most: number) =>
  z
    .string()
    .refine((value) => value.length >= least, 'must not be empty')
    .refine(
      (value) => !isLongerThan(value, most),
      `must have at most ${most.toLocaleString('en')} characters`,
    )
    .refine(isStorable, STORABLE_MESSAGE)
    .meta({ ...(least > 0 ? { minLength: least } : {}), maxLength: most, ...storableSchema });

/** Than so many characters, counted likewise. */
export const isLongerThan = (value: string, most: number): boolean =>
  value.length > most && (value.length > 2 * most || [...value].length > most);

export const ILL_FORMED_MESSAGE = 'has half a surrogate pair; expected well-formed Unicode';

/**
 * The place of the first text in a JSON value, or of the first name of a field, that has half a surrogate pair, like `message.uid`;
 * undefined: all are well-formed. Neither Temporal nor Postgres takes such a text as a name. It does not recurse: a value may be
 * nested as deep as a body is long.
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
