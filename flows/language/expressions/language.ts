// The CEL that flow files may use: its variables, its functions, and the limits of an expression. The version of the library
// is fixed: this folder uses parts of its syntax tree that its types do not declare. Tests check these parts.
import { Environment } from '@marcbachmann/cel-js';
import { calendarFunctions } from './calendars.ts';
import { dataFunctions } from './data.ts';
import { momentFunctions } from './moments.ts';

export type { Environment } from '@marcbachmann/cel-js';

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

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf('('));
const ownMethods = [...new Set(Object.keys(dataFunctions).map(nameOf))].flatMap((name) =>
  name.includes('.') ? [name.slice(name.indexOf('.') + 1)] : [],
);

/** The functions, and the methods of texts and lists. `matches` is left out: a JavaScript RegExp can hang a worker. */
export const functionNames: readonly string[] = [
  ...['has', 'size', 'string', 'int', 'double', 'bool', 'dyn'],
  ...Object.keys({ ...momentFunctions, ...calendarFunctions }).map(nameOf),
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

/** The variables of what `starts` gives a process. */
const startVariables = ['event'] as const;

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
  for (const [signature, implementation] of Object.entries({
    ...momentFunctions,
    ...calendarFunctions,
    ...dataFunctions,
  }))
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
export const startEnvironment = (): Environment => environment(startVariables);

/** The variables of what a hook makes of a request. */
const requestVariables = ['headers', 'body'] as const;
export const requestEnvironment = (): Environment => environment(requestVariables);
