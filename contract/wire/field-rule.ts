// Rules over several fields of a request, such as "one of From and To". A rule is data: the service checks requests with
// it, and the OpenAPI document shows it as JSON Schema.
import { z } from 'zod';
import { eitherOf } from './format-issue.ts';

/**
 * A condition on the fields of a request. `given`: not absent, not null, and not an empty string where that means absent.
 */
export type Condition<Field extends string = string> =
  | { readonly given: Field }
  | { readonly isTrue: Field }
  | { readonly is: readonly [field: Field, value: string] }
  | { readonly atMost: readonly [field: Field, value: number] }
  | { readonly matches: readonly [field: Field, pattern: string] }
  /** The field is a list with this element. */
  | { readonly has: readonly [field: Field, element: string] }
  | { readonly not: Condition<Field> }
  | { readonly all: readonly Condition<Field>[] }
  | { readonly any: readonly Condition<Field>[] }
  /** Exactly one of them. */
  | { readonly one: readonly Condition<Field>[] };

type Fields = Readonly<Record<string, unknown>>;

interface FieldRefusal {
  /** The field to name in the refusal. */
  readonly field: string;
  readonly isBroken: (fields: Fields) => boolean;
  readonly message: string;
}

export interface FieldRule<Field extends string = string> {
  readonly must: Condition<Field>;
  /** At least one of them is broken exactly when `must` does not hold. */
  readonly refusals: readonly FieldRefusal[];
}

const rules = z.registry<{ rules: readonly FieldRule[] }>();

/** The rules of a schema, for the OpenAPI document. */
export const rulesOf = (schema: z.ZodObject): readonly FieldRule[] => rules.get(schema)?.rules ?? [];

/** Adds rules to an object schema. Without this, zod skips them once any field is invalid. */
export function withRules<Schema extends z.ZodObject>(
  schema: Schema,
  added: readonly FieldRule<keyof z.infer<Schema> & string>[],
): Schema {
  const ruled = added
    .flatMap(({ refusals }) => refusals)
    .reduce(
      (before, { field, isBroken, message }) =>
        before.refine((value) => !isBroken(value), {
          path: [field],
          error: message,
          // Also when other fields are wrong: the refusal names every invalid field.
          when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
        }),
      schema,
    );
  rules.add(ruled, { rules: added });
  return ruled;
}

/** A rule whose error names one field. */
export const rule = <const Field extends string>(
  field: Field,
  must: Condition<Field>,
  message: string,
): FieldRule<Field> => ({
  must,
  refusals: [{ field, isBroken: (fields) => !holds(must, fields), message }],
});

/** When one field of the group is given, all must be given. */
export function wholeGroup<const Field extends string>(group: readonly Field[]): FieldRule<Field> {
  const any = { any: group.map((field) => ({ given: field })) };
  return {
    must: { one: [{ all: any.any }, { not: any }] },
    refusals: group.map((field) => ({
      field,
      isBroken: (fields) => holds(any, fields) && !isGiven(fields[field]),
      message: `is required when ${others(group, field)} is given`,
    })),
  };
}

/** At most one field of the group may be given. The error names the second and later ones. */
export function atMostOne<const Field extends string>(group: readonly Field[]): FieldRule<Field> {
  const conditions = group.map((field) => ({ given: field }));
  return {
    must: { one: [{ not: { any: conditions } }, ...conditions] },
    refusals: group.map((field, index) => ({
      field,
      isBroken: (fields) =>
        isGiven(fields[field]) && group.slice(0, index).some((name) => isGiven(fields[name])),
      message: `must not be given together with ${others(group, field)}; send one of them`,
    })),
  };
}

/** At most one of two fields may be given; exactly one if they are required. */
export function eitherOfTwo(field: string, instead: string, isRequired: boolean): FieldRule {
  const both = [{ given: field }, { given: instead }];
  const together = `must not be given together with ${field}; give one of them`;
  const notTogether = rule(instead, { not: { all: both } }, together);
  if (!isRequired) return notTogether;
  const required = rule(field, { any: both }, `is required, or ${instead} in its place`);
  return { must: { one: both }, refusals: [...required.refusals, ...notTogether.refusals] };
}

/** The rule where a field of another name may be given in the place of a field. Of the rule's conditions only `given` may name it. */
export const orInstead = ({ must, refusals }: FieldRule, field: string, instead: string): FieldRule => ({
  must: givenOrInstead(must, field, instead),
  refusals: refusals.map((refusal) => ({
    ...refusal,
    isBroken: (fields) => refusal.isBroken({ ...fields, [field]: fields[field] ?? fields[instead] }),
  })),
});

function givenOrInstead(condition: Condition, field: string, instead: string): Condition {
  const each = (inner: Condition) => givenOrInstead(inner, field, instead);
  if ('given' in condition && condition.given === field) return { any: [condition, { given: instead }] };
  if ('not' in condition) return { not: each(condition.not) };
  if ('all' in condition) return { all: condition.all.map(each) };
  if ('any' in condition) return { any: condition.any.map(each) };
  if ('one' in condition) return { one: condition.one.map(each) };
  return condition;
}

const others = (group: readonly string[], field: string): string =>
  eitherOf(group.filter((name) => name !== field));

/** Null means absent. An empty string that means absent has been read as null already. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Some fields may be absent or have a wrong type: a rule only asks whether they are given. */
function holds(condition: Condition, fields: Fields): boolean {
  if ('given' in condition) return isGiven(fields[condition.given]);
  if ('isTrue' in condition) return fields[condition.isTrue] === true;
  if ('is' in condition) return fields[condition.is[0]] === condition.is[1];
  if ('atMost' in condition) return Number(fields[condition.atMost[0]]) <= condition.atMost[1];
  if ('matches' in condition) {
    const [field, pattern] = condition.matches;
    return new RegExp(pattern, 'u').test(String(fields[field]));
  }
  if ('has' in condition) {
    const list = fields[condition.has[0]];
    return Array.isArray(list) && list.includes(condition.has[1]);
  }
  if ('not' in condition) return !holds(condition.not, fields);
  if ('all' in condition) return condition.all.every((each) => holds(each, fields));
  if ('any' in condition) return condition.any.some((each) => holds(each, fields));
  return condition.one.filter((each) => holds(each, fields)).length === 1;
}
