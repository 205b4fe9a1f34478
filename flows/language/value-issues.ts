// Checks what somebody sends against a schema of a file: the request of a start, the data of an event. Neither the author of a schema
// nor the sender of a value can make a check expensive: the work is limited by the sizes of both. Processes check their events
// with it too.
import { bounds, type Json, type JsonObject } from './flow-file.ts';
import { jsonBytes } from './json-bytes.ts';
import { schemaIssues } from './schema.ts';

/** The most bytes of a value as JSON, since every history keeps it. */
const MAX_BYTES = 32 * 1024;
/** Values of the schema times values of what is checked: about a tenth of a second. */
const MAX_CHECKS = 2_000_000;
const MAX_ISSUES = 50;

export interface ValueIssue {
  /** Such as `request.item`. */
  readonly field: string;
  readonly message: string;
}

/**
 * The schema must have no findings.
 * @param name of the value, with which the fields begin
 */
export function valueIssues(schema: JsonObject | undefined, value: unknown, name: string): ValueIssue[] {
  const issue = (message: string): ValueIssue => ({ field: name, message });
  const size = sizeOf(value);
  if (size.depth > bounds.depth)
    return [issue(`has ${size.depth} levels of maps and lists, expected at most ${bounds.depth}`)];
  const bytes = jsonBytes(value);
  if (bytes > MAX_BYTES) return [issue(`is ${bytes} bytes long, expected at most ${MAX_BYTES}`)];
  if (schema === undefined) return [];
  if (sizeOf(schema).values * size.values > MAX_CHECKS)
    return [issue('has too many values for a schema of this size; send fewer, or let the schema check less')];
  const issues: ValueIssue[] = [];
  for (const { at, message } of schemaIssues(value as Json, schema, [name]))
    if (issues.push({ field: at.join('.'), message }) === MAX_ISSUES) break;
  return issues;
}

/** Every value and key counts, longer texts more. Not recursive: the sender decides how deeply a value is nested. */
function sizeOf(value: unknown): { readonly values: number; readonly depth: number } {
  let values = 0;
  let deepest = 0;
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [each, depth] = next;
    values += 1 + (typeof each === 'string' ? each.length / 16 : 0);
    if (typeof each !== 'object' || each === null) continue;
    deepest = Math.max(deepest, depth + 1);
    for (const [key, inner] of Object.entries(each)) {
      if (!Array.isArray(each)) values += 1 + key.length / 16;
      open.push([inner, depth + 1]);
    }
  }
  return { values: Math.ceil(values), depth: deepest };
}
