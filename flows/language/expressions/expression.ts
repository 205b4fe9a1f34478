// One expression of a file: parses it, checks that it uses only allowed names, and evaluates it within a budget of work.
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { bounds, type Json } from '../flow-file.ts';
import type { Budget } from './cost.ts';
import { ExpressionFailure } from './failure.ts';
import { functionNames, methodNames, stepEnvironment } from './language.ts';
import { isNode } from './literals.ts';
import { Variables } from './maps.ts';
import { toJson } from './result.ts';
import { meterWork } from './work.ts';

export interface Place {
  /** The path in the file. */
  readonly path: string;
  /** How large its value may be as JSON. */
  readonly maxBytes?: number;
}

/** The values that an expression can read, by variable. */
export type Scope = Readonly<Record<string, unknown>>;

export type Expression = (scope: Scope, budget: Budget) => Json;

/** What is wrong with an expression, in words; undefined if nothing is wrong. */
export function expressionProblem(
  source: string,
  environment: Environment = stepEnvironment,
): string | undefined {
  try {
    const parsed = environment.parse(source);
    const { valid, error } = parsed.check();
    return vocabularyProblem(parsed.ast, []) ?? (valid ? undefined : messageOf(error));
  } catch (error) {
    return messageOf(error);
  }
}

/** Undefined for a text that is no expression, such as one of a description that has `${`. */
export function parsedNode(source: string): ASTNode | undefined {
  try {
    return stepEnvironment.parse(source).ast;
  } catch {
    return undefined;
  }
}

/** The variable that the expression reads and the environment does not have. */
export function unknownVariable(source: string, environment: Environment): string | undefined {
  try {
    const { error } = environment.parse(source).check();
    const { code, node } = (error ?? {}) as {
      readonly code?: string;
      readonly node?: { readonly args?: unknown };
    };
    return code === 'unknown_variable' ? String(node?.args) : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the expression when it is first evaluated: most processes never evaluate most expressions of their file. */
export function expression(
  source: string,
  { path, maxBytes = bounds.contextBytes }: Place,
  environment = stepEnvironment,
): Expression {
  let run: ((scope: Scope, budget: Budget) => unknown) | undefined;
  return (scope, budget) => {
    try {
      run ??= compiled(source, environment);
      return toJson(run(scope, budget), maxBytes, budget);
    } catch (error) {
      throw failure(error, path, source);
    }
  };
}

function compiled(source: string, environment: Environment): (scope: Scope, budget: Budget) => unknown {
  const problem = expressionProblem(source, environment);
  if (problem !== undefined) throw new TypeError(problem);
  const parsed = environment.parse(source);
  parsed.check();
  const meter = meterWork(parsed.ast);
  return (scope, budget) => meter(budget, () => parsed(new Variables(scope, budget.readable)));
}

function failure(error: unknown, path: string, source: string): ExpressionFailure {
  const text = `\${${source}}`;
  if (!(error instanceof ExpressionFailure))
    return new ExpressionFailure({
      code: 'ExpressionFailed',
      path,
      expression: text,
      reason: messageOf(error),
    });
  const { code, reason } = error;
  return new ExpressionFailure({ code, path, expression: text, reason });
}

/** The first line of the library's message. The lines below it only mark the place in the text. */
function messageOf(error: unknown): string {
  const { summary, message } = error as { readonly summary?: string; readonly message?: string };
  return (summary ?? message ?? String(error)).split('\n')[0] ?? '';
}

/** What is wrong with the first name that is not allowed. `within` has the variables of the loops around the node. */
function vocabularyProblem(node: ASTNode, within: readonly string[]): string | undefined {
  const { op, args } = node as { readonly op: string; readonly args: unknown };
  if (op === 'call' || op === 'rcall') return callProblem(node, within);
  if (op === 'value')
    return typeof args === 'object' && args !== null
      ? 'JSON has no bytes and no unsigned numbers'
      : undefined;
  if (op === 'id') return within.includes(String(args)) ? undefined : nameProblem(String(args));
  const parts = op === 'map' ? (args as ASTNode[][]).flat() : [args].flat();
  return firstProblem(parts.filter(isNode), within);
}

function nameProblem(name: string): string | undefined {
  const isOfCel = ['cel', 'google', 'optional', 'type', 'null_type', 'bytes', 'uint', 'list', 'map'].includes(
    name,
  );
  return isOfCel || [...functionNames].includes(name)
    ? `${name} is not a value that expressions can use`
    : undefined;
}

function callProblem({ op, args }: ASTNode, within: readonly string[]): string | undefined {
  const isMethod = op === 'rcall';
  const [name, ...rest] = args as unknown as [string, ...(ASTNode | ASTNode[])[]];
  const [receiver, given] = (isMethod ? rest : [undefined, ...rest]) as [ASTNode | undefined, ASTNode[]];
  const known = isMethod ? methodNames : functionNames;
  if (!known.includes(name))
    return `${name} is not a ${isMethod ? 'method' : 'function'} of expressions; they have ${known.join(', ')}`;
  const [turn] = given;
  const isLoop = isMethod && ['all', 'exists', 'exists_one', 'map', 'filter'].includes(name);
  const inner = isLoop && turn?.op === 'id' ? [...within, String(turn.args)] : within;
  return (receiver && vocabularyProblem(receiver, within)) ?? firstProblem(given, inner);
}

function firstProblem(nodes: readonly ASTNode[], within: readonly string[]): string | undefined {
  for (const node of nodes) {
    const problem = vocabularyProblem(node, within);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
