// Checks what a file invokes: that it exists, that it takes the input, and that it gives what the file reads of its result.
import type { FlowFile, Json, JsonObject } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { nearestOf } from '../nearest-names.ts';
import type { At } from '../reading/finding.ts';
import { isMap } from '../reading/report.ts';
import {
  type InvokeAt,
  invokesOf,
  type Node,
  sourcesIn,
  textsIn,
  transitionsOf,
  workOf,
} from '../reading/walk.ts';
import { pinOf } from '../registry.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './reach.ts';
import { schemaProblems, unknownField } from './schema-check.ts';

interface GivenSchemas {
  readonly input: object;
  readonly result: object;
  readonly $defs: object;
}

/** What an invoke takes and gives. */
interface Contract {
  readonly input: JsonObject;
  /** As a schema; empty: anything. */
  readonly result: JsonObject;
  readonly $defs: JsonObject;
  readonly hasOwnPatterns: boolean;
}

/** What a program knows of the flows and operations that a file may invoke, beside the files that it checks. */
export interface Invocables {
  readonly builtIn: readonly string[];
  /** A version that a file names has its name, such as `Loan@3`. */
  readonly published: readonly FlowFile[];
  /** All versions of the flows of which files name some; not given if Temporal was not asked. */
  readonly kept?: readonly string[];
  /** Null for others than built-in flows and operations. */
  schemasOf(src: string): GivenSchemas | null;
}

export function invokedFindings(
  file: FlowFile,
  reach: Reach,
  others: readonly FlowFile[],
  invocables: Invocables,
): PlacedFinding[] {
  const files = [...others, ...invocables.published];
  const contracts = (src: string): Contract | undefined => {
    const own = invocables.schemasOf(src) as Omit<Contract, 'hasOwnPatterns'> | null;
    if (own) return { ...own, hasOwnPatterns: true };
    const invoked = files.find(({ name }) => name === src);
    return invoked && contractOf(invoked);
  };
  const names = [...invocables.builtIn, ...files.map(({ name }) => name)];
  return reach.nodes.flatMap((node) =>
    [...invokesOf(node), ...invokesOf(node).flatMap(undoOf)].flatMap((given) => {
      const invoke = workOf(given);
      const { src } = invoke.invoke;
      const contract = contracts(src);
      const { flow, version } = pinOf(src);
      const place = [...invoke.at, 'src'];
      if (version !== undefined && invocables.kept && !invocables.kept.includes(src))
        return [lintFinding('VersionUnknown', place, src, keptWords(flow, invocables.kept))];
      // A version of a file that is linted together is not known: what is published under the number may be other content.
      if (kindOfActor(src) === 'flow' && !contract && !names.includes(flow) && flow !== file.name)
        return [lintFinding('ChildUnknown', place, src, formatNearest(flow, names))];
      return [
        ...(contract ? inputFindings(invoke, contract) : []),
        ...outputFindings(node, given, given === invoke ? resultOf(invoke, contract) : ofEach),
      ];
    }),
  );
}

function formatNearest(src: string, names: readonly string[]): string | undefined {
  const near = nearestOf(src, names);
  return near === undefined ? undefined : `perhaps ${near} was meant`;
}

/** What undoes an invoke; its result is nobody's. */
const undoOf = ({ invoke: { undo }, id, at }: InvokeAt): InvokeAt[] =>
  undo ? [{ invoke: undo, id: `${id} undone`, at: [...at, 'undo'] }] : [];

function keptWords(flow: string, kept: readonly string[]): string {
  const own = kept.filter((each) => pinOf(each).flow === flow);
  return own.length === 0 ? `${flow} is not published` : `there is ${own.join(', ')}`;
}

