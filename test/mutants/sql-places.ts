// The places of the SQL functions where a rule can be changed, and what each is changed to.
import type { Mutant } from './places.ts';

/** What is no rule, what says where an assignment is, and what can be changed: the first that fits. */
const TOKEN =
  /--[^\n]*|'(?:[^']|'')*'|\$\w*\$?|:=|=>|->>?|PERFORM\b[^;]*;|FOR (?:NO KEY )?UPDATE(?: OF \w+)?(?: SKIP LOCKED)?|IS (?:NOT )?NULL|NOT FOUND|FOUND|NOT EXISTS|EXISTS|<=|>=|<>|<|>|=|\b(?:AND|OR|SET|USING|WHERE|FROM|JOIN|DESC)\b|;|\b\d+\b|\w+/g;

const CHANGES: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  AND: 'OR',
  OR: 'AND',
  'IS NULL': 'IS NOT NULL',
  'IS NOT NULL': 'IS NULL',
  FOUND: 'NOT FOUND',
  'NOT FOUND': 'FOUND',
  EXISTS: 'NOT EXISTS',
  'NOT EXISTS': 'EXISTS',
  DESC: '',
};

interface SqlFunction {
  readonly path: string;
  readonly start: number;
  readonly text: string;
}

/** By the path of their file. Of a function that is defined several times, only the last definition counts. */
export function sqlMutantsOf(
  files: readonly (readonly [path: string, code: string])[],
): Map<string, Mutant[]> {
  const last = new Map<string, SqlFunction>();
  for (const [path, code] of files)
    for (const match of code.matchAll(/CREATE (?:OR REPLACE )?FUNCTION (\w+)[\s\S]*?\$\$;/gi))
      last.set(match[1] ?? '', { path, start: match.index, text: match[0] });
  const found = new Map<string, Mutant[]>();
  for (const { path, start, text } of last.values())
    found.set(path, [...(found.get(path) ?? []), ...inFunction(start, text)]);
  return found;
}

/** What stands between $$ and $$. */
function inFunction(start: number, text: string): Mutant[] {
  const found: Mutant[] = [];
  const bodyAt = text.indexOf('$$') + 2;
  let isAssigned = false;
  for (const match of text.slice(bodyAt, -3).matchAll(TOKEN)) {
    const [token] = match;
    if (token === 'SET' || token === 'USING') isAssigned = true;
    if (['WHERE', 'FROM', 'JOIN', ';'].includes(token)) isAssigned = false;
    const replacement = replacementOf(token);
    if (replacement === undefined || (token === '=' && isAssigned)) continue;
    const at = start + bodyAt + match.index;
    found.push({ kind: 'sql', start: at, end: at + token.length, replacement, around: text });
  }
  return found;
}

function replacementOf(token: string): string | undefined {
  if (token.startsWith('PERFORM')) return 'NULL;';
  if (token.startsWith('FOR ')) return '';
  if (/^\d+$/.test(token)) return String(Number(token) + 1);
  return CHANGES[token];
}
