// What a failure says of the operation that the service has refused, as data beside its code: so that nobody reads its words to
// know it.
import { z } from 'zod';
import { lockersTried, lockersTriedIn } from './lockers-tried.ts';

/** An operation that the service does not have, or does not have here. */
export const isNotOffered = (code: unknown): boolean =>
  code === 'UnknownOperation' || code === 'NotAvailable';

export const refusedCall = {
  lockersTried: lockersTried.exactOptional().meta({ description: 'Of NoLockerAvailable' }),
  notOffered: z
    .string()
    .exactOptional()
    .meta({ description: 'The operation that the locker service does not offer, where that is why' }),
};

const schema = z.object(refusedCall);
export type RefusedCall = Readonly<z.infer<typeof schema>>;

/** @param detail the first of the details of a failure, as activities make them */
export function refusedCallIn(code: unknown, detail: unknown): RefusedCall {
  const tried = lockersTriedIn(detail);
  const { operation } = (detail ?? {}) as { readonly operation?: unknown };
  return {
    ...(tried && { lockersTried: tried }),
    ...(isNotOffered(code) && typeof operation === 'string' && { notOffered: operation }),
  };
}
