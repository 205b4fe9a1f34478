// The CEL that flow files may use: its variables, its functions, and the limits of an expression. The version of the library
// is fixed: this folder uses parts of its syntax tree that its types do not declare. Tests check these parts.
import { Environment } from '@marcbachmann/cel-js';
import { calendarFunctions } from './calendar-functions.ts';
import { ExpressionFailure } from './failure.ts';
import { functionName, type OwnFunctions } from './literals.ts';
import { hasName, isMap, valueAt } from './maps.ts';
import { momentFunctions } from './moment-functions.ts';

export type { Environment } from '@marcbachmann/cel-js';

/** `range` gives no longer list. A value that an expression gives may hold fewer numbers. */
const LONGEST_RANGE = 10_000;

type Scalar = number | bigint | string;
type Items = readonly unknown[];

const wrong = (what: string, value: unknown, expected: string): TypeError =>
  new TypeError(`${what} ${kindOf(value)}; expected ${expected}`);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return (
    { bigint: 'a number', number: 'a number', string: 'a text', boolean: 'true or false' }[
      typeof value as 'number'
    ] ?? 'a map'
  );
}

function numberOf(value: unknown, name: string): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw wrong(`${name} has`, value, 'numbers');
  return Number(value);
}

/** Numbers, or texts by their characters: so instants are compared too, if they have the same form. */
function comparable(items: Items, name: string): readonly Scalar[] {
  const [first] = items;
  const isText = typeof first === 'string';
  for (const item of items)
    if (isText ? typeof item !== 'string' : typeof item !== 'number' && typeof item !== 'bigint')
      throw wrong(`${name} has`, item, 'only numbers or only texts');
  return items as readonly Scalar[];
}

const compared = (one: Scalar, other: Scalar): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

function extreme(items: Items, name: string, sign: 1 | -1): Scalar {
  const [first, ...rest] = comparable(items, name);
  if (first === undefined) throw new TypeError(`the list is empty; ${name} expected at least one item`);
  return rest.reduce((best, each) => (compared(each, best) * sign < 0 ? each : best), first);
}

/** The field of each map in a list. */
function fieldsOf(items: Items, field: string): readonly unknown[] {
  return items.map((item) => {
    if (isMap(item) && hasName(item, field)) return valueAt(item, field);
    throw wrong('the list has', item, `maps that have the field ${field}`);
  });
}

function sortedBy(items: Items, keys: Items): unknown[] {
  const sortable = comparable(keys, 'sort');
  return items
    .map((_, index) => index)
    .sort((one, other) => compared(sortable[one] as Scalar, sortable[other] as Scalar))
    .map((index) => items[index]);
}

/** Refuses a list that is too long before it is made. */
function lengthOfRange(value: unknown): number {
  const length = numberOf(value, 'range');
  if (!Number.isInteger(length) || length < 0)
    throw new TypeError(`range expected a whole number from 0, but got ${length}`);
  if (length <= LONGEST_RANGE) return length;
  const reason = `range gives a list of ${length} numbers, expected at most ${LONGEST_RANGE}`;
  throw new ExpressionFailure({ code: 'ValueTooLarge', path: '', reason });
}

/** By their signatures. `dyn` in place of a number: an operator takes the result beside whole numbers too. */
const dataFunctions: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'list.sum(): dyn': (items: Items) => items.reduce<number>((sum, each) => sum + numberOf(each, 'sum'), 0),
  'list.min(): dyn': (items: Items) => extreme(items, 'min', 1),
  'list.max(): dyn': (items: Items) => extreme(items, 'max', -1),
  'list.sort(): list': (items: Items) => sortedBy(items, items),
  'list.sort(string): list': (items: Items, field: string) => sortedBy(items, fieldsOf(items, field)),
  'range(dyn): list': (length: unknown) => Array.from({ length: lengthOfRange(length) }, (_, index) => index),
};

/** What they give, for the reference. */
export const dataMeanings: Readonly<Record<string, string>> = {
  'list.sum()': 'the sum of numbers; 0 for an empty list',
  'list.min()': 'the least of numbers, or of texts by their characters',
  'list.max()': 'the greatest of them',
  'list.sort()': 'numbers or texts in order',
  "list.sort('field')": 'maps in the order of a field',
  'range(n)': 'the numbers from 0 up to n, which is left out',
};

