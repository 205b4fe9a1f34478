// Checks what a file invokes: that it exists and takes the input, that some state takes its failure, and that no flows start each
// other without end.
import { type FlowFile, type InvokeData, isMap, type Json, type JsonObject, mapOf } from '../flow-file.ts';
import { kindOfActor, operationsOfFiles } from '../machine/actor-kinds.ts';
import { withPlainDeadlines } from '../machine/book-input.ts';
import { nearestOf } from '../nearest-names.ts';
import { cancelledIn } from '../reading/action-effects.ts';
import { type At, pathOf } from '../reading/report.ts';
import { inputFields } from '../reading/vocabulary.ts';
import {
  flowOfBooking,
  type InvokeAt,
  invokesOf,
  type Node,
  nodesOf,
  transitionsOf,
  twinOf,
  workOf,
} from '../reading/walk.ts';
import { type SchemaIssue, schemaIssues } from '../schema.ts';
import { isWholeOnboarding } from '../whole-process.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { areTogether, type Reach } from './states.ts';

/** What an invoke takes. */
interface Contract {
  readonly input: JsonObject;
  readonly $defs: JsonObject;
}

/** What a program knows of the flows and operations that a file may invoke, beside the files that it checks. */
export interface Invocables {
  readonly builtIn: readonly string[];
  readonly published: readonly FlowFile[];
  /** Null for others than built-in flows and operations. */
  schemasOf(src: string): { readonly input: object; readonly result: object; readonly $defs: object } | null;
}

export function invokedFindings(
  file: FlowFile,
  reach: Reach,
  others: readonly FlowFile[],
  invocables: Invocables,
): PlacedFinding[] {
  const files = [...others, ...invocables.published];
  const contracts = (src: string): Contract | undefined => {
    const invoked = files.find(({ name }) => name === src);
    const builtIn = invocables.schemasOf((invoked && twinOf(invoked)) ?? src) as Contract | null;
    if (builtIn) return builtIn;
    return invoked && contractOf(invoked);
  };
  const names = [...invocables.builtIn, ...files.map(({ name }) => name)];
  return reach.nodes.flatMap((node) =>
    [...invokesOf(node), ...invokesOf(node).flatMap(undoOf)].flatMap((given) => {
      const invoke = workOf(given);
      const { src } = invoke.invoke;
      // It takes the start of the process.
      if (isWholeOnboarding(invoke.invoke)) return [];
      const contract = src === 'book' ? contractOfBooking(invoke.invoke, contracts) : contracts(src);
      if (kindOfActor(src) === 'flow' && !contract && !names.includes(src) && src !== file.name)
        return [lintFinding('ChildUnknown', [...invoke.at, 'src'], src, formatNearestSrc(src, names))];
      if (!contract) return [];
      return [...inputFindings(invoke, contract), ...wholeFindings(invoke, contract, file.input ?? {})];
    }),
  );
}

export function formatNearest(src: string, names: readonly string[]): string | undefined {
  const near = nearestOf(src, names);
  return near === undefined ? undefined : `perhaps ${near} was meant`;
}

export const formatKnown = (name: string, known: readonly string[]): string =>
  formatNearest(name, known) ?? `it has ${known.join(', ')}`;

/** A name is more often that of an operation than that of a flow which lint does not see. */
function formatNearestSrc(src: string, flows: readonly string[]): string | undefined {
  const near = nearestOf(src, [...flows, ...operationsOfFiles]);
  return near !== undefined && operationsOfFiles.includes(near)
    ? `perhaps the operation ${near} was meant`
    : formatNearest(src, flows);
}

/** What undoes an invoke; its result is nobody's. */
const undoOf = ({ invoke: { undo }, id, at }: InvokeAt): InvokeAt[] =>
  undo ? [{ invoke: undo, id: `${id} undone`, at: [...at, 'undo'] }] : [];

