// The fields that several routes have.
import { z } from 'zod';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import { uid } from '../../contract/wire/fields.ts';

const RESERVED = [...Object.values(internalIds), 'temporal-sys-'];

/** The business key of a process that exists. */
export const key = uid.meta({ description: 'The business key of the process', examples: ['order-1042'] });

/** One that a process may be started with. */
export const newKey = key.regex(
  new RegExp(`^(?!${RESERVED.join('|')})`),
  'must not begin like the ids of lockerflow itself; expected a key of your own, like order-1042',
);

export const flowName = z
  .string()
  .regex(/^[A-Z][A-Za-z0-9_-]{0,63}$/, 'must be the name of a flow, like Issue')
  .meta({ description: 'The name of a flow, built in or published', examples: ['Issue'] });

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

/** What a person may do, as a form, and the request that does it. */
export const choice = z
  .object({
    id: z.string(),
    label: z.string(),
    consequence: z.string(),
    fields: z.array(
      z.looseObject({
        name: z.string(),
        label: z.string(),
        kind: z.enum(['text', 'lines', 'number', 'yesNo', 'date', 'instant', 'json', 'select']),
        options: z.array(z.string()).optional(),
        optional: z.literal(true).optional(),
      }),
    ),
    request: z
      .object({ path: z.string(), body: z.looseObject({}) })
      .meta({ description: 'The fields go into its body; `values.cost` is the field cost within values' }),
    isDestructive: z.literal(true).optional(),
  })
  .meta({ title: 'Choice' });
