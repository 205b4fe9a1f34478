// What a person or a program has given for a command. What is missing or wrong is said at its field.
import { z } from 'zod';
import { roles } from '../../contract/flows/flow-input.ts';
import type { OfBooking } from '../../contract/flows/flow-messages.ts';
import { LONGEST_MESSAGE } from '../../contract/flows/outreach.ts';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { MAX_ISSUES } from '../../contract/wire/contract-error.ts';
import { plainMessages, shortened } from '../../contract/wire/format-issue.ts';
import { t } from '../../shared/texts/text.ts';
import { CommandError, type Outcome, type WrongFields } from '../outcome.ts';

export type Values = Readonly<Record<string, unknown>>;

// As long as a person types: the process keeps it in its history.
const LONGEST_TEXT = 2_000;

/** It may be empty. */
export const anyText = z
  .string('is missing')
  .trim()
  .max(LONGEST_TEXT, `is too long; at most ${LONGEST_TEXT} characters`);
export const text = anyText.min(1, 'is missing');

/** What is sent outside. */
export const sentText = text.max(LONGEST_MESSAGE, `is too long; at most ${LONGEST_MESSAGE} characters`);

export const oneOf = <const Option extends string>(options: readonly Option[]) =>
  z.enum(options, {
    error: ({ input }) =>
      input === undefined || input === '' ? t`is missing` : t`must be one of ${options.join(', ')}`,
  });

export const roleOfShipment = oneOf(roles).meta({
  description: 'Which shipment of the process, by its role',
});

/** The id of a question that a process asks; left out: the only open one. */
export const questionId = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'Its id; needed where several are open' });

/** The id of a booking of a flow file; left out: the only one that takes the command. */
export const bookingId = text
  .max(200)
  .optional()
  .meta({ description: 'Of a flow file: which booking, by its id; needed where several take it' });

/** As an update has it. */
export const ofBooking = (booking: string | undefined): OfBooking =>
  booking === undefined ? {} : { booking };

export function readValues<Input>(shape: z.ZodType<Input>, values: Values): Outcome<Input> {
  const { data, error } = shape.safeParse(values, plainMessages);
  return error ? { done: false, error: refusedFields(wrongFieldsOf(error)) } : { done: true, value: data };
}

/** The fields of a value that does not have its shape, the first ones: a body may have thousands, each with its words. */
export const wrongFieldsOf = ({ issues }: z.ZodError): WrongFields =>
  firstOf(issues.slice(0, MAX_ISSUES).map(({ path, message }) => [path.join('.'), message]));

const LONGEST_NAME = 200;
const LONGEST_REASON = 1_000;

const firstOf = (fields: readonly (readonly [string, string])[]): WrongFields =>
  Object.fromEntries(
    fields
      .slice(0, MAX_ISSUES)
      .map(([name, words]) => [shortened(name, LONGEST_NAME), shortened(words, LONGEST_REASON)]),
  );

export function refusedFields(all: WrongFields): CommandError {
  const fields = firstOf(Object.entries(all));
  // A person knows the field `shipments.issue` as issue.
  const words = Object.entries(fields).map(
    ([name, problem]) => `${name.slice(name.indexOf('.') + 1)} ${problem}`,
  );
  return new CommandError('wrongInput', 'InvalidRequest', t`Wrong input: ${words.join('; ')}.`, {
    fields,
  });
}

/** Each way by its name, with the fields that it needs: all of them. */
export type FieldAlternatives = Readonly<Record<string, readonly string[]>>;

const known = new WeakMap<z.ZodType, readonly FieldAlternatives[]>();

/** The same input, that is refused unless it has one of the ways of each. */
export function exactlyOne<Input extends z.ZodType<object>>(
  input: Input,
  ...all: readonly FieldAlternatives[]
): Input {
  const checked = input.superRefine((given, { addIssue }) => {
    for (const ways of all) {
      const begun = waysIn(given, ways);
      const wrong = (field: string | undefined, message: string) =>
        field !== undefined && addIssue({ code: 'custom', message, path: [field] });
      const [[field] = []] = begun;
      if (begun.length > 1) wrong(field, t`expected only one of ${formatWays(ways)}`);
      else if (begun.length === 0)
        wrong(Object.values(ways)[0]?.[0], t`is missing: expected one of ${formatWays(ways)}`);
      else
        for (const missing of begun.flat().filter((each) => !isGiven(given, each)))
          wrong(missing, t`is missing`);
    }
  });
  known.set(checked, all);
  return checked;
}

const isGiven = (input: object, field: string): boolean =>
  (input as Readonly<Record<string, unknown>>)[field] !== undefined;

/** Those of which an input has a field. */
export const waysIn = (input: object, ways: FieldAlternatives): (readonly string[])[] =>
  Object.values(ways).filter((fields) => fields.some((field) => isGiven(input, field)));

export const fieldAlternativesOf = (input: z.ZodType): readonly FieldAlternatives[] => known.get(input) ?? [];

/** As a rule beside the properties of the input. */
export const ruleOf = (input: z.ZodType): JsonSchema => {
  const rules = fieldAlternativesOf(input).map((ways) => ({
    oneOf: Object.values(ways).map((way) => onlyOf(way, ways)),
  }));
  return rules.length > 0 ? { allOf: rules } : {};
};

function onlyOf(way: readonly string[], ways: FieldAlternatives): JsonSchema {
  const others = Object.values(ways).filter((each) => each !== way);
  return { required: [...way], not: { anyOf: others.flat().map((name) => ({ required: [name] })) } };
}

const formatWays = (ways: FieldAlternatives): string =>
  Object.values(ways)
    .map((fields) => fields.join(' with '))
    .join(', ');
