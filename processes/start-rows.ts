// One process for each row of a batch: its key is made of the row, and its columns are fields of the input.
import type { JsonSchema } from '../contract/openapi/schemas.ts';
import { wrongInput } from './outcome.ts';

/** By column: JSON, or the text of a cell. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowStart {
  readonly key: string;
  readonly input: Record<string, unknown>;
}

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

/**
 * The start of each row, in their order. Throws a Refusal for a key that is the same for several rows, or that names a column that a
 * row does not have.
 * @param rowWords how errors name a row
 */
export function startsOfRows(
  rows: readonly Row[],
  batch: Batch,
  rowWords: (index: number) => string,
): RowStart[] {
  const starts = rows.map((fields, index) => startOf(fields, batch, rowWords(index)));
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

function startOf(fields: Row, { key: template, input, schema }: Batch, row: string): RowStart {
  if (!COLUMN.test(template))
    throw wrongInput(
      `the key ${template} would be the same for every row; expected columns in braces, like loan-{${Object.keys(fields)[0]}}`,
      { key: 'has no column in braces' },
    );
  const key = template.replaceAll(new RegExp(COLUMN, 'g'), (_, column: string) => {
    const cell = Object.hasOwn(fields, column) ? fields[column] : undefined;
    if (cell === undefined)
      throw wrongInput(
        `${row} has nothing for {${column}} of the key; it has ${Object.keys(fields).join(', ')}`,
        { key: `names {${column}}, which a row does not have` },
      );
    return String(cell);
  });
  const assigned = Object.entries(fields).map(([column, cell]) => {
    const path = pathOf(column);
    return [path, typeof cell === 'string' ? typedAt(path, cell, schema) : cell] as const;
  });
  return { key, input: withFields(input, assigned) };
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
export function withFields(
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
