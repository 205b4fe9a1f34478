// Checks the data of a file: each assigned field is read, each field that is read is set, and each question has an inbox.
import { soleExpression } from '../expressions/template.ts';
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import type { At } from '../reading/finding.ts';
import { actionsOf, invokesOf, type Node, sourcesIn, textsIn, workOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './reach.ts';
import { schemaProblems } from './schema-check.ts';

export function dataFindings(file: FlowFile, reach: Reach): PlacedFinding[] {
  const { input: schema, ...rest } = file;
  const sources = [...textsIn(rest as unknown as Json), ...keysOfDelays(reach)].flatMap(sourcesIn);
  const assigned = reach.nodes
    .flatMap(actionsOf)
    .flatMap(({ action, at }) =>
      action.type === 'assign'
        ? Object.keys(action.params ?? {}).map((field) => ({ field, at: [...at, 'params', field] }))
        : [],
    );
  const read = fieldsRead('context', sources);
  const set = [...Object.keys(file.context ?? {}), ...assigned.map(({ field }) => field)];
  const declared = schema?.properties === undefined ? null : Object.keys(schema.properties as JsonObject);
  return [
    ...assigned
      .filter(({ field }) => !read.isWhole && !read.fields.includes(field))
      .map(({ field, at }) => lintFinding('AssignNeverRead', at, field)),
    ...read.fields
      .filter((field) => !set.includes(field))
      .map((field) => lintFinding('ContextNeverSet', ['context'], field)),
    ...fieldsRead('calendars', sources)
      .fields.filter((name) => !Object.hasOwn(file.calendars ?? {}, name))
      .map((name) => lintFinding('CalendarUnknown', ['calendars'], name)),
    ...fieldsRead('input', sources)
      .fields.filter((field) => declared !== null && !declared.includes(field))
      .map((field) => lintFinding('InputNotDeclared', ['input', 'properties'], field)),
    ...resultFindings(file, set),
    ...questionFindings(file, reach),
    ...reach.nodes.flatMap(plainTexts),
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

/** The fields of a variable that the expressions read; `isWhole` if an expression reads the variable as a whole. */
function fieldsRead(
  variable: 'context' | 'input' | 'calendars',
  sources: readonly string[],
): { fields: string[]; isWhole: boolean } {
  const dotted = new RegExp(`(?<![\\w.])${variable}\\s*\\.\\??\\s*(\\w+)`, 'g');
  const indexed = new RegExp(`(?<![\\w.])${variable}\\s*\\[\\??\\s*["']([^"']+)["']`, 'g');
  const whole = new RegExp(`(?<![\\w.])${variable}\\b(?!\\s*[.[])`);
  const fields = sources.flatMap((source) =>
    [...source.matchAll(dotted), ...source.matchAll(indexed)].map(([, field]) => field as string),
  );
  return { fields: [...new Set(fields)], isWhole: sources.some((source) => whole.test(source)) };
}

/** Texts of other tools' templates, and names of variables alone. */
const LOOKS_LIKE =
  /^(?:input|context|event|flow|item)(?:\.\w+)+$|^now$|\{\{.*?\}\}|\$ +\{|(?<!\$)\{ *(?:input|context|event|flow|item)\.|\$(?:input|context|event|flow|item)\./;

function plainTexts(node: Node): PlacedFinding[] {
  const found = (value: Json | undefined, at: At): PlacedFinding[] =>
    textsAt(value ?? null, at).flatMap(({ text, at: place }) =>
      LOOKS_LIKE.test(text) ? [lintFinding('ExpressionMeant', place, JSON.stringify(text))] : [],
    );
  return [
    ...actionsOf(node).flatMap(({ action: { type, params = {} }, at }) =>
      type === 'assign' || params.data !== undefined
        ? found(type === 'assign' ? params : (params.data as Json), [
            ...at,
            'params',
            ...(type === 'assign' ? [] : ['data']),
          ])
        : [],
    ),
    ...invokesOf(node).flatMap(({ invoke: { input }, at }) => found(input, [...at, 'input'])),
    ...found(node.state.output, [...node.at, 'output']),
  ];
}

function textsAt(value: Json, at: At): { readonly text: string; readonly at: At }[] {
  if (typeof value === 'string') return [{ text: value, at }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    textsAt(inner as Json, [...at, Array.isArray(value) ? Number(key) : key]),
  );
}

function questionFindings({ input: schema }: FlowFile, { nodes }: Reach): PlacedFinding[] {
  return nodes
    .flatMap(invokesOf)
    .map(workOf)
    .flatMap(({ invoke, at }) => {
      if (invoke.src !== 'ask') return [];
      const { of } = invoke.input as JsonObject;
      const because = nobody(of, schema);
      return because === undefined
        ? []
        : [lintFinding('QuestionUnanswered', [...at, 'input', 'of'], JSON.stringify(of), because)];
    });
}

function nobody(of: Json | undefined, schema: JsonObject | undefined): string | undefined {
  if (typeof of !== 'string') return 'expected a text';
  if (of.trim() === '') return 'it is empty';
  const required = (schema?.required ?? []) as readonly Json[];
  const missing = fieldsRead('input', sourcesIn(of)).fields.find((field) => !required.includes(field));
  return missing === undefined || sourcesIn(of).some((source) => /has\(|\.\?|orValue/.test(source))
    ? undefined
    : `input.${missing} is not required`;
}
