// Reads a text into JSON data. The text is YAML without aliases, tags and merged maps: they make data that a reader of the
// text does not see. JSON is also YAML. Not for the workflow sandbox: the parser stays out of its bundle.
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { bounds, type Json } from '../flow-file.ts';
import {
  type At,
  type Finding,
  type FindingCode,
  firstFindings,
  MAX_FINDINGS,
  pathOf,
  type TextPlace,
} from './report.ts';

interface Parsed {
  readonly data: Json;
  /** The first ones, as `firstFindings` gives them. If there are any, the data must not be used. */
  readonly findings: readonly Finding[];
  /** Where it is in the text; if the text does not have it, where the nearest part around it is. */
  readonly placeOf: (at: At) => TextPlace | undefined;
}

/** Keys that would change or reach the prototype of an object. */
const forbiddenKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const nowhere = { data: null, placeOf: () => undefined };

export function parsedText(text: string): Parsed {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > bounds.fileBytes)
    return refused('FileTooLarge', `a file of ${bytes} bytes`, `at most ${bounds.fileBytes}`);
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      logLevel: 'error',
      schema: 'core',
      merge: false,
      // The parser compares each key with each other of its map, and copies a line of the text into the words of each error.
      uniqueKeys: false,
      prettyErrors: false,
    });
    return parsedDocument(text, document, lines);
  } catch (error) {
    if (error instanceof RangeError) return refused('TooDeep', 'the text', `at most ${bounds.depth} levels`);
    throw error;
  }
}

function refused(code: FindingCode, what: string, expected: string): Parsed {
  return { ...nowhere, findings: [{ code, path: '', what, expected }] };
}

const UNQUOTED = {
  code: 'NotReadable',
  path: '',
  what: 'an expression without quotes',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it shows how an expression is written.
  expected: '"${…}" in quotes',
} as const;

