// A statechart as JSON: xstate's machine configuration, with a name in place of everything that is not data. Guards,
// actions, delays and actors have names in xstate. For functions without names in xstate (the first context, the
// output, the input of an invoke), the chart has { "function": name }.
import { type AnyStateMachine, createMachine } from 'xstate';
import { marked } from '../engine/stepper.ts';

interface NamedFunction {
  readonly function: string;
}

/** A guard or an action, with its params if it takes any. */
type GuardOrAction = string | { readonly type: string; readonly params: unknown };

export interface TransitionData {
  /** Absent: the state does not change. */
  readonly target?: string;
  readonly guard?: GuardOrAction;
  readonly actions?: GuardOrAction | readonly GuardOrAction[];
  readonly reenter?: true;
}

export type TransitionsData = string | TransitionData | readonly TransitionData[];

export interface InvokeData {
  readonly src: string;
  readonly input: NamedFunction;
  readonly onDone?: TransitionsData;
  readonly onError?: TransitionsData;
}

export interface StateData {
  readonly id?: string;
  readonly type?: 'parallel' | 'final';
  readonly initial?: string;
  readonly tags?: readonly string[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly entry?: GuardOrAction | readonly GuardOrAction[];
  readonly invoke?: InvokeData;
  readonly always?: TransitionsData;
  readonly on?: Readonly<Record<string, TransitionsData>>;
  readonly after?: Readonly<Record<string, TransitionsData>>;
  readonly onDone?: TransitionsData;
  readonly states?: Readonly<Record<string, StateData>>;
}

export interface ChartData extends StateData {
  readonly id: string;
  readonly context: NamedFunction;
  readonly output: NamedFunction;
  readonly options: { readonly maxIterations: number };
}

/** What the names of a chart mean. */
export interface Vocabulary {
  readonly guards: object;
  readonly actions: object;
  readonly delays: object;
  readonly actors: object;
  readonly functions: Readonly<Record<string, unknown>>;
}

/** Throws a TypeError if the vocabulary does not have the name of a function. */
export function loadedChart(chart: ChartData, { functions, ...named }: Vocabulary): AnyStateMachine {
  return createMachine(marked(withFunctions(chart, functions) as object), named as never);
}

function withFunctions(part: unknown, functions: Vocabulary['functions']): unknown {
  if (Array.isArray(part)) return part.map((each) => withFunctions(each, functions));
  if (typeof part !== 'object' || part === null) return part;
  if (isNamedFunction(part)) return functionOf(part.function, functions);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withFunctions(value, functions)]),
  );
}

function isNamedFunction(part: object): part is NamedFunction {
  return 'function' in part && Object.keys(part).length === 1;
}

function functionOf(name: string, functions: Vocabulary['functions']): unknown {
  const found = functions[name];
  if (typeof found !== 'function')
    throw new TypeError(
      `the chart names the function ${name}, expected one of ${Object.keys(functions).join(', ')}`,
    );
  return found;
}
