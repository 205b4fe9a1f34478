// What people read on the pages comes from the catalogue: no component has words of its own. What is left out here is the desk with
// its start form, and the technical facts, which are for developers and stay English.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const page = join(import.meta.dirname, '../../../console/page');
const WITHOUT = ['desk/', 'process/costs.tsx', 'flows/migrat'];

/** What a person reads or hears of an element. */
const READ = new Set(['aria-label', 'closeLabel', 'hint', 'label', 'placeholder', 'title', 'words']);
/** Letters of two and more: not ×, s or kB. */
const WORD = /\p{L}{3,}/u;
/** The same in every language: of the product, and on keyboards. */
const NAMES = new Set(['lockerflow', 'Ctrl K', 'Esc']);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [part: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Where a text stands that a person reads: an element, or a property with one of the names. */
function wordsIn(path: string, text: string): string[] {
  const { program } = parseSync(path, text);
  const found: string[] = [];
  const say = (node: Node, words: string) => {
    const line = text.slice(0, node.start).split('\n').length;
    if (WORD.test(words) && !NAMES.has(words.trim())) found.push(`${path}:${line}: ${words.trim()}`);
  };
  const look = (node: Node, isRead: boolean) => {
    if (node.type === 'JSXText') say(node, String(node.value));
    if (isRead && node.type === 'Literal' && typeof node.value === 'string') say(node, node.value);
    if (isRead && node.type === 'TemplateLiteral') say(node, ownText(node, text));
    for (const [part, value] of Object.entries(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) look(child, isReadIn(node, part, isRead));
  };
  look(program as unknown as Node, false);
  return found;
}

/** Whether what stands at this part of the node is shown. */
function isReadIn(node: Node, part: string, isRead: boolean): boolean {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return part === 'children';
    case 'JSXAttribute':
      return part === 'value' && READ.has(nameOf(node.name));
    case 'Property':
      return part === 'value' && READ.has(nameOf(node.key));
    case 'ConditionalExpression':
      return isRead && part !== 'test';
    case 'LogicalExpression':
    case 'JSXExpressionContainer':
    case 'ArrayExpression':
      return isRead;
    default:
      return false;
  }
}

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name) : '');

/** Without what is put into it. */
const ownText = ({ quasis }: Node, text: string): string =>
  (quasis as readonly (Node & { readonly end: number })[])
    .map(({ start, end }) => text.slice(start, end))
    .join('…');

const files = globSync('**/*.{ts,tsx}', { cwd: page })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith('dist/'))
  .filter((path) => !WITHOUT.some((each) => path.startsWith(each)));

test('no page has words that are not in the catalogue', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((path) => wordsIn(path, readFileSync(join(page, path), 'utf8')))).toEqual([]);
});

test.each([
  'const some = <p>Nothing here</p>',
  'const some = <input aria-label="Choose all" />',
  'const some = <p>{isNew ? "now" : words.later}</p>',
  'const keys = [{ key: "x", words: "choose it" }];',
])('words are found in %s', (code) => {
  expect(wordsIn('some.tsx', code)).toHaveLength(1);
});