/** A process of a flow file takes its request. */
function contractOf({ input = {} }: FlowFile): Contract {
  const needsRequest = Array.isArray(input.required) && input.required.length > 0;
  return {
    input: {
      type: 'object',
      properties: { request: input, clock: {} },
      required: needsRequest ? ['request'] : [],
      additionalProperties: false,
    },
    $defs: {},
  };
}

/** It takes what the built-in flow of its operation takes. That of a whole process comes with its start. */
function contractOfBooking(
  { input }: InvokeData,
  contracts: (src: string) => Contract | undefined,
): Contract | undefined {
  const { operation, isWhole } = (input ?? {}) as JsonObject;
  const flow = flowOfBooking(operation);
  const contract = flow === undefined || isWhole === true ? undefined : contracts(flow);
  if (!contract) return undefined;
  const { tell: _, clock: __, ...properties } = contract.input.properties as JsonObject;
  const own = Object.fromEntries(Object.keys(inputFields.book).map((field) => [field, {}]));
  return { ...contract, input: { ...contract.input, properties: { ...own, ...properties } } };
}

function inputFindings({ invoke, at }: InvokeAt, contract: Contract): PlacedFinding[] {
  const { src } = invoke;
  const input =
    src === 'book' ? withPlainDeadlines((invoke.input ?? {}) as JsonObject) : (invoke.input ?? {});
  const outside = outsideRequest(input, contract);
  if (outside.length > 0)
    return [
      lintFinding(
        ...(['InputWrong', [...at, 'input'], 'input'] as const),
        `${src}: ${outside.join(', ')} must stand within request, as input: { request: { … } }`,
      ),
    ];
  return firstOfEach(schemaIssues(input, contract.input, [...at, 'input'], contract.$defs)).map((issue) =>
    lintFinding('InputWrong', issue.at, String(issue.at.at(-1)), `${src}: it ${formatIssue(issue)}`),
  );
}

/** What a file says of its result, and what it gives. */
export function resultFindings({ output, result }: FlowFile): PlacedFinding[] {
  if (output === undefined || result === undefined) return [];
  return firstOfEach(schemaIssues(output, result, ['output'], {})).map((issue) =>
    lintFinding('ResultWrong', issue.at, String(issue.at.at(-1)), `it ${formatIssue(issue)}`),
  );
}

/** The first issue of each place. */
function firstOfEach(issues: Iterable<SchemaIssue>): SchemaIssue[] {
  const all = [...issues];
  return all.filter((issue) => all.find((each) => pathOf(each.at) === pathOf(issue.at)) === issue);
}

/** Itself, or what its `$ref` names. */
function referredTo(given: Json | undefined, $defs: JsonObject): JsonObject {
  const schema = mapOf(given);
  const { $ref } = schema;
  return typeof $ref === 'string' ? mapOf($defs[$ref.slice('#/$defs/'.length)]) : schema;
}

/** The start as a whole, or a part of it: `${input}`, `${input.person}`. */
const WHOLE = /^\$\{\s*input((?:\.\w+)*)\s*\}$/;

/** Fields that the file's own input describes and that what it is given to does not have: an expression alone shows no field. */
function wholeFindings(
  { invoke, at }: InvokeAt,
  { input, $defs }: Contract,
  declared: JsonObject,
): PlacedFinding[] {
  const look = (value: Json | undefined, schema: JsonObject, place: At): PlacedFinding[] => {
    const properties = mapOf(schema.properties);
    if (isMap(value))
      return Object.entries(value).flatMap(([key, each]) =>
        look(each, referredTo(properties[key], $defs), [...place, key]),
      );
    const [, path] = typeof value === 'string' ? (WHOLE.exec(value) ?? []) : [];
    if (path === undefined || schema.additionalProperties !== false) return [];
    const part = path
      .split('.')
      .slice(1)
      .reduce((inner, key) => mapOf(mapOf(inner.properties)[key]), declared);
    const known = Object.keys(properties);
    const more = Object.keys(mapOf(part.properties)).filter((field) => !known.includes(field));
    return more.length === 0
      ? []
      : [
          lintFinding(
            ...(['InputWrong', place, String(place.at(-1))] as const),
            `${invoke.src}: it does not take ${more.join(', ')} of ${value}; expected at most ${known.join(', ')}`,
          ),
        ];
  };
  return look(invoke.input, input, [...at, 'input']);
}

