// What a person has filled in, as a decision needs it. What is missing or wrong is told at its field.

import { z } from 'zod';
import { inPlainWords } from '../../contract/wire/issue-words.ts';
import { ConsoleRefusal, type Fields, fieldsOf } from '../refusal.ts';

export type Values = Readonly<Record<string, unknown>>;

// As long as a person types: the process keeps it in its history.
const LONGEST_TEXT = 2_000;

/** It may be empty. */
export const anyText = z
  .string('is missing')
  .trim()
  .max(LONGEST_TEXT, `is too long; at most ${LONGEST_TEXT} characters`);
export const text = anyText.min(1, 'is missing');

export const oneOf = <const Option extends string>(options: readonly Option[]) =>
  z.enum(options, {
    error: ({ input }) =>
      input === undefined || input === '' ? 'is missing' : `must be one of ${options.join(', ')}`,
  });

export const why = z.object({ why: text });

/** Throws a ConsoleRefusal that names every wrong field. */
export function read<Shape extends z.ZodType>(shape: Shape, values: Values): z.infer<Shape> {
  const { data, error } = shape.safeParse(values, inPlainWords);
  if (error) throw refusedFields(fieldsOf(error));
  return data as z.infer<Shape>;
}

export function refusedFields(fields: Fields): ConsoleRefusal {
  // A person knows the field `shipments.issue` as issue.
  const words = Object.entries(fields).map(
    ([name, problem]) => `${name.slice(name.indexOf('.') + 1)} ${problem}`,
  );
  return new ConsoleRefusal(400, 'InvalidRequest', `This cannot be done yet: ${words.join('; ')}.`, fields);
}
