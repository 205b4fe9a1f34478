// Lists the parts of a file, each with its place, for the checks and `lint`.

import type { FlowType } from '../../../contract/flows/flow-types.ts';
import type { StateCode } from '../../../contract/wire/states.ts';
import { getOwn } from '../../../engine/chart/messages.ts';
import type { Declaration, Leg } from '../../built-in/declaration.ts';
import { declarations, declarationThatBooks, legsBookedBy } from '../../built-in/flows.ts';
import { partsOf } from '../expressions/template.ts';
import {
  type ActionData,
  type FlowFile,
  type GuardData,
  type InvokeData,
  invokeIdOf,
  type Json,
  listOf,
  type StateData,
  type TransitionData,
  type TransitionsData,
} from '../flow-file.ts';
import { isOnboarding, operationOfWhole } from '../whole-process.ts';
import type { At } from './report.ts';

export interface Node {
  readonly at: At;
  /** The keys of the states that lead from the file to this state. */
  readonly keys: readonly string[];
  readonly state: StateData;
  readonly parent: Node | undefined;
}

export function nodesOf(file: FlowFile): Node[] {
  return withInner({ at: [], keys: [], state: file, parent: undefined });
}

function withInner(node: Node): Node[] {
  const inner = Object.entries(node.state.states ?? {}).flatMap(([key, state]) =>
    withInner({ at: [...node.at, 'states', key], keys: [...node.keys, key], state, parent: node }),
  );
  return [node, ...inner];
}

/** The state itself and those around it. */
export function lineOf(node: Node): Node[] {
  return node.parent ? [node, ...lineOf(node.parent)] : [node];
}

export const isWithin = (node: Node, outer: Node): boolean => lineOf(node).includes(outer);

/** Whether they are in different regions of a parallel state. */
export function areApart(one: Node, other: Node): boolean {
  if (isWithin(one, other) || isWithin(other, one)) return false;
  return lineOf(one).find((around) => isWithin(other, around))?.state.type === 'parallel';
}

export interface InvokeAt {
  readonly invoke: InvokeData;
  readonly id: string;
  readonly at: At;
}

export function invokesOf({ state, at, keys }: Node): InvokeAt[] {
  const isList = Array.isArray(state.invoke);
  return listOf(state.invoke).map((invoke, index) => ({
    invoke,
    id: invokeIdOf(invoke, keys, index),
    at: isList ? [...at, 'invoke', index] : [...at, 'invoke'],
  }));
}

/** What an invoke runs: of an `each`, what it does with an item. */
export function workOf(given: InvokeAt): InvokeAt {
  const { invoke, id, at } = given;
  if (invoke.src !== 'each') return given;
  const { do: work } = invoke.input as unknown as { readonly do: Pick<InvokeData, 'src' | 'input'> };
  return { invoke: work, id, at: [...at, 'input', 'do'] };
}

/** What causes a transition. */
export type Trigger =
  | { readonly kind: 'on'; readonly event: string }
  | { readonly kind: 'after'; readonly delay: string }
  | { readonly kind: 'always' | 'onDone' }
  | { readonly kind: 'invokeDone' | 'invokeError'; readonly id: string };

interface TransitionAt {
  readonly at: At;
  readonly trigger: Trigger;
  readonly transition: TransitionData;
}

export function transitionsOf(node: Node): TransitionAt[] {
  const { state, at } = node;
  return [
    ...Object.entries(state.on ?? {}).flatMap(([event, given]) =>
      each(given, [...at, 'on', event], { kind: 'on', event }),
    ),
    ...Object.entries(state.after ?? {}).flatMap(([delay, given]) =>
      each(given, [...at, 'after', delay], { kind: 'after', delay }),
    ),
    ...each(state.always, [...at, 'always'], { kind: 'always' }),
    ...each(state.onDone, [...at, 'onDone'], { kind: 'onDone' }),
    ...invokesOf(node).flatMap(({ invoke, id, at: place }) => [
      ...each(invoke.onDone, [...place, 'onDone'], { kind: 'invokeDone', id }),
      ...each(invoke.onError, [...place, 'onError'], { kind: 'invokeError', id }),
    ]),
  ];
}

function each(given: TransitionsData | undefined, at: At, trigger: Trigger): TransitionAt[] {
  const isList = Array.isArray(given);
  return (listOf(given as TransitionData | undefined) as readonly (string | TransitionData)[]).map(
    (transition, index) => ({
      at: isList ? [...at, index] : at,
      trigger,
      transition: typeof transition === 'string' ? { target: transition } : transition,
    }),
  );
}

interface ActionAt {
  readonly at: At;
  readonly action: ActionData;
}

