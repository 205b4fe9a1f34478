// How an expression reads what may be missing: what it reads as if it were there, what it asks for with `has`, and what is there
// wherever it holds. Each as a path: `input.note`, `event.data.note`.
import type { ASTNode } from '@marcbachmann/cel-js';
import { parsedNode } from './expression.ts';
import { isNode } from './literals.ts';

export interface OptionalReads {
  readonly plain: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
  /** Those without which it is false, or fails. */
  readonly certain: ReadonlySet<string>;
}

export type OptionalReader = (source: string) => OptionalReads;

/** Parses each expression once, however often it is asked of it. */
export function optionalReader(): OptionalReader {
  const known = new Map<string, OptionalReads>();
  return (source) => {
    const reads = known.get(source) ?? optionalReads(source);
    known.set(source, reads);
    return reads;
  };
}

function optionalReads(source: string): OptionalReads {
  const node = parsedNode(source);
  const plain = new Set<string>();
  const asked = new Set<string>();
  if (node) collect(node, plain, asked);
  return { plain, asked, certain: new Set(node ? certainIn(node) : []) };
}

function collect(node: ASTNode, plain: Set<string>, asked: Set<string>): void {
  const field = askedIn(node);
  if (field) {
    const path = pathOf(field);
    if (path !== undefined) asked.add(path);
    // What has the field must be there.
    collect(holderOf(field), plain, asked);
    return;
  }
  const path = pathOf(node);
  if (path !== undefined) plain.add(path);
  for (const part of [node.args as unknown].flat(3).filter(isNode)) collect(part, plain, asked);
}

function certainIn(node: ASTNode): string[] {
  if (node.op === '&&') return (node.args as ASTNode[]).flatMap(certainIn);
  const field = askedIn(node);
  const path = field && pathOf(field);
  return path === undefined ? [] : [path];
}

/** The field that a `has` asks for. */
function askedIn({ op, args }: ASTNode): ASTNode | undefined {
  if (op !== 'call') return undefined;
  const [name, [field]] = args as unknown as [string, ASTNode[]];
  return name === 'has' ? field : undefined;
}

const holderOf = ({ args }: ASTNode): ASTNode => (args as [ASTNode])[0];

function pathOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return String(node.args);
  const name = nameIn(node);
  const path = name === undefined ? undefined : pathOf(holderOf(node));
  return path === undefined ? undefined : `${path}.${name}`;
}

function nameIn({ op, args }: ASTNode): string | undefined {
  if (op === '.') return (args as [ASTNode, string])[1];
  if (op !== '[]') return undefined;
  const index = (args as [ASTNode, ASTNode])[1];
  return index.op === 'value' && typeof index.args === 'string' ? index.args : undefined;
}
