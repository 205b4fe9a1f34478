// Checks the data of a file: each field that is read is set, and the result is what the file says of it.
import { soleExpression } from '../expressions/template.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import { actionsOf, sourcesIn, textsIn } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './reach.ts';
import { schemaProblems } from './schema-check.ts';

export function dataFindings(file: FlowFile, reach: Reach): PlacedFinding[] {
  const { input: schema, ...rest } = file;
  const sources = [...textsIn(rest as unknown as Json), ...keysOfDelays(reach)].flatMap(sourcesIn);
  const assigned = reach.nodes
    .flatMap(actionsOf)
    .flatMap(({ action: { type, params = {} } }) => (type === 'assign' ? Object.keys(params) : []));
  const set = [...Object.keys(file.context ?? {}), ...assigned];
  const declared = schema?.properties === undefined ? null : Object.keys(schema.properties as JsonObject);
  return [
    ...fieldsRead('context', sources)
      .filter((field) => !set.includes(field))
      .map((field) => lintFinding('ContextNeverSet', ['context'], field)),
    ...fieldsRead('calendars', sources)
      .filter((name) => !Object.hasOwn(file.calendars ?? {}, name))
      .map((name) => lintFinding('CalendarUnknown', ['calendars'], name)),
    ...fieldsRead('input', sources)
      .filter((field) => declared !== null && !declared.includes(field))
      .map((field) => lintFinding('InputNotDeclared', ['input', 'properties'], field)),
    ...resultFindings(file, set),
  ];
}

/** Of `output`, as far as its expressions let it: the process itself checks what they give. */
function resultFindings({ output, result }: FlowFile, set: readonly string[]): PlacedFinding[] {
  if (output === undefined || result === undefined) return [];
  // The context as a whole has the fields that are set, whatever their values are.
  const isContext = typeof output === 'string' && soleExpression(output) === 'context';
  const fields = isContext ? Object.fromEntries(set.map((field) => [field, `\${context.${field}}`])) : output;
  return schemaProblems(fields, result, ['output'], { $defs: {}, hasOwnPatterns: false }).map(
    ({ at, what, because }) => lintFinding('ResultWrong', at, what, because),
  );
}

const keysOfDelays = ({ nodes }: Reach): string[] =>
  nodes.flatMap(({ state }) => Object.keys(state.after ?? {}));

/** The fields of a variable that the expressions read. */
function fieldsRead(variable: 'context' | 'input' | 'calendars', sources: readonly string[]): string[] {
  const dotted = new RegExp(`(?<![\\w.])${variable}\\s*\\.\\??\\s*(\\w+)`, 'g');
  const indexed = new RegExp(`(?<![\\w.])${variable}\\s*\\[\\??\\s*["']([^"']+)["']`, 'g');
  const fields = sources.flatMap((source) =>
    [...source.matchAll(dotted), ...source.matchAll(indexed)].map(([, field]) => field as string),
  );
  return [...new Set(fields)];
}