export function actionsOf(node: Node): ActionAt[] {
  const { state, at } = node;
  return [
    ...listedActions(state.entry, [...at, 'entry']),
    ...listedActions(state.exit, [...at, 'exit']),
    ...transitionsOf(node).flatMap(({ transition, at: place }) =>
      listedActions(transition.actions, [...place, 'actions']),
    ),
  ];
}

function listedActions(given: ActionData | readonly ActionData[] | undefined, at: At): ActionAt[] {
  const isList = Array.isArray(given);
  return listOf(given).map((action, index) => ({ action, at: isList ? [...at, index] : at }));
}

interface GuardAt {
  readonly at: At;
  readonly guard: GuardData;
}

/** Guards within `not`, `and` and `or` are listed instead of those. */
export const guardsOf = (node: Node): GuardAt[] =>
  transitionsOf(node).flatMap(({ transition: { guard }, at }) =>
    guard === undefined ? [] : leavesOf(guard, [...at, 'guard']),
  );

function leavesOf(guard: GuardData, at: At): GuardAt[] {
  const { guard: one, guards } = (typeof guard === 'string' ? {} : (guard.params ?? {})) as GuardParams;
  if (one !== undefined) return leavesOf(one, [...at, 'params', 'guard']);
  if (guards === undefined) return [{ guard, at }];
  return guards.flatMap((each, index) => leavesOf(each, [...at, 'params', 'guards', index]));
}

interface GuardParams {
  readonly guard?: GuardData;
  readonly guards?: readonly GuardData[];
}

/** The texts of a guard that are true wherever it holds. */
export function textsThatHold(guard: GuardData): string[] {
  if (typeof guard === 'string') return [guard];
  const { guards = [] } = (guard.params ?? {}) as GuardParams;
  return guard.type === 'and' ? guards.flatMap(textsThatHold) : [];
}

/** Finds a target as xstate does: `#id`, `#id.within`, `.within`, `beside`, `beside.within`. Undefined if there is none. */
export function targetOf(target: string, from: Node, nodes: readonly Node[]): Node | undefined {
  const [root] = nodes as [Node, ...Node[]];
  if (target.startsWith('#')) {
    const [id, ...path] = target.slice(1).split('.');
    const named = id === (root.state as FlowFile).name ? root : nodes.find(({ state }) => state.id === id);
    return named && inside(named, path, nodes);
  }
  if (target.startsWith('.')) return inside(from, target.slice(1).split('.'), nodes);
  return from.parent && inside(from.parent, target.split('.'), nodes);
}

/** The states that a transition enters, as far as they are there. */
export const targetsOf = ({ target }: TransitionData, from: Node, nodes: readonly Node[]): Node[] =>
  listOf(target).flatMap((each) => targetOf(each, from, nodes) ?? []);

function inside(node: Node, path: readonly string[], nodes: readonly Node[]): Node | undefined {
  const keys = [...node.keys, ...path].join('.');
  return nodes.find((each) => each.keys.join('.') === keys);
}

/** Every text in a value, at any depth. */
export function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return (Object.values(value) as Json[]).flatMap((inner) => textsIn(inner));
}

/** The expressions of a text. */
export const sourcesIn = (text: string): string[] =>
  partsOf(text).flatMap((part) => ('source' in part ? [part.source] : []));

const stateCodeRows = {
  Registered: true,
  ReadyForDropoff: true,
  WaitForReceiver: true,
  ReadyForPickup: true,
  Completed: true,
  Cancelled: true,
} as const satisfies Record<StateCode, true>;

export const stateCodes: readonly string[] = Object.keys(stateCodeRows);

/** The operations whose bookings can be followed, leg by leg. */
export const bookingOperations: readonly string[] = declarations.map(({ operation }) => operation);

/** The built-in flow that books by the operation. */
export const flowOfBooking = (operation: unknown): string | undefined =>
  declarationThatBooks(operation)?.name;

/** The names of the legs that an operation books. */
export const legsOf = (operation: unknown): readonly string[] => Object.keys(legsBookedBy(operation));

/** The stages of a leg that may have a deadline. */
export const stagesOf = (operation: unknown, role: string): readonly string[] =>
  getOwn<Leg>(legsBookedBy(operation), role)?.deadlines ?? [];

/**
 * The built-in flow that a flow is, or that its file copies: a file whose booking is the whole process takes the input of the
 * built-in flow that books so, and sends the events of its legs.
 */
export function builtInFlowOf(flow: string, files: readonly FlowFile[] = []): Declaration | undefined {
  const file = files.find(({ name }) => name === flow);
  const operation = file && operationOfWhole(file);
  return declarations.find(({ name }) => name === flow) ?? declarationThatBooks(operation);
}

/** The built-in flow that a file is like: it takes what that takes. */
export const twinOf = (file: FlowFile): string | undefined =>
  isOnboarding(file) ? ONBOARDING : flowOfBooking(operationOfWhole(file));

export const ONBOARDING = 'OnboardAccount' satisfies FlowType;
