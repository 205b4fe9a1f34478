// Texts: which can be stored, and how long they may be. Lengths count characters, as JSON Schema does.
import { z } from 'zod';

// Postgres cannot store a NUL character or half a surrogate pair. Without this check such a text would cause an internal
// error, or come back as another text.
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();
const STORABLE_MESSAGE = 'must be well-formed Unicode without a NUL character';
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
    .refine((value) => !isLonger(value, most), `must have at most ${most.toLocaleString('en')} characters`)
    .refine(isStorable, STORABLE_MESSAGE)
    .meta({ ...(least > 0 ? { minLength: least } : {}), maxLength: most, ...storableSchema });

/** Than so many characters, counted likewise. */
export const isLonger = (value: string, most: number): boolean =>
  value.length > most && (value.length > 2 * most || [...value].length > most);