function formatIssue({ at, message, known }: SchemaIssue): string {
  if (!known) return message;
  const hint = formatNearest(String(at.at(-1)), known) ?? `expected ${known.join(', ') || 'no field'}`;
  return `${message}; ${hint}`;
}

/** Fields of the request that stand beside it, where there is no request: the most frequent mistake, and one finding. */
function outsideRequest(input: Json, { input: { properties }, $defs }: Contract): string[] {
  if (!isMap(input) || input.request !== undefined || !isMap(properties)) return [];
  const known = mapOf(referredTo(properties.request, $defs).properties);
  return Object.keys(input).filter((key) => !Object.hasOwn(properties, key) && Object.hasOwn(known, key));
}

export function failureFindings({ nodes }: Reach): PlacedFinding[] {
  const cancelled = cancelledIn(nodes);
  return nodes.flatMap((node) =>
    invokesOf(node).flatMap((invoke) => {
      const mayFail = !neverFails(invoke) || cancelled.includes(invoke.id);
      return mayFail && !isTaken(invoke, node, nodes)
        ? [lintFinding('FailureUnhandled', invoke.at, invoke.id)]
        : [];
    }),
  );
}

/**
 * A question fails only at the end of its time, an `each` only if it does not tolerate all failures of its items. What cannot be
 * undone is asked of a person.
 */
function neverFails({ invoke: { src, input } }: InvokeAt): boolean {
  const { within, tolerate, enough } = (input ?? {}) as JsonObject;
  if (src === 'each') return tolerate === 'all' && typeof enough !== 'string';
  return src === 'undo' || (src === 'ask' && within === undefined);
}

/** xstate takes `*` for failures too. */
function isTaken({ invoke }: InvokeAt, node: Node, nodes: readonly Node[]): boolean {
  if (invoke.onError !== undefined || typeof invoke.meta?.unhandled === 'string') return true;
  return nodes.some(
    (each) =>
      areTogether(each, node) &&
      transitionsOf(each).some(({ trigger }) => trigger.kind === 'on' && trigger.event === '*'),
  );
}

/** `others` are the files that are checked together with this one. */
export function circleFindings(file: FlowFile, others: readonly FlowFile[]): PlacedFinding[] {
  // If two files have one name, the first counts.
  const files = new Map([...others].reverse().map((each) => [each.name, each]));
  const before = waysTo(file.name, files);
  return invokedBy(file).flatMap(({ src, at }) => {
    const way: string[] = [file.name];
    for (let name: string | undefined = src; name !== undefined; name = before.get(name)) way.push(name);
    return before.has(src) ? [lintFinding('FlowsInCircle', [...at, 'src'], src, way.join(' → '))] : [];
  });
}

interface Invoked {
  readonly src: string;
  readonly at: At;
}

const invokedBy = (file: FlowFile): readonly Invoked[] =>
  nodesOf(file)
    .flatMap(invokesOf)
    .map(workOf)
    .map(({ invoke, at }) => ({ src: invoke.src, at }));

/** By each flow that leads to this one, the next on a shortest way. Each is visited once: there may be very many ways. */
function waysTo(end: string, files: ReadonlyMap<string, FlowFile>): ReadonlyMap<string, string | undefined> {
  const invokers = new Map<string, string[]>();
  for (const [name, file] of files)
    for (const { src } of invokedBy(file)) {
      const known = invokers.get(src) ?? [];
      known.push(name);
      invokers.set(src, known);
    }
  const next = new Map<string, string | undefined>([[end, undefined]]);
  // A Map can be walked while it grows.
  for (const name of next.keys())
    for (const invoker of invokers.get(name) ?? []) if (!next.has(invoker)) next.set(invoker, name);
  return next;
}
