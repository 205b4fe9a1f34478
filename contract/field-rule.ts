// Rules of a request that concern several of its fields, such as "one of From and To".
// A rule runs also when other fields are wrong: the refusal names every offending field (decisions §6).
import type { z } from 'zod';

/** The fields of a request, some of which may be absent or of a wrong type: a rule asks only what is given. */
type Fields<Schema extends z.ZodObject> = { readonly [Field in keyof z.infer<Schema>]?: unknown };

export interface FieldRule<Schema extends z.ZodObject> {
  /** The field to name in the refusal. */
  readonly field: keyof z.infer<Schema> & string;
  readonly isBroken: (fields: Fields<Schema>) => boolean;
  readonly message: string;
}

/** Adds rules to an object schema. By itself zod skips a check of the whole once any field is invalid. */
export function withRules<Schema extends z.ZodObject>(
  schema: Schema,
  rules: readonly FieldRule<Schema>[],
): Schema {
  return rules.reduce(
    (ruled, { field, isBroken, message }) =>
      ruled.refine((value) => !isBroken(value), {
        path: [field],
        error: message,
        when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
      }),
    schema,
  );
}

/** A null means the same as absence. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Once one field of a group is given, all must be: one rule for each field. */
export const wholeGroup = <Field extends string>(group: readonly Field[]) =>
  group.map((field) => ({
    field,
    isBroken: (fields: { readonly [Name in Field]?: unknown }) =>
      !isGiven(fields[field]) && group.some((name) => isGiven(fields[name])),
    message: `is required when any of ${group.join(', ')} is given`,
  }));
