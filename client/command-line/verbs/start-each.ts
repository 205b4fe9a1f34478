// `start --each`: one process for each row of a file, under a key that is made of the row. The same file again starts nothing
// twice, so an interrupted start is repeated with the same command.
import { appendFile, readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { JsonSchema } from '../../../contract/openapi/schemas.ts';
import { eachAtOnce } from '../../../processes/at-once.ts';
import type { Acting } from '../../../processes/at-temporal.ts';
import { unforeseen } from '../../../processes/bulk.ts';
import { start } from '../../../processes/commands/start.ts';
import type { Outcome } from '../../../processes/outcome.ts';
import { CommandFailed, wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { type Report, wantsJson } from '../../../runtime/terminal/report.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { refusalWords } from '../failure-words.ts';
import { type Row, rowsOf } from '../given-files.ts';
import { type Assignment, withFields } from '../start-input.ts';

export interface EachOptions {
  /** The file. */
  readonly each: string;
  /** With columns in braces: `loan-{device}`. */
  readonly key: string;
  readonly results?: string;
  readonly perSecond: number;
  readonly dryRun?: true;
}

interface Given {
  readonly acting: Acting;
  readonly flow: string;
  /** What all have in common. */
  readonly input: Record<string, unknown>;
  /** What the flow takes, as far as it is known. */
  readonly schema: JsonSchema;
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

interface Start {
  readonly key: string;
  readonly line: number;
  readonly input: Record<string, unknown>;
}

export async function startEach(
  terminal: Terminal,
  command: Command,
  { each, key: template, results, perSecond, dryRun }: EachOptions,
  given: Given,
): Promise<void> {
  const rows = (await rowsOf(terminal, each)).map((row) => startOf(row, template, given));
  checkKeys(rows);
  const kept = dryRun ? undefined : results;
  const before = new Set(kept === undefined ? [] : await startedIn(kept));
  const todo = rows.filter(({ key }) => !before.has(key));
  const json = wantsJson(command);
  const { acting, flow } = given;
  const act = ({ key, input }: Start): Promise<Outcome<unknown>> =>
    dryRun ? start.check(acting, key, { flow, input }) : start.do(acting, key, { flow, input });
  const counts = { rows: rows.length, before: before.size, started: 0, refused: 0 };
  for await (const { item, outcome } of eachAtOnce(todo, act, {
    interrupted: terminal.interrupted,
    perSecond,
  })) {
    const became: Outcome<unknown> = outcome.done
      ? outcome.value
      : { done: false, refusal: unforeseen(outcome.error) };
    counts[became.done ? 'started' : 'refused'] += 1;
    const { data, words } = resultOf(item, became, dryRun === true);
    if (kept !== undefined) await appendFile(kept, `${JSON.stringify(data)}\n`);
    if (kept === undefined || !became.done) terminal.write(`${json ? JSON.stringify(data) : words}\n`);
  }
  conclude(terminal, json, counts, dryRun === true);
}

function resultOf({ key, line }: Start, became: Outcome<unknown>, isDryRun: boolean): Report {
  if (became.done)
    return isDryRun
      ? { data: { key, line, outcome: 'wouldStart' }, words: `${key}: would start` }
      : { data: { key, line, outcome: 'started' }, words: `${key}: started` };
  const error = refusalWords(became.refusal);
  return {
    data: { key, line, outcome: 'refused', code: became.refusal.code, error },
    words: `${key} (line ${line}): ${error}`,
  };
}

interface Counts {
  readonly rows: number;
  /** By a former call. */
  readonly before: number;
  readonly started: number;
  readonly refused: number;
}

function conclude(terminal: Terminal, json: boolean, counts: Counts, dryRun: boolean): void {
  const { rows, before, started, refused } = counts;
  const notTried = rows - before - started - refused;
  const sum = [
    `${started} of ${rows} ${rows === 1 ? 'row' : 'rows'} ${dryRun ? 'would start' : 'started'}`,
    before && `${before} started before`,
    refused && `${refused} refused`,
    notTried && `${notTried} not tried`,
  ]
    .filter(Boolean)
    .join(', ');
  const summary = { ...counts, notTried, ...(dryRun && { dryRun }) };
  terminal.write(`${json ? JSON.stringify({ summary }) : sum}\n`);
  if (notTried > 0)
    throw new CommandFailed('interrupted', `interrupted: ${sum}; the same command again starts the others`);
  if (refused > 0) throw new CommandFailed('failed', sum);
}

const COLUMN = /\{([^{}]+)\}/g;

function startOf({ line, fields }: Row, template: string, { input, schema, $defs }: Given): Start {
  if (!template.includes('{'))
    throw wrongUse(
      `--key ${template} would be the same for every row; expected columns in braces, like loan-{${Object.keys(fields)[0]}}`,
    );
  const key = template.replaceAll(COLUMN, (_, column: string) => {
    const cell = fields[column];
    if (cell === undefined)
      throw wrongUse(
        `line ${line} has nothing for {${column}} of --key; it has ${Object.keys(fields).join(', ')}`,
      );
    return String(cell);
  });
  const assigned = Object.entries(fields).map(([column, cell]): Assignment => {
    const path = pathOf(column);
    return [path, typeof cell === 'string' ? typed(cell, schemaAt(schema, path, $defs)) : cell];
  });
  return { key, line, input: withFields(input, assigned) };
}

/** A column is a field of the request, unless it begins with another part of the input. */
function pathOf(column: string): string[] {
  const path = column.split('.');
  return ['request', 'deadlines', 'onOverdue', 'waitForLocker', 'tell', 'clock'].includes(path[0] ?? '')
    ? path
    : ['request', ...path];
}

function checkKeys(starts: readonly Start[]): void {
  const lines = new Map<string, number>();
  for (const { key, line } of starts) {
    const first = lines.get(key);
    if (first !== undefined)
      throw wrongUse(
        `lines ${first} and ${line} have the same key, ${key}; add a column that differs to --key`,
      );
    lines.set(key, line);
  }
}

/** The keys that a former call has started, by its results. */
async function startedIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const { key, outcome } = resultIn(line, path);
      return outcome === 'started' && key !== undefined ? [key] : [];
    });
}

function resultIn(line: string, path: string): { readonly key?: string; readonly outcome?: string } {
  try {
    return JSON.parse(line) as object;
  } catch {
    throw wrongUse(`${path} is not the results of a former start; name another file`);
  }
}

/** Undefined where nothing is said of it. */
function schemaAt(
  schema: JsonSchema | undefined,
  [name, ...rest]: readonly string[],
  $defs: Given['$defs'],
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

function resolved(schema: JsonSchema | undefined, $defs: Given['$defs']): JsonSchema | undefined {
  const { $ref } = (schema ?? {}) as { readonly $ref?: string };
  return $ref === undefined ? schema : resolved($defs[$ref.slice($ref.lastIndexOf('/') + 1)], $defs);
}

/** A cell as the flow wants it. What does not fit stays a text, and is refused as that. */
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
