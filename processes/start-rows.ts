// One process for each row of a batch: its key is made of the row, and its columns are fields of the input.
import type { JsonSchema } from '../contract/openapi/schemas.ts';
import { wrongInput } from './outcome.ts';

/** By column: JSON, or the text of a cell. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowStart {
  readonly key: string;
  /** A copy for this row, made when the row is started: copies for all rows at once would be as large as all of them together. */
  input(): Record<string, unknown>;
}

/** What rows may have. All of it is checked before any work is done: a batch of 1 MB must not become gigabytes. */
export const rowBounds = {
  /** Columns of one row. */
  columns: 200,
  /** Different columns of all rows: each is looked for in the whole schema. */
  allColumns: 1_000,
  /** Named in a key. */
  keyColumns: 16,
  /** Characters of a column's name. */
  columnLength: 200,
  /** Names in a column: a.b.c has three. */
  depth: 16,
  /** Characters of a key, as of a workflow id at Temporal. */
  keyLength: 1_000,
  /** The input that all rows have in common, as JSON. */
  inputBytes: 128 * 1024,
  /** The common input, times the number of rows. */
  allBytes: 64 * 1024 * 1024,
} as const;

export interface Batch {
  /** With columns in braces: `loan-{device}`. */
  readonly key: string;
  /** What all have in common. */
  readonly input: Record<string, unknown>;
  /** What the flow takes, with its own $defs: a text becomes a number where it wants one. */
  readonly schema: JsonSchema;
}

/** A column in braces, in a key. */
export const COLUMN = /\{([^{}]+)\}/;
const COLUMNS = new RegExp(COLUMN, 'g');

/**
 * The start of each row, in their order. Throws a Refusal for rows beyond the bounds, for a key that is the same for several rows, or
 * that names a column that a row does not have.
 * @param rowWords how errors name a row
 */
export function startsOfRows(
  rows: readonly Row[],
  batch: Batch,
  rowWords: (index: number) => string,
): RowStart[] {
  checkBounds(rows, batch, rowWords);
  const columns = new Columns(batch.schema);
  const starts = rows.map((fields, index) => startOf(fields, batch, columns, rowWords(index)));
  const first = new Map<string, number>();
  for (const [index, { key }] of starts.entries()) {
    const before = first.get(key);
    if (before !== undefined)
      throw wrongInput(
        `${rowWords(before)} and ${rowWords(index)} have the same key, ${key}; add a column that differs to the key`,
        { key: 'is the same for several rows' },
      );
    first.set(key, index);
  }
  return starts;
}

function checkBounds(rows: readonly Row[], { key, input }: Batch, rowWords: (index: number) => string): void {
  if (!COLUMN.test(key))
    throw wrongInput(
      `the key ${cut(key)} would be the same for every row; expected columns in braces, like loan-{${cut(Object.keys(rows[0] ?? {})[0] ?? 'column')}}`,
      { key: 'has no column in braces' },
    );
  const { allColumns, keyColumns } = rowBounds;
  const named = key.match(COLUMNS)?.length ?? 0;
  if (named > keyColumns)
    throw wrongInput(`the key ${cut(key)} names ${named} columns, expected at most ${keyColumns}`, {
      key: `names more than ${keyColumns} columns`,
    });
  const bytes = Buffer.byteLength(JSON.stringify(input));
  const { inputBytes, allBytes } = rowBounds;
  if (bytes > inputBytes)
    throw wrongInput(`the input that all rows have has ${bytes} bytes, expected at most ${inputBytes}`, {
      input: `has more than ${inputBytes} bytes`,
    });
  if (bytes * rows.length > allBytes)
    throw wrongInput(
      `${rows.length} rows with an input of ${bytes} bytes that all have are ${bytes * rows.length} bytes, expected at most ${allBytes}; send fewer rows at a time, or a smaller input`,
      { input: `has, times the rows, more than ${allBytes} bytes` },
    );
  const different = new Set<string>();
  for (const [index, fields] of rows.entries()) {
    const names = Object.keys(fields);
    for (const name of names) different.add(name);
    const many = `comes to more than ${allColumns} different columns with the rows before it; send those with other columns by themselves`;
    const wrong = columnsProblem(names) ?? (different.size > allColumns ? many : undefined);
    if (wrong !== undefined) throw wrongInput(`${rowWords(index)} ${wrong}`, { rows: wrong });
  }
}

function columnsProblem(names: readonly string[]): string | undefined {
  const { columns, columnLength, depth } = rowBounds;
  if (names.length > columns) return `has ${names.length} columns, expected at most ${columns}`;
  const long = names.find(({ length }) => length > columnLength);
  if (long !== undefined)
    return `has a column whose name has ${long.length} characters (${cut(long)}), expected at most ${columnLength}`;
  const deep = names.find((name) => name.split('.').length > depth);
  return deep && `has a column of more than ${depth} names (${cut(deep)}), expected at most ${depth}`;
}

/** A stranger's text in an error. */
const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);

/** Where each column leads to, found once for all rows. */
class Columns {
  readonly #schema: JsonSchema;
  readonly #found = new Map<
    string,
    { readonly path: readonly string[]; readonly known: JsonSchema | undefined }
  >();

