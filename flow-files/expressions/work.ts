// Counts the work of one expression: puts a counter before each turn of a loop, call and operator of its syntax tree.
import type { ASTNode, Optional } from '@marcbachmann/cel-js';
import { bounds } from '../flow-file.ts';
import type { Budget } from './budget.ts';
import { ExpressionFailure } from './failure.ts';

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

/** The arguments of a handler that are data. */
const dataOf: Readonly<Record<string, (args: readonly unknown[]) => readonly unknown[]>> = {
  call: ([given]) => given as unknown[],
  rcall: ([given]) => given as unknown[],
};
/** CEL goes on after an error in an operand of these, so their operands may fail again and again. */
const forgiving: readonly string[] = ['||', '&&'];
const optionalAccess: readonly string[] = ['.?', '[?]'];
const operators: readonly string[] = ['==', '!=', 'in', '+', '<', '<=', '>', '>='];

export function meterWork(ast: ASTNode): (budget: Budget, run: () => unknown) => unknown {
  let current: Budget | undefined;
  const take = (units: number) => current?.take(units);
  const spend: Spend = {
    take,
    turn: () => current?.takeQuietly(2),
    failure: () => current?.takeQuietly(FAILURE),
    isSpent: () => current?.isSpent ?? false,
    exceeded: () => current?.exceeded(),
  };
  meter(ast as unknown as Node, spend, new Set());
  return (budget, run) => {
    current = budget;
    const value = run();
    if (budget.isSpent) throw budget.exceeded();
    return value;
  };
}

// To make an error with its stack and its place in the text takes about 50 microseconds.
const FAILURE = 100;

interface Spend {
  take(units: number): void;
  failure(): void;
  turn(): void;
  isSpent(): boolean;
  exceeded(): unknown;
}

function meter(node: Node, spend: Spend, seen: Set<Node>): void {
  const { alternate } = node.meta;
  const actual = alternate ?? node;
  if (seen.has(actual)) return;
  seen.add(actual);
  if (actual.op === 'comprehension') meterLoop(actual.args as Loop, spend, seen);
  meterHandle(actual, spend);
  for (const part of [actual.args].flat(3)) if (isNode(part)) meter(part, spend, seen);
  if (forgiving.includes(actual.op))
    for (const part of actual.args as unknown[])
      if (isNode(part)) meterFailures(part.meta.alternate ?? part, spend);
}

function meterHandle(node: Node, spend: Spend): void {
  const { op, handle } = node;
  if (!handle) return;
  const data = dataOf[op] ?? (operators.includes(op) ? (args: readonly unknown[]) => args.slice(0, 2) : null);
  if (data) {
    const name = String((node.args as unknown[])[0]);
    node.handle = (...args) => {
      spend.take(costOf(name, data(args)));
      return handle(...args);
    };
  } else if (optionalAccess.includes(op))
    node.handle = (...args) => {
      const found = handle(...args);
      if (!(found as Optional).hasValue()) spend.failure();
      return found;
    };
}

function meterFailures(node: Pick<Node, 'evaluate'>, spend: Spend): void {
  let { evaluate } = node;
  const metered = function metered(this: unknown, ...args: Parameters<Node['evaluate']>) {
    try {
      return evaluate.apply(this, args);
    } catch (error) {
      spend.failure();
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

function meterLoop(loop: Loop, spend: Spend, seen: Set<Node>): void {
  for (const part of [loop.iterable, loop.init, loop.step]) meter(part, spend, seen);
  const { step, kind, init, errorsAreFatal } = loop;
  // The library uses only this function of a loop's step.
  const metered: Pick<Node, 'evaluate'> = {
    evaluate(evaluator, _, context) {
      spend.turn();
      if (!spend.isSpent()) return step.evaluate(evaluator, step, context);
      // `exists` and `all` go on after an error. The value that decides them ends them at once.
      if (kind === 'quantifier' && !errorsAreFatal) return init.args !== true;
      throw spend.exceeded();
    },
  };
  if (kind === 'quantifier') meterFailures(metered, spend);
  loop.step = metered as Node;
}

const searches: readonly string[] = ['contains', 'indexOf', 'lastIndexOf', 'split'];

function costOf(name: string, data: readonly unknown[]): number {
  const sizes = data.map(sizeOf);
  if (name === 'join') mayJoin(data);
  // The worst texts make a search take as long as the product of both lengths.
  if (searches.includes(name)) return 1 + ((sizes[0] ?? 0) * (sizes[1] ?? 1)) / 1_024;
  return 1 + sizes.reduce((sum, size) => sum + size, 0) / 32;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? 32 : 1;
}

/** Refuses a `join` that gives too long a text: a list may have the same long text many times. */
function mayJoin([list, separator]: readonly unknown[]): void {
  const texts = Array.isArray(list) ? list : [];
  const length = texts.reduce<number>((sum, text) => sum + sizeOf(text) + sizeOf(separator ?? ''), 0);
  if (length > bounds.contextBytes)
    throw new ExpressionFailure({
      code: 'ValueTooLarge',
      path: '',
      reason: `join gives a text of ${length} characters, expected at most ${bounds.contextBytes}`,
    });
}

const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && 'op' in part && 'meta' in part;
