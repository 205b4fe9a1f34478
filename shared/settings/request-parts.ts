// Parts of a request as the file of connectors has them: an address, a path below it, a header.
import { z } from 'zod';
import { headerName as anyHeaderName } from './settings-file.ts';

export const AN_ADDRESS = 'an http or https address without user, password and fragment (#…)';

export function addressOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
    ? url
    : undefined;
}

export const webAddress: z.ZodType<URL, string> = z
  .string()
  .refine((text) => addressOf(text) !== undefined, `must be ${AN_ADDRESS}`)
  .transform((text) => new URL(text));

export const pathBelow = z
  .string()
  .regex(/^\/[^\s?#]*$/, 'must be a path that begins with /')
  .default('/');

/** A custom header, not one that the connection or the call makes. */
export const headerName = anyHeaderName.refine(
  (name) => !/^(?:host|connection|content-length|transfer-encoding|idempotency-key|webhook-.*)$/i.test(name),
  'must be another header: the worker sets this one itself',
);

export const headerText = z.string().regex(/^[\x20-\x7e]*$/, 'must have visible ASCII characters only');
