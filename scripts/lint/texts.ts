// That every text for people has its translation, and no translation is of a text that is gone (`npm run check`). With --missing it
// prints what is missing, to be filled in. In the page it also finds text that `t` does not render.
import { parseSync } from 'vite';
import { write, writeError } from '../../shared/terminal/terminal.ts';
import { pageInDutch } from '../../shared/texts/dutch-page.ts';
import { sentencesInDutch } from '../../shared/texts/dutch-sentences.ts';
import { codeOf } from '../../shared/texts/text.ts';
import { codeFiles } from './code-files.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

export interface FoundTexts {
  /** The codes of its texts. */
  readonly codes: readonly string[];
  /** Texts that nothing translates, as they stand there: in the page, and in place of a text or within one. */
  readonly bare: readonly string[];
  /** Rendered where the module begins: before anybody reads, and for all in the same language. */
  readonly early: readonly string[];
}

const WORD = /\p{L}{2}/u;
const PRODUCT = 'lockerflow';
/** Attributes that people see or hear. */
const SEEN: ReadonlySet<string> = new Set([
  'title',
  'alt',
  'label',
  'placeholder',
  'aria-label',
  'aria-description',
]);

export function textsIn(file: string, source: string): FoundTexts {
  const codes: string[] = [];
  const bare: string[] = [];
  const early: string[] = [];
  const visit = (node: Node, isWithin: boolean): void => {
    if (isText(node)) (isWithin ? codes : early).push(codeIn(node.quasi as Node));
    if (node.type === 'JSXText')
      bare.push(...[String(node.value).trim()].filter((text) => WORD.test(text) && text !== PRODUCT));
    if (node.type === 'JSXAttribute') bare.push(...bareIn(node));
    bare.push(...bareBeside(node));
    for (const child of childrenOf(node)) visit(child, isWithin || isFunction(node));
  };
  visit(parseSync(file, source).program as unknown as Node, false);
  return { codes, bare, early };
}

const isText = ({ type, tag }: Node): boolean =>
  type === 'TaggedTemplateExpression' && (tag as Node).name === 't';

const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';

const codeIn = ({ quasis }: Node): string =>
  codeOf((quasis as { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked));

function bareIn({ name, value }: Node): string[] {
  const given = value as { readonly type?: string; readonly value?: unknown } | null;
  const isSeen = SEEN.has(String((name as Node).name));
  return isSeen && given?.type === 'Literal' && WORD.test(String(given.value)) ? [String(given.value)] : [];
}

/** `known ? t`…` : 'not known'`, a row `[2, 'late']` beside `[1, t`early`]`, and `somebody` in a text. */
function bareBeside(node: Node): string[] {
  if (isText(node)) {
    const { expressions } = node.quasi as { readonly expressions: readonly Node[] };
    return expressions.flatMap(choicesOf).flatMap(wordsOf);
  }
  const together = node.type === 'ArrayExpression' ? columnsOf(node) : [choicesOf(node)];
  return together
    .filter((each) => each.length > 1 && each.some(isText))
    .flatMap((each) => each.flatMap(wordsOf));
}

/** What it may give. */
function choicesOf(node: Node): Node[] {
  const { type, consequent, alternate, left, right } = node;
  if (type === 'ConditionalExpression')
    return [consequent, alternate].flatMap((each) => choicesOf(each as Node));
  if (type === 'LogicalExpression') return [left, right].flatMap((each) => choicesOf(each as Node));
  return [node];
}

/** The columns of an array of arrays. */
function columnsOf({ elements }: Node): Node[][] {
  const rows = (elements as readonly (Node | null)[]).flatMap((each) =>
    each?.type === 'ArrayExpression' ? [each.elements as readonly (Node | null)[]] : [],
  );
  const longest = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => rows.flatMap((row) => row[index] ?? []));
}

const wordsOf = ({ type, value }: Node): string[] =>
  type === 'Literal' && typeof value === 'string' && WORD.test(value) ? [value] : [];

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((each): each is Node => typeof (each as Node | null)?.type === 'string');

const PAGE = 'console/page/';
/** What the page has of others, and renders in the reader's browser. */
const OF_PAGE: readonly string[] = [
  'console/process/overview/phase-words.ts',
  'processes/action-forms/opening-form.ts',
  'processes/views/due.ts',
  'processes/views/format-names.ts',
];
/** The folders that say something to people. */
const SPEAKING = ['console/', 'processes/'];
const paramsOf = (text: string): string => [...new Set(text.match(/\{\d\}/g))].toSorted().join(' ');

const translationOf = (code: string): string | undefined => pageInDutch[code] ?? sentencesInDutch[code];

function problemsWith(file: string, code: string): string[] {
  const translation = translationOf(code) ?? '';
  const isOfPage = file.startsWith(PAGE) || OF_PAGE.includes(file);
  return [
    ...(paramsOf(translation) === paramsOf(code)
      ? []
      : [`${file}: “${translation}” has not the params of “${code}”`]),
    ...(isOfPage && Object.hasOwn(sentencesInDutch, code)
      ? [`${file}: “${code}” is said in the page: its translation belongs into dutch-page.ts`]
      : []),
  ];
}

export function problemsOf(found: ReadonlyMap<string, FoundTexts>): {
  missing: Map<string, string>;
  problems: string[];
} {
  const missing = new Map<string, string>();
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [file, { codes, bare, early }] of found) {
    const unread = (code: string) =>
      `${file}: “${code}” is rendered before anybody reads: let a function give it`;
    problems.push(...bare.map((text) => `${file}: “${text}” is rendered in no language: write t\`…\``));
    // The page knows its reader before its modules begin.
    if (!file.startsWith(PAGE)) problems.push(...early.map(unread));
    for (const code of [...codes, ...early]) {
      used.add(code);
      if (translationOf(code) === undefined) missing.set(code, missing.get(code) ?? file);
      else problems.push(...problemsWith(file, code));
    }
  }
  const all = [...Object.keys(pageInDutch), ...Object.keys(sentencesInDutch)];
  problems.push(
    ...all.filter((code) => !used.has(code)).map((code) => `“${code}” is translated, and nothing says it`),
  );
  problems.push(
    ...all
      .filter((code, index) => all.indexOf(code) !== index)
      .map((code) => `“${code}” is translated twice`),
  );
  return { missing, problems };
}

if (import.meta.main) {
  const files = [...codeFiles()].filter(([file]) => SPEAKING.some((folder) => file.startsWith(folder)));
  const found = new Map(files.map(([file, text]) => [file, textsIn(file, text)]));
  const { missing, problems } = problemsOf(found);
  if (process.argv.includes('--missing'))
    for (const [code, file] of [...missing].toSorted(([, one], [, other]) => one.localeCompare(other)))
      write(`${JSON.stringify(code)}: '', // ${file}\n`);
  else {
    const all = [...problems, ...[...missing].map(([code, file]) => `${file}: “${code}” has no translation`)];
    for (const each of all) writeError(`${each}\n`);
    if (all.length > 0) process.exitCode = 1;
  }
}
