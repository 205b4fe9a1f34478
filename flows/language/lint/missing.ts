// Checks optional data: a field of the input that may be left out, or of the context that is set late, is read with care.
import { type OptionalReader, optionalReader } from '../expressions/optional-reads.ts';
import { type FlowFile, type GuardData, isMap, type Json, type JsonObject } from '../flow-file.ts';
import { assignedIn } from '../reading/action-effects.ts';
import type { At } from '../reading/report.ts';
import {
  invokesOf,
  isWithin,
  type Node,
  sourcesIn,
  targetsOf,
  textsIn,
  textsThatHold,
  transitionsOf,
} from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './states.ts';

export function missingFindings(file: FlowFile, reach: Reach): PlacedFinding[] {
  const optional = optionalFields(file.input ?? {});
  const late = assignedLate(file, reach);
  const reader = optionalReader();
  return reach.nodes.flatMap((node) =>
    readsOf(node).flatMap((read) => [
      ...unsafe('input', optional, read, reader)
        .filter((field) => !isKnown(field, node, { reach, reader }, []))
        .map((field) => lintFinding('InputMayBeMissing', read.at, `input.${field}`)),
      ...unsafe('context', late, read, reader).map((field) =>
        lintFinding('ContextMayBeMissing', read.at, `context.${field}`),
      ),
    ]),
  );
}

/** Those that a schema lets be left out, and does not fill in. */
export function optionalFields({ properties, required }: JsonObject): string[] {
  const always = Array.isArray(required) ? (required as Json[]) : [];
  return Object.entries(isMap(properties) ? properties : {}).flatMap(([name, schema]) =>
    always.includes(name) || (isMap(schema) && schema.default !== undefined) ? [] : [name],
  );
}

/** The fields of the context that only an action sets. */
function assignedLate({ context = {} }: FlowFile, { nodes }: Reach): string[] {
  return [...new Set(assignedIn(nodes))].filter((field) => !Object.hasOwn(context, field));
}

export interface Read {
  readonly sources: readonly string[];
  /** The guard of a transition holds for its actions too. */
  readonly guards: readonly string[];
}

interface ReadAt extends Read {
  readonly at: At;
}

export const sourcesThatHold = (guard: GuardData | undefined): string[] =>
  guard === undefined ? [] : textsThatHold(guard).flatMap(sourcesIn);

/** What a state itself reads, part by part. */
export function readsOf(node: Node): ReadAt[] {
  const { state, at } = node;
  const read = (value: unknown, place: At, guard?: GuardData): ReadAt => ({
    at: place,
    sources: textsIn(value as Json).flatMap(sourcesIn),
    guards: sourcesThatHold(guard),
  });
  return [
    read((state as FlowFile).correlate ?? null, [...at, 'correlate']),
    read(state.entry ?? null, [...at, 'entry']),
    read(state.exit ?? null, [...at, 'exit']),
    read(state.output ?? null, [...at, 'output']),
    ...Object.keys(state.after ?? {}).map((delay) => read(delay, [...at, 'after', delay])),
    ...transitionsOf(node).map(({ transition: { guard, actions }, at: place }) =>
      read([guard ?? null, actions ?? null], place, guard),
    ),
    ...invokesOf(node).flatMap(({ invoke: { undo }, at: place }) =>
      undo?.input === undefined ? [] : [read(undo.input, [...place, 'undo', 'input'])],
    ),
    ...invokesOf(node).flatMap(({ invoke: { input = null }, at: place }) =>
      isMap(input)
        ? Object.entries(input).map(([key, value]) => read(value, [...place, 'input', key]))
        : [read(input, [...place, 'input'])],
    ),
  ];
}

/** The fields that are read as if they were always there. */
export function unsafe(
  variable: 'input' | 'context' | 'event.data',
  fields: readonly string[],
  { sources, guards }: Read,
  reader = optionalReader(),
): string[] {
  if (fields.length === 0) return [];
  const reads = sources.map(reader);
  const known = guards.map(reader);
  return fields.filter((field) => {
    const path = `${variable}.${field}`;
    return (
      reads.some(({ plain, asked }) => plain.has(path) && !asked.has(path)) &&
      !known.some(({ certain }) => certain.has(path))
    );
  });
}

interface KnownAmong {
  readonly reach: Reach;
  readonly reader: OptionalReader;
}

/** Whether every way into the state, or into one around it, passes a guard that asks for the field. */
function isKnown(field: string, node: Node, among: KnownAmong, passed: readonly Node[]): boolean {
  if (passed.includes(node)) return true;
  const { parent } = node;
  if (!parent) return false;
  const way = [...passed, node];
  if (isKnown(field, parent, among, way)) return true;
  const isBegun = parent.state.type === 'parallel' || parent.state.initial === node.keys.at(-1);
  return (
    !isBegun &&
    waysInto(node, among.reach).every(
      ({ from, guard }) =>
        sourcesThatHold(guard).some((source) => among.reader(source).certain.has(`input.${field}`)) ||
        isKnown(field, from, among, way),
    )
  );
}

const waysInto = (node: Node, { nodes }: Reach) =>
  nodes
    .filter((from) => !isWithin(from, node))
    .flatMap((from) =>
      transitionsOf(from)
        .filter(({ transition }) =>
          targetsOf(transition, from, nodes).some((target) => isWithin(target, node)),
        )
        .map(({ transition: { guard } }) => ({ from, guard })),
    );
