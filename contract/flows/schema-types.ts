// The TypeScript types of the schemas here: readonly throughout, as what comes from a process is.
import type { z } from 'zod';
import type { Json } from './chart-progress.ts';
import type { Roles } from './flow-input.ts';

// Json is readonly already, and has no end.
type DeepReadonly<T> = Json extends T
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
type Alike<A, B> = [A, B, keyof A, keyof B] extends [B, A, keyof B, keyof A] ? true : never;
/** Each is assignable to the other, and has the same keys. */
export type Same<A, B> = Alike<DeepReadonly<A>, DeepReadonly<B>>;

export type Of<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;
/** The type of a schema that is made for the roles of a flow. */
export type OfRoles<Make extends (roles: Roles) => z.ZodType> = Of<ReturnType<Make>>;