  constructor(schema: JsonSchema) {
    this.#schema = schema;
  }

  assignment(column: string, cell: unknown): readonly [path: readonly string[], value: unknown] {
    let found = this.#found.get(column);
    if (!found) {
      const path = pathOf(column);
      found = { path, known: schemaAt(this.#schema, path, this.#schema.$defs ?? {}) };
      this.#found.set(column, found);
    }
    return [found.path, typeof cell === 'string' ? typed(cell, found.known) : cell];
  }
}

function startOf(fields: Row, { key: template, input }: Batch, columns: Columns, row: string): RowStart {
  const key = keyOf(fields, template, row);
  const assigned = Object.entries(fields).map(([column, cell]) => columns.assignment(column, cell));
  return { key, input: () => withFields(input, assigned) };
}

function keyOf(fields: Row, template: string, row: string): string {
  let [key, at] = ['', 0];
  for (const { 0: braces, 1: column = '', index } of template.matchAll(COLUMNS)) {
    key += template.slice(at, index) + cellInKey(fields, column, row);
    at = index + braces.length;
    // Before the next cell: a template may name a long cell a hundred times.
    if (key.length > rowBounds.keyLength) break;
  }
  key += template.slice(at);
  if (key.length <= rowBounds.keyLength) return key;
  throw wrongInput(
    `${row} makes a key of more than ${rowBounds.keyLength} characters, ${cut(key)}; name shorter columns in the key`,
    { key: `has more than ${rowBounds.keyLength} characters for a row` },
  );
}

function cellInKey(fields: Row, column: string, row: string): string {
  const cell = Object.hasOwn(fields, column) ? fields[column] : undefined;
  if (cell === undefined) {
    const names = Object.keys(fields);
    const more = names.length > 20 ? ` and ${names.length - 20} more` : '';
    throw wrongInput(
      `${row} has nothing for {${column}} of the key; it has ${names.slice(0, 20).join(', ')}${more}`,
      { key: `names {${column}}, which a row does not have` },
    );
  }
  if (typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  let what = 'an object';
  if (cell === null) what = 'null';
  else if (Array.isArray(cell)) what = 'a list';
  throw wrongInput(
    `${row} has ${what} for {${column}} of the key; expected a text, a number, true or false`,
    {
      key: `names {${column}}, which is ${what} in a row`,
    },
  );
}

/** A column is a field of the request, unless it begins with another part of the input. */
function pathOf(column: string): string[] {
  const path = column.split('.');
  return ['request', 'deadlines', 'onOverdue', 'waitForLocker', 'tell', 'clock', 'version'].includes(
    path[0] ?? '',
  )
    ? path
    : ['request', ...path];
}

/** A copy of the input with further fields. */
function withFields(
  given: Record<string, unknown>,
  fields: readonly (readonly [path: readonly string[], value: unknown])[],
): Record<string, unknown> {
  const input = structuredClone(given);
  for (const [path, value] of fields) setAt(input, path, value);
  return input;
}

/** Makes the maps around it that are not there yet. */
export function setAt(fields: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  // Defined, not assigned: so a field named __proto__ is an ordinary field, and refused as unknown.
  const put = (item: unknown) =>
    Object.defineProperty(fields, name, {
      value: item,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  if (rest.length === 0) return void put(value);
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const inner = isFields(before) ? before : {};
  put(inner);
  setAt(inner, rest, value);
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text as the flow wants it there: a number, where it takes no text. What does not fit stays a text, and is refused as that. */
export const typedAt = (path: readonly string[], text: string, schema: JsonSchema): unknown =>
  typed(text, schemaAt(schema, path, schema.$defs ?? {}));

type Definitions = NonNullable<JsonSchema['$defs']>;

/** Undefined where nothing is said of it. */
function schemaAt(
  schema: JsonSchema | undefined,
  [name, ...rest]: readonly string[],
  $defs: Definitions,
): JsonSchema | undefined {
  const known = resolved(schema, $defs);
  if (name === undefined) return known;
  const { properties, anyOf, oneOf, allOf } = (known ?? {}) as Record<string, unknown>;
  const own = (properties as Record<string, JsonSchema> | undefined)?.[name];
  if (own) return schemaAt(own, rest, $defs);
  const branches = [anyOf, oneOf, allOf].flatMap((each) => (each as JsonSchema[] | undefined) ?? []);
  for (const branch of branches) {
    const found = schemaAt(branch, [name, ...rest], $defs);
    if (found) return found;
  }
  return undefined;
}

function resolved(schema: JsonSchema | undefined, $defs: Definitions): JsonSchema | undefined {
  const { $ref } = (schema ?? {}) as { readonly $ref?: string };
  return $ref === undefined ? schema : resolved($defs[$ref.slice($ref.lastIndexOf('/') + 1)], $defs);
}

function typed(cell: string, schema: JsonSchema | undefined): unknown {
  const { type, anyOf = [] } = (schema ?? {}) as { readonly type?: unknown; readonly anyOf?: JsonSchema[] };
  const types = [type, ...anyOf.map((each) => (each as { readonly type?: unknown }).type)].flat();
  if (types.includes('string') || types.every((each) => each === undefined)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
