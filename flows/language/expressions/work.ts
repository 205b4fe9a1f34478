// Counts the work of one expression: puts a counter before each turn of a loop, call and operator of its syntax tree.
import type { ASTNode, Optional } from '@marcbachmann/cel-js';
import { type Budget, costOf, costOfIterable, DEEPEST_TYPE, mayJoin } from './cost.ts';
import { type AnyMap, isCollection, namesOf, valueAt } from './maps.ts';

/** The parts of the library's tree that we use and that its types do not declare. */
interface Node {
  readonly op: string;
  args: unknown;
  readonly meta: { readonly alternate?: Node; readonly macro?: { readonly val?: Node; readonly exp?: Node } };
  handle?: (...args: unknown[]) => unknown;
  evaluate(evaluator: unknown, node: Node, context: unknown): unknown;
}

interface Loop {
  readonly iterable: Node;
  readonly init: Node;
  step: Node;
  readonly kind?: string;
  readonly errorsAreFatal: boolean;
}

interface Type {
  readonly kind: string;
  readonly keyType: Type;
}

/** The library's own; one for all expressions of an environment. */
interface Evaluator {
  readonly registry: { getListType(of: Type): Type; getMapType(key: Type, of: Type): Type };
  debugType(value: unknown): Type;
  debugTypeDeep(value: unknown): Type;
}

/** What a handler gets: the data, and where the evaluator is among its arguments. */
interface Handler {
  readonly data: (args: readonly unknown[]) => readonly unknown[];
  readonly evaluator: number;
}

const operator: Handler = { data: (args) => args.slice(0, 2), evaluator: 3 };
const binary: readonly string[] = ['==', '!=', 'in', '+', '-', '*', '/', '%', '<', '<=', '>', '>='];
const handlers: Readonly<Record<string, Handler>> = {
  call: { data: ([given]) => given as unknown[], evaluator: 2 },
  rcall: { data: ([given]) => given as unknown[], evaluator: 1 },
  ...Object.fromEntries(binary.map((op) => [op, operator])),
};
/** CEL goes on after an error in an operand of these, so their operands may fail again and again. */
const forgiving: readonly string[] = ['||', '&&'];
const optionalAccess: readonly string[] = ['.?', '[?]'];

/** Charged for each part of an expression, each time that it is evaluated. */
const PER_NODE = 1 / 8;
const PER_TURN = 2;
// To make an error with its stack and its place in the text takes about 50 microseconds.
const FAILURE = 100;

export function meterWork(ast: ASTNode): (budget: Budget, run: () => unknown) => unknown {
  let current: Budget | undefined;
  const spend: Spend = {
    take: (units) => current?.take(units),
    quietly: (units) => current?.takeQuietly(units),
    left: () => current?.left ?? 0,
    isSpent: () => current?.isSpent ?? false,
    exceeded: () => current?.exceeded(),
  };
  const nodes = meter(ast as unknown as Node, spend, new Set());
  return (budget, run) => {
    current = budget;
    budget.take(nodes * PER_NODE);
    let value: unknown;
    try {
      value = run();
    } catch (error) {
      // Whatever the library makes of it.
      throw budget.isSpent ? budget.exceeded() : error;
    }
    if (budget.isSpent) throw budget.exceeded();
    return value;
  };
}

interface Spend {
  take(units: number): void;
  /** For the turns of a loop and for errors: it does not throw. */
  quietly(units: number): void;
  left(): number;
  isSpent(): boolean;
  exceeded(): unknown;
}

/** Gives how many nodes are evaluated once: those of a loop's step are charged with each turn. */
function meter(node: Node, spend: Spend, seen: Set<Node>): number {
  const { alternate } = node.meta;
  const actual = alternate ?? node;
  if (seen.has(actual)) return 0;
  seen.add(actual);
  let nodes = 1;
  if (actual.op === 'comprehension') nodes += meterLoop(actual, spend, seen);
  else meterHandle(actual, spend);
  for (const part of [actual.args].flat(3)) if (isNode(part)) nodes += meter(part, spend, seen);
  if (forgiving.includes(actual.op))
    for (const part of actual.args as unknown[])
      if (isNode(part)) meterFailures(part.meta.alternate ?? part, spend);
  return nodes;
}

function meterHandle(node: Node, spend: Spend): void {
  const { op, handle } = node;
  if (!handle) return;
  const handler = handlers[op];
  if (handler) {
    const name = op === 'call' || op === 'rcall' ? String((node.args as unknown[])[0]) : op;
    node.handle = (...args) => {
      limitTypes(args[handler.evaluator] as Evaluator);
      const data = handler.data(args);
      const { units, isEqual } = costOf(name, data, spend.left());
      spend.take(units);
      if (name === 'join') mayJoin(data);
      const value = handle(...args);
      return isEqual === false ? name === '!=' : value;
    };
  } else if (optionalAccess.includes(op))
    node.handle = (...args) => {
      const found = handle(...args);
      if (!(found as Optional).hasValue()) spend.quietly(FAILURE);
      return found;
    };
}

function meterFailures(node: Pick<Node, 'evaluate'>, spend: Spend): void {
  let { evaluate } = node;
  const metered = function metered(this: unknown, ...args: Parameters<Node['evaluate']>) {
    try {
      return evaluate.apply(this, args);
    } catch (error) {
      spend.quietly(FAILURE);
      throw error;
    }
  };
  // At its first run a node replaces its own function with a faster one.
  Object.defineProperty(node, 'evaluate', {
    get: () => metered,
    set: (faster: Node['evaluate']) => {
      evaluate = faster;
    },
  });
}

function meterLoop(node: Node, spend: Spend, seen: Set<Node>): number {
  const loop = node.args as Loop;
  const { step, kind, init, errorsAreFatal } = loop;
  const nodes = meter(loop.iterable, spend, seen) + meter(init, spend, seen);
  const perTurn = PER_TURN + meter(step, spend, seen) * PER_NODE;
  // The library uses only this function of a loop's step.
  const metered: Pick<Node, 'evaluate'> = {
    evaluate(evaluator, _, context) {
      spend.quietly(perTurn);
      if (!spend.isSpent()) return step.evaluate(evaluator, step, context);
      // `exists` and `all` go on after an error. The value that decides them ends them at once.
      if (kind === 'quantifier' && !errorsAreFatal) return init.args !== true;
      throw spend.exceeded();
    },
  };
  if (kind === 'quantifier') meterFailures(metered, spend);
  loop.step = metered as Node;
  const { handle } = node;
  node.handle = (iterable, ...args) => {
    spend.take(costOfIterable(iterable));
    return handle?.(iterable, ...args);
  };
  return nodes;
}

/** The library keeps each type that it meets, and names a type by all that is in it: they must be few and short. */
function limitTypes(evaluator: Evaluator): void {
  if (!Object.hasOwn(evaluator, 'debugTypeDeep'))
    evaluator.debugTypeDeep = (value) => typeOf(value, evaluator, DEEPEST_TYPE);
}

/** By its first value, as the library does. */
function typeOf(value: unknown, evaluator: Evaluator, levels: number): Type {
  const type = evaluator.debugType(value);
  if (levels === 0 || !isCollection(value)) return type;
  if (Array.isArray(value)) {
    const [first] = value;
    return first === undefined ? type : evaluator.registry.getListType(typeOf(first, evaluator, levels - 1));
  }
  const [name] = namesOf(value as AnyMap);
  return name === undefined
    ? type
    : evaluator.registry.getMapType(
        evaluator.debugType(name),
        typeOf(valueAt(value as AnyMap, name), evaluator, levels - 1),
      );
}

const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && 'op' in part && 'meta' in part;