/** A process of a flow file takes its request, and gives its output: what the file says of it, or else its form. */
function contractOf({ input = {}, output, result }: FlowFile): Contract {
  const needsRequest = Array.isArray(input.required) && input.required.length > 0;
  return {
    input: {
      type: 'object',
      properties: { request: input, clock: {}, version: {} },
      required: needsRequest ? ['request'] : [],
      additionalProperties: false,
    },
    result: result ?? shapeOf(output),
    $defs: {},
    hasOwnPatterns: false,
  };
}

function inputFindings({ invoke, at }: InvokeAt, contract: Contract): PlacedFinding[] {
  const { input = {}, src } = invoke;
  const outside = outsideRequest(input, contract);
  if (outside.length > 0)
    return [
      lintFinding(
        ...(['InputWrong', [...at, 'input'], 'input'] as const),
        `${src}: ${outside.join(', ')} must stand within request, as input: { request: { … } }`,
      ),
    ];
  return schemaProblems(input, contract.input, [...at, 'input'], contract).map(
    ({ at: place, what, because }) => lintFinding('InputWrong', place, what, `${src}: ${because}`),
  );
}

/** Fields of the request that stand beside it, where there is no request: the most frequent mistake, and one finding. */
function outsideRequest(input: Json, { input: { properties }, $defs }: Contract): string[] {
  if (!isMap(input) || input.request !== undefined || !isMap(properties)) return [];
  const request = isMap(properties.request) ? properties.request : {};
  const name = typeof request.$ref === 'string' ? request.$ref.slice('#/$defs/'.length) : undefined;
  const schema = name === undefined ? request : $defs[name];
  const known = isMap(schema) && isMap(schema.properties) ? schema.properties : {};
  return Object.keys(input).filter((key) => !Object.hasOwn(properties, key) && Object.hasOwn(known, key));
}

/** What a value with expressions looks like, as a schema: the fields of its maps. */
function shapeOf(value: Json | undefined): JsonObject {
  if (!isMap(value)) return {};
  const properties = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
  return { type: 'object', properties };
}

/** Undefined if nothing is known of it. */
function resultOf({ invoke: { src, input } }: InvokeAt, contract: Contract | undefined): Result | undefined {
  const given = isMap(input) ? input : {};
  if (src === 'ask') {
    const fields = isMap(given.fields) ? given.fields : {};
    const properties = { ...Object.fromEntries(Object.keys(fields).map((key) => [key, {}])), by: {} };
    return { $defs: {}, result: { properties } };
  }
  return src === 'call' ? { $defs: {}, result: shapeOf(given.keep) } : contract;
}

type Result = Pick<Contract, 'result' | '$defs'>;

/** Its lists, whatever is in them. */
const ofEach: Result = { $defs: {}, result: { properties: { done: {}, failed: {}, left: {} } } };

const READ = /(?<![\w.])event\s*\.\s*output((?:\s*\.\s*\??\s*\w+)+)/g;

/** Only where it is done: elsewhere the event is another one. */
function outputFindings(
  node: Node,
  { id, invoke: { src } }: InvokeAt,
  contract: Result | undefined,
): PlacedFinding[] {
  if (!contract) return [];
  return transitionsOf(node)
    .filter(({ trigger }) => trigger.kind === 'invokeDone' && trigger.id === id)
    .flatMap(({ transition: { guard, actions }, at }) =>
      textsIn([guard ?? null, actions ?? null] as unknown as Json)
        .flatMap(sourcesIn)
        .flatMap((source) =>
          [...source.matchAll(READ)].map(([, path = '']) => path.split(/[\s.?]+/).filter(Boolean)),
        )
        .flatMap((path) => notGiven(path, src, contract, at)),
    );
}

function notGiven(path: readonly string[], src: string, contract: Result, at: At): PlacedFinding[] {
  const unknown = unknownField(path, contract.result, contract.$defs);
  if (unknown === undefined) return [];
  const { name, known } = unknown;
  const because = formatNearest(name, known) ?? `${src} gives ${known.join(', ')}`;
  return [lintFinding('OutputNotGiven', at, `event.output.${path.join('.')}`, because)];
}
