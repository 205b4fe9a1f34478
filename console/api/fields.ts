// The fields that several routes have.
import { z } from 'zod';
import { key } from '../../processes/views/process-fields.ts';

// Temporal's query language has no escapes. Negated, it means the same to JSON Schema, which counts what is beyond U+FFFF as one
// character, as to JavaScript, which counts it as two.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
const WITHOUT_QUOTES = /^[^\x00-\x1f"\\\x7f-\x9f]*$/;

/** Narrowed by whoever asks for it. */
export const searchable = z.string().regex(WITHOUT_QUOTES, 'must have no quotes and no backslash');

export const cursor = z
  .string()
  .regex(/^[\w-]{1,10000}$/, 'must be the next of the page before')
  .meta({ description: 'The `next` of the page before' });

export const ofProcess = z.object({ key });

/** In a query. */
export const flag = (usual: 'true' | 'false', description: string) =>
  z
    .enum(['true', 'false'])
    .default(usual)
    .transform((text) => text === 'true')
    .meta({ description });

/** Any JSON: the body was read as such. */
export const json = z.unknown();
