// The fields that several routes have.
import { z } from 'zod';
import { key } from '../../processes/views/process-fields.ts';

export const why = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .meta({
    description: 'Why; the process keeps it with who and when',
    examples: ['the order was withdrawn'],
  });

export const cursor = z
  .string()
  .regex(/^[\w-]{1,10000}$/, 'must be the next of the page before')
  .meta({ description: 'The `next` of the page before' });

export const ofProcess = z.object({ key });

/** Any JSON: the body was read as such. */
export const json = z.unknown();