/** Where an expression begins a value and has no quotes. */
function bareExpression(text: string): number | undefined {
  const plain = text.replaceAll(/"[^"\n]*"|'[^'\n]*'|(?<=^|\s)#.*$/gm, (each) => '_'.repeat(each.length));
  const found = /[:,[{-]\s*(?=\$\{)/.exec(plain);
  return found ? found.index + found[0].length : undefined;
}

function parsedDocument(text: string, document: Document.Parsed, lines: LineCounter): Parsed {
  const placeAt = (offset: number | undefined): TextPlace | undefined => {
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const duplicates = duplicateKeys(document.contents);
  const wrong = document.errors.length + duplicates.length;
  const syntax = [
    ...document.errors.slice(0, MAX_FINDINGS).map(({ code, message, pos: [offset] }): Finding => {
      const what = `the text (${message.split('\n')[0]})`;
      return { code: codeOf(code), path: '', what, ...placeAt(offset) };
    }),
    ...duplicates.slice(0, MAX_FINDINGS).map((offset): Finding => {
      return { code: 'DuplicateKey', path: '', what: 'a key', ...placeAt(offset) };
    }),
  ];
  const bare = wrong > 0 ? bareExpression(text) : undefined;
  // The parser takes the braces for those of maps, and finds fault with all that follows.
  if (bare !== undefined) return { ...nowhere, findings: [{ ...UNQUOTED, ...placeAt(bare) }] };
  const reader = new Reader(placeAt);
  const data = reader.read(document.contents, []);
  return {
    data,
    findings: firstFindings([...syntax, ...reader.findings], wrong + reader.count),
    placeOf: (at) => placeAt(offsetOf(document, at)),
  };
}

function codeOf(code: string): FindingCode {
  if (code === 'TAG_RESOLVE_FAILED') return 'TagNotAllowed';
  return code === 'RESOURCE_EXHAUSTION' ? 'TooDeep' : 'NotReadable';
}

/** Where each key begins that its map has before. */
function duplicateKeys(node: unknown): number[] {
  if (isSeq(node)) return node.items.flatMap(duplicateKeys);
  if (!isMap(node)) return [];
  const before = new Set<unknown>();
  return node.items.flatMap(({ key, value }) => {
    const duplicates = [...duplicateKeys(key), ...duplicateKeys(value)];
    if (!isScalar(key) || Number.isNaN(key.value)) return duplicates;
    const isDuplicate = before.has(key.value);
    before.add(key.value);
    return isDuplicate ? [key.range?.[0] ?? 0, ...duplicates] : duplicates;
  });
}

/** Where the key or the item of a place begins; if the text does not have it, where the part around it begins. */
function offsetOf({ contents }: Document.Parsed, at: At): number | undefined {
  let node: unknown = contents;
  let offset = (contents as Node | null)?.range?.[0];
  for (const step of at) {
    const pair = isMap(node) ? node.items.find(({ key }) => keyText(key) === String(step)) : undefined;
    const item = isSeq(node) ? node.items[Number(step)] : pair?.value;
    const found = (pair ? pair.key : item) as Node | undefined;
    if (!found?.range) break;
    offset = found.range[0];
    node = item;
  }
  return offset;
}

const keyText = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

class Reader {
  /** The first ones: a path may be as long as the text. */
  readonly findings: Finding[] = [];
  /** The number of all findings. */
  count = 0;
  readonly #placeAt: (offset: number | undefined) => TextPlace | undefined;

  constructor(placeAt: (offset: number | undefined) => TextPlace | undefined) {
    this.#placeAt = placeAt;
  }

  #find(code: FindingCode, node: Node | null, at: At, what: string, expected?: string): null {
    this.count++;
    if (this.findings.length >= MAX_FINDINGS) return null;
    this.findings.push({
      code,
      path: pathOf(at),
      what,
      ...this.#placeAt(node?.range?.[0]),
      ...(expected !== undefined && { expected }),
    });
    return null;
  }

  read(node: unknown, at: At): Json {
    if (node === null || node === undefined) return null;
    if (at.length > bounds.depth)
      return this.#find('TooDeep', node as Node, at, 'the value', `at most ${bounds.depth} levels`);
    if (isAlias(node)) return this.#find('AliasNotAllowed', node, at, `*${node.source}`);
    const { anchor, tag } = node as { readonly anchor?: string; readonly tag?: string };
    if (anchor !== undefined) return this.#find('AliasNotAllowed', node as Node, at, `&${anchor}`);
    if (isScalar(node)) return this.#scalar(node.value, node, at);
    // The parser sets the tag of a collection only if the text has one.
    if (tag !== undefined) return this.#find('TagNotAllowed', node as Node, at, tag);
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, [...at, index]));
    return isMap(node) ? this.#map(node, at) : null;
  }

  #scalar(value: unknown, node: Node & { readonly tag?: string }, at: At): Json {
    if (node.tag !== undefined) return this.#find('TagNotAllowed', node, at, node.tag);
    if (typeof value === 'number' && !isJsonNumber(value))
      return this.#find('NumberNotJson', node, at, String(value));
    return value as Json;
  }

  #map(
    node: { readonly items: readonly { readonly key: unknown; readonly value: unknown }[] },
    at: At,
  ): Json {
    const entries: [string, Json][] = [];
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? key.value : undefined;
      if (typeof name !== 'string')
        this.#find('KeyNotText', (key ?? node) as Node, at, `the key ${keyText(key)}`);
      else if (forbiddenKeys.includes(name)) this.#find('KeyNotAllowed', key as Node, at, name);
      else if (name === '<<') this.#find('MergeKeyNotAllowed', key as Node, at, '<<');
      else {
        // A key may have a tag or an anchor too, so it is read like a value.
        this.read(key, [...at, name]);
        entries.push([name, this.read(value, [...at, name])]);
      }
    }
    return Object.fromEntries(entries);
  }
}

const isJsonNumber = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
