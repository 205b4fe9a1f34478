// The arguments that an expression writes out for our functions. A wrong one fails whenever it is evaluated, so it is found when the
// file is read.
import type { ASTNode, Environment } from '@marcbachmann/cel-js';

/** A function that we add to those of CEL. */
export interface OwnFunction {
  readonly run: (...args: never[]) => unknown;
  /** For each argument, what reads it and throws a TypeError if it cannot. Of a list that is written out it reads what is written. */
  readonly reads?: readonly (((literal: unknown) => unknown) | null)[];
}

/** By their signatures. */
export type OwnFunctions = Readonly<Record<string, OwnFunction>>;

export const functionName = (signature: string): string => signature.slice(0, signature.indexOf('('));

/** In words, what is wrong with an argument of an expression that is one; undefined if nothing is wrong. */
export function literalProblem(
  source: string,
  environment: Environment,
  functions: OwnFunctions,
): string | undefined {
  const byName = new Map(
    Object.entries(functions).map(([signature, { reads = [] }]) => [functionName(signature), reads]),
  );
  for (const { op, args } of nodesIn(environment.parse(source).ast)) {
    if (op !== 'call') continue;
    const [name, given] = args as unknown as [string, readonly ASTNode[]];
    for (const [index, read] of (byName.get(name) ?? []).entries()) {
      const literal = literalOf(given[index]);
      try {
        if (literal !== undefined) read?.(literal);
      } catch (error) {
        return `${name}: ${(error as Error).message}`;
      }
    }
  }
  return undefined;
}

/** Undefined for what is computed. */
function literalOf(node: ASTNode | undefined): unknown {
  const { op, args } = (node ?? {}) as { readonly op?: string; readonly args?: unknown };
  if (op === 'value') return args;
  if (op === 'list') return (args as ASTNode[]).map(literalOf).filter((each) => each !== undefined);
  return undefined;
}

/** An argument may be a list of nodes, and the entries of a map lists of two. */
function nodesIn(node: ASTNode): ASTNode[] {
  const parts = [node.args as unknown].flat(3);
  return [node, ...parts.filter(isNode).flatMap(nodesIn)];
}

export const isNode = (part: unknown): part is ASTNode =>
  typeof part === 'object' && part !== null && 'op' in part;
