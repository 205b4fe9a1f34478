// The places of a source file where a rule can be changed, and what each is changed to.
import { parseAst } from 'vitest/node';

export const kinds = ['comparison', 'condition', 'constant', 'row', 'effect', 'sql'] as const;

/** One change of one rule: this part of the text becomes that. */
export interface Mutant {
  readonly kind: (typeof kinds)[number];
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The statement around it: with `start` in it, it is the same in another version of the file, or in another file. */
  readonly around: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const CONNECTIVES: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };
/** Of the syntax of TypeScript, only these hold what runs. */
const WRAPPERS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
const LOG_METHODS = new Set(['debug', 'info', 'warn', 'error']);
/** From this number on, one more is hardly a change. */
const LARGE = 100;

interface Around {
  readonly statement: Node;
  readonly isInFunction: boolean;
}

export function mutantsOf(code: string): Mutant[] {
  const found: Mutant[] = [];
  const program = parseAst(code, { lang: 'ts' }) as unknown as Node;
  visit(program, { statement: program, isInFunction: false });
  return found;

  function visit(node: Node, around: Around): void {
    if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return;
    if (node.type.startsWith('TS') && !WRAPPERS.has(node.type)) return;
    const within: Around = {
      statement: /Statement$|Declaration$|Property$/.test(node.type) ? node : around.statement,
      isInFunction: around.isInFunction || node.type.includes('Function'),
    };
    const add = (kind: Mutant['kind'], at: { start: number; end: number }, replacement: string) =>
      found.push({
        kind,
        start: at.start,
        end: at.end,
        replacement,
        around: code.slice(within.statement.start, within.statement.end),
      });
    mutate(node, within, add);
    for (const child of childrenOf(node)) visit(child, within);
  }

  function mutate(
    node: Node,
    { isInFunction }: Around,
    add: (kind: Mutant['kind'], at: { start: number; end: number }, replacement: string) => void,
  ): void {
    const text = (part: Node) => code.slice(part.start, part.end);
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const [left, right] = [node.left as Node, node.right as Node];
      const operator = node.operator as string;
      const compared = COMPARISONS[operator];
      const connected = CONNECTIVES[operator];
      if (compared) add('comparison', node, `${text(left)} ${compared} ${text(right)}`);
      // In brackets: a mix with ?? does not parse without them.
      if (connected) add('condition', node, `((${text(left)}) ${connected} (${text(right)}))`);
    }
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      const test = node.test as Node;
      if (!['BinaryExpression', 'LogicalExpression'].includes(test.type))
        add('condition', test, `!(${text(test)})`);
    }
    if (node.type === 'Literal' && typeof node.value === 'number') {
      const value = node.value;
      add('constant', node, String(value < LARGE ? value + 1 : value * 2));
    }
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      add('constant', node, String(!node.value));
    if (node.type === 'ArrayExpression' || node.type === 'ObjectExpression')
      for (const row of rowsOf(node)) if (!isInFunction || isGuard(row)) add('row', withComma(row), '');
    if (isInFunction && node.type === 'ExpressionStatement' && isEffect(node.expression as Node))
      add('effect', node, ';');
  }

  function withComma(row: Node): { start: number; end: number } {
    const after = /^\s*,/.exec(code.slice(row.end))?.[0].length ?? 0;
    return { start: row.start, end: row.end + after };
  }
}

/** Of a table of one row, the row is what makes it one. */
function rowsOf(node: Node): readonly Node[] {
  const rows = (node.elements ?? node.properties) as readonly (Node | null)[];
  return rows.length > 1 ? rows.filter((row) => row !== null) : [];
}

/** Of a chart's transition, which is then always possible. */
const isGuard = ({ type, key }: Node): boolean => type === 'Property' && (key as Node).name === 'guard';

/** A call for what it does, or a field that is set. What a constructor keeps and a line of a log are no rules. */
function isEffect(expression: Node): boolean {
  const inner = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression;
  if (inner.type === 'AssignmentExpression') return (inner.right as Node).type !== 'Identifier';
  if (inner.type === 'UpdateExpression') return true;
  const callee = inner.type === 'CallExpression' ? (inner.callee as Node) : undefined;
  if (!callee || callee.type === 'Super') return false;
  const called = (callee.property ?? callee) as Node;
  return !LOG_METHODS.has(String(called.name));
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
}
