// Rules of a request that concern several of its fields, such as "one of From and To".
// A rule runs also when other fields are wrong: the refusal names every offending field (assumptions: The wire).
import { z } from 'zod';

/** The fields of a request, some of which may be absent or of a wrong type: a rule asks only what is given. */
type Fields<Schema extends z.ZodObject> = { readonly [Field in keyof z.infer<Schema>]?: unknown };

export interface FieldRule<Schema extends z.ZodObject> {
  /** The field to name in the refusal. */
  readonly field: keyof z.infer<Schema> & string;
  readonly isBroken: (fields: Fields<Schema>) => boolean;
  readonly message: string;
}

const rules = z.registry<{ rules: readonly { readonly field: string; readonly message: string }[] }>();

/** The rules of a schema, for the documentation. */
export const rulesOf = (schema: z.ZodObject) => rules.get(schema)?.rules ?? [];

/** Adds rules to an object schema. By itself zod skips a check of the whole once any field is invalid. */
export function withRules<Schema extends z.ZodObject>(
  schema: Schema,
  added: readonly FieldRule<Schema>[],
): Schema {
  const ruled = added.reduce(
    (before, { field, isBroken, message }) =>
      before.refine((value) => !isBroken(value), {
        path: [field],
        error: message,
        when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
      }),
    schema,
  );
  rules.add(ruled, { rules: added });
  return ruled;
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