/** The variables of an expression. */
export const variables = ['input', 'context', 'event', 'flow', 'now', 'calendars'] as const;

/** The variables of the expression `keep` of a call. */
const answerVariables = ['status', 'headers', 'body'] as const;

const ofProcess = ['input', 'context', 'flow', 'now', 'calendars'] as const;

/** The variables of the expressions within an `each`: they are evaluated for each item, whatever event there is. */
const eachVariables = {
  do: [...ofProcess, 'item', 'index'],
  keep: [...ofProcess, 'item', 'index', 'output'],
  enough: [...ofProcess, 'done', 'failed'],
} as const;

const ownMethods = [...new Set(Object.keys(dataFunctions).map(functionName))].flatMap((name) =>
  name.includes('.') ? [name.slice(name.indexOf('.') + 1)] : [],
);

/** The functions of moments, durations and calendars. */
export const timeFunctions: OwnFunctions = { ...momentFunctions, ...calendarFunctions };

/** The functions, and the methods of texts and lists. `matches` is left out: a JavaScript RegExp can hang a worker. */
export const functionNames: readonly string[] = [
  ...['has', 'size', 'string', 'int', 'double', 'bool', 'dyn'],
  ...Object.keys(timeFunctions).map(functionName),
  'range',
];
export const methodNames: readonly string[] = [
  ...[
    'size',
    'startsWith',
    'endsWith',
    'contains',
    'lowerAscii',
    'upperAscii',
    'trim',
    'indexOf',
    'lastIndexOf',
  ],
  ...[
    'substring',
    'split',
    'join',
    'all',
    'exists',
    'exists_one',
    'map',
    'filter',
    'orValue',
    'hasValue',
    'value',
  ],
  ...ownMethods,
];

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

/** The variables of a key of `correlate`. */
const correlateVariables = ['input', 'context', 'flow'] as const;

/** Those that we have registered: all of ours may have any value. */
export const variablesOf = (environment: Environment): readonly string[] =>
  environment
    .getDefinitions()
    .variables.filter(({ type }) => type === 'dyn')
    .map(({ name }) => name);

function environment(names: readonly string[]): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 500, maxDepth: 40, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 8 },
  });
  for (const name of names) made.registerVariable(name, 'dyn');
  // A number of JSON is a double in CEL, and a whole number in an expression is an int: operators must take both together.
  for (const [operator, apply] of Object.entries(arithmetic)) {
    const mixed = (left: unknown, right: unknown) => apply(Number(left), Number(right));
    made.registerOperator(`double ${operator} int: double`, mixed);
    made.registerOperator(`int ${operator} double: double`, mixed);
  }
  made.registerOperator('double % double: double', arithmetic['%'] as never);
  for (const [signature, { run }] of Object.entries(timeFunctions))
    made.registerFunction(signature, run as never);
  for (const [signature, implementation] of Object.entries(dataFunctions))
    made.registerFunction(signature, implementation as never);
  return made;
}

/** For all expressions of a file, except `keep` of a call. */
export const stepEnvironment = environment(variables);

/** For the `keep` of a call. */
export const answerEnvironment = environment(answerVariables);

/** For the parts of an `each`. */
export const eachEnvironments = {
  do: environment(eachVariables.do),
  keep: environment(eachVariables.keep),
  enough: environment(eachVariables.enough),
} as const;

/** Made only where files are checked: what evaluates them gives these variables alone. */
export const correlateEnvironment = (): Environment => environment(correlateVariables);

/** For what an event starts. */
export const eventEnvironment = (): Environment => environment(['event']);

/** For the body of a connector's messages to people. */
export const messageEnvironment = (): Environment => environment(['message']);

/** For the body of a connector's requests for a mechanic. */
export const mechanicEnvironment = (): Environment => environment(['request']);

/** For the body of a connector's notifications. */
export const notificationEnvironment = (): Environment => environment(['notification']);
