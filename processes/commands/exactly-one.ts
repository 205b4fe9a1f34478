// An input that has several ways to say one thing takes exactly one of them, like a time or a duration. The ways stand once
// beside the input; its check, the rule of its JSON Schema and the options of the command line follow from them.
import type { z } from 'zod';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';

/** Each way by its name, with the fields that it needs: all of them. */
export type Ways = Readonly<Record<string, readonly string[]>>;

const known = new WeakMap<z.ZodType, readonly Ways[]>();

/** The same input, that is refused unless it has one of the ways of each. */
export function exactlyOne<Input extends z.ZodType<object>>(input: Input, ...all: readonly Ways[]): Input {
  const checked = input.superRefine((given, { addIssue }) => {
    const isGiven = (field: string) => (given as Readonly<Record<string, unknown>>)[field] !== undefined;
    for (const ways of all) {
      const begun = Object.values(ways).filter((fields) => fields.some(isGiven));
      const wrong = (field: string | undefined, message: string) =>
        field !== undefined && addIssue({ code: 'custom', message, path: [field] });
      const [[field] = []] = begun;
      if (begun.length > 1) wrong(field, `expected only one of ${wordsOf(ways)}`);
      else if (begun.length === 0)
        wrong(Object.values(ways)[0]?.[0], `is missing: expected one of ${wordsOf(ways)}`);
      else for (const missing of begun.flat().filter((each) => !isGiven(each))) wrong(missing, 'is missing');
    }
  });
  known.set(checked, all);
  return checked;
}

export const waysOf = (input: z.ZodType): readonly Ways[] => known.get(input) ?? [];

/** As a rule beside the properties of the input. */
export const ruleOf = (input: z.ZodType): JsonSchema => {
  const rules = waysOf(input).map((ways) => ({ oneOf: Object.values(ways).map((way) => onlyOf(way, ways)) }));
  return rules.length > 0 ? { allOf: rules } : {};
};

function onlyOf(way: readonly string[], ways: Ways): JsonSchema {
  const others = Object.values(ways).filter((each) => each !== way);
  return { required: [...way], not: { anyOf: others.flat().map((name) => ({ required: [name] })) } };
}

const wordsOf = (ways: Ways): string =>
  Object.values(ways)
    .map((fields) => fields.join(' with '))
    .join(', ');
