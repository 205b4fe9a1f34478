// What a person reads where zod finds a value wrong: what it must be, and what it is. For every check whose messages people
// read: zod's own words are for programmers ("Too small: expected number to be >=1").
import type { z } from 'zod';

/** The second argument of safeParse. A message that a schema gives goes first. */
export const plainMessages = { reportInput: true, error: plainMessage } as const;

/**
 * For an issue of such a check. A schema's message says what is wrong with a value: where none is given it does not fit, unless
 * it says so itself.
 */
export function formatIssue(issue: z.core.$ZodIssue): string {
  if (issue.input !== undefined || issue.message.startsWith('is required')) return issue.message;
  return formatMissing(issue) ?? issue.message;
}

/** The words for every issue, each with its place. @param whole names the value that was checked, like "the body" */
export const formatIssues = ({ issues }: z.ZodError, whole: string): string[] =>
  issues.map((issue) => `${issue.path.join('.') || whole}: ${formatIssue(issue)}`);

function formatMissing(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const expected = String(issue.expected);
    return `is required (expected ${typeNames[expected] ?? expected})`;
  }
  if (issue.code === 'invalid_value')
    return `is required (expected ${oneOf(issue.values as readonly unknown[])})`;
  return undefined;
}

/** Undefined: zod's own words stay. */
function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  if (input === undefined) return formatMissing(issue);
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(typeNames[issue.expected as string] ?? String(issue.expected))}, not ${describeInput(input, issue.expected)}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values as readonly unknown[])}, not ${quoted(input)}`;
    case 'too_small':
      return formatLimit(
        issue,
        issue.minimum as number,
        issue.inclusive === false ? 'more than' : 'at least',
      );
    case 'too_big':
      return formatLimit(issue, issue.maximum as number, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      return formats[issue.format as string];
    case 'invalid_union':
      return issue.discriminator === undefined ? undefined : formatKinds(issue);
    case 'unrecognized_keys':
      return formatUnknown(issue);
    default:
      return undefined;
  }
}

function formatUnknown({ keys, inst }: z.core.$ZodRawIssue): string {
  // The schema is an object, or a map whose keys are known.
  const { shape, keyType } = (inst?._zod.def ?? {}) as {
    readonly shape?: object;
    readonly keyType?: z.core.$ZodType;
  };
  const known = shape ? Object.keys(shape) : [...(keyType?._zod.values ?? [])].map(String);
  const expected = known.length > 0 ? ` (expected any of ${listed(known)})` : '';
  return `has fields that are not known here: ${listed(keys as readonly string[])}${expected}`;
}

/** For an object whose kind is one of its fields: the issue has the field's place and the object's value. */
function formatKinds({ input, discriminator, options }: z.core.$ZodRawIssue): string {
  const kinds = oneOf(options as readonly unknown[]);
  const kind = (input as Record<string, unknown> | null)?.[String(discriminator)];
  return kind === undefined ? `is required (expected ${kinds})` : `must be ${kinds}, not ${quoted(kind)}`;
}

const typeNames: Readonly<Record<string, string>> = {
  int: 'whole number',
  boolean: 'true or false',
  record: 'object',
  array: 'list',
};

const formats: Readonly<Record<string, string>> = {
  datetime: 'must be a moment in ISO 8601, like 2031-05-01T12:00:00Z',
  url: 'must be an address like https://lockers.example',
};

const withArticle = (type: string): string =>
  type === 'true or false' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

function describeInput(input: unknown, expected: unknown): string {
  // A number of the wrong kind is shown: 1.5 for a whole number, NaN for a query that is not a number.
  if (typeof input === 'number' && (expected === 'int' || !Number.isFinite(input))) return String(input);
  if (input === null) return 'null';
  if (typeof input === 'boolean') return String(input);
  return withArticle(Array.isArray(input) ? 'list' : typeof input);
}

function formatLimit(
  { origin, input }: z.core.$ZodRawIssue,
  limit: number,
  bound: string,
): string | undefined {
  if (origin === 'number' || origin === 'int') return `must be ${bound} ${limit}, not ${String(input)}`;
  const things = { string: 'character', array: 'element' }[String(origin)];
  if (things === undefined) return undefined;
  if (limit === 1 && bound === 'at least') return 'must not be empty';
  return `must have ${bound} ${limit.toLocaleString('en')} ${things}${limit === 1 ? '' : 's'}`;
}

/** a, b or c. */
export const eitherOf = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names.join('');

/** No more of a text than tells a person which it is. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;

const LONGEST_SHOWN = 60;
/** Fields that an issue names. */
const MAX_NAMES = 50;
const LONGEST_NAMES = 500;

const listed = (names: readonly string[]): string =>
  shortened(names.slice(0, MAX_NAMES).join(', '), LONGEST_NAMES);

/** A text in quotes; anything else by its kind. */
function quoted(input: unknown): string {
  if (typeof input === 'number') return String(input);
  if (typeof input !== 'string') return describeInput(input, undefined);
  return `"${shortened(input, LONGEST_SHOWN)}"`;
}
