// Refuses a machine that the driver cannot run, before any process runs on it: each finding has its place and a way
// round. docs/driver.md has a line for each code.
import { type AnyStateMachine, type AnyStateNode, StateMachine } from 'xstate';
import { kindOf } from '../actor-kinds.ts';
import { type BuiltIn, isAdded, ownActions } from '../xstate-internals.ts';
import { messagesOf, nodesOf } from './messages.ts';

/** By code: what is wrong with it, and the way round. */
const rules = {
  OtherXstate: 'is of another copy of xstate; install exactly the version of xstate that lockerflow names',
  ActorNotDeclared: 'has no implementation; give it in setup({ actors })',
  ActorNotDurable:
    'is a promise, a callback or an observable, which ends with the worker; make it an activity: activity(name)',
  ActorNotNamed:
    'is spawned as an object, which no continued run can find again; declare it in setup({ actors }) and spawn it by its name',
  ActorWithoutId:
    'is spawned without an id, and so can be neither stopped nor found again; give it one: spawnChild(src, { id })',
  ActorWithoutSnapshots:
    'tells only its end, no snapshots between; use onDone and onError instead of onSnapshot',
  ActionNotDeclared: 'has no implementation; give it in setup({ actions })',
  ActionNotKnown: "is neither xstate's own nor a function; use a function or one of xstate's actions",
  FunctionIsAsync: 'is async, and a step does not wait for it; make it an activity: activity(name)',
  GuardNotDeclared: 'has no implementation; give it in setup({ guards })',
  DelayNotDeclared: 'has no implementation, and so would be no delay at all; give it in setup({ delays })',
  NoParent:
    'goes to the parent, and the machine of a workflow has none; send it from a child machine, or emit it',
  StateNotFound: 'is no state of it; name one of its states',
  ReservedName: 'begins with a name that Temporal keeps for itself; give the event another type',
} as const;

export type ChartErrorCode = keyof typeof rules;

export const chartErrorCodes = Object.keys(rules) as readonly ChartErrorCode[];

export interface Finding {
  readonly code: ChartErrorCode;
  /** The place in the machine: a state's id, and the part of the state. */
  readonly place: string;
  /** The value at that place. */
  readonly what: string;
}

/** All findings of one machine. */
export class ChartError extends TypeError {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    const lines = findings.map(({ code, place, what }) => `${code}: ${place}: ${what} ${rules[code]}`);
    super(lines.join('\n'));
    this.name = 'ChartError';
    this.findings = findings;
  }
}

/** Throws a ChartError with all findings. */
export function checked(machine: AnyStateMachine): void {
  const findings = findingsOf(machine);
  if (findings.length > 0) throw new ChartError(findings);
}

export function findingsOf(machine: AnyStateMachine, isRoot = true, seen = new Set<unknown>()): Finding[] {
  if (!(machine instanceof StateMachine)) return [found('OtherXstate', 'machine', 'it')];
  seen.add(machine);
  const check: Check = { machine, isRoot, seen };
  return [
    ...nodesOf(machine.root).flatMap(initialNotFound),
    ...messagesOf(machine)
      .filter((type) => type.startsWith('__'))
      .map((type) => found('ReservedName', `machine "${machine.id}"`, `the event "${type}"`)),
    ...usesOf(machine).flatMap((use) => checks[use.kind](use, check)),
  ];
}

interface Check {
  readonly machine: AnyStateMachine;
  readonly isRoot: boolean;
  readonly seen: Set<unknown>;
}

const found = (code: ChartErrorCode, place: string, what: string): Finding => ({ code, place, what });

const checks: Readonly<Record<Use['kind'], (use: Use, check: Check) => Finding[]>> = {
  action: ({ place, value }, check) => actionFindings(place, value, check),
  guard: ({ place, value }, check) => guardFindings(place, value, check),
  delay: ({ place, value }, check) => delayFindings(place, value, check),
  actor: ({ place, value }, check) => {
    const { src, id, onSnapshot } = value as Invoked;
    return actorFindings(place, src, { id, sendsSnapshots: onSnapshot !== undefined }, check);
  },
};

/** A name by itself, or with params. */
function nameIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? (value as { readonly type?: string } | null)?.type : undefined;
}

const builtIns: readonly string[] = [...ownActions, 'xstate.assign', 'xstate.enqueueActions'];

function actionFindings(place: string, value: unknown, check: Check): Finding[] {
  const name = nameIn(value);
  const action = (name === undefined ? value : check.machine.implementations.actions[name]) as unknown;
  const what = `the action "${name ?? nameOf(action)}"`;
  if (name !== undefined && action === undefined) return [found('ActionNotDeclared', place, what)];
  if (typeof action !== 'function') return [found('ActionNotKnown', place, what)];
  if (!('resolve' in action)) return isAsync(action) ? [found('FunctionIsAsync', place, what)] : [];
  const { type = '', assignment, delay, to, src, id } = action as BuiltIn;
  if (!builtIns.includes(type)) return [found('ActionNotKnown', place, what)];
  if (type === 'xstate.assign') return assignmentFindings(place, what, assignment);
  if (type === 'xstate.spawnChild') return spawnFindings(place, src, id, check);
  const isToParent = type === 'xstate.sendTo' && to === '#_parent' && check.isRoot;
  return [...(isToParent ? [found('NoParent', place, what)] : []), ...delayFindings(place, delay, check)];
}

function assignmentFindings(place: string, what: string, assignment: unknown): Finding[] {
  const given = typeof assignment === 'function' ? [assignment] : Object.values(assignment ?? {});
  return given.some(isAsync) ? [found('FunctionIsAsync', place, what)] : [];
}

function spawnFindings(place: string, src: unknown, id: unknown, check: Check): Finding[] {
  const what = `the actor "${typeof src === 'string' ? src : (id ?? '')}"`;
  const logic = typeof src === 'string' ? check.machine.implementations.actors[src] : src;
  // The kind is checked before the name.
  if (typeof src !== 'string' && kindOf(logic) !== 'live') return [found('ActorNotNamed', place, what)];
  const withoutId = id === undefined ? [found('ActorWithoutId', place, what)] : [];
  return [...withoutId, ...actorFindings(place, src, { id: String(id), sendsSnapshots: false }, check)];
}

function actorFindings(
  place: string,
  src: unknown,
  { id, sendsSnapshots }: { readonly id: string | undefined; readonly sendsSnapshots: boolean },
  { machine, seen }: Check,
): Finding[] {
  const what = `the actor "${typeof src === 'string' ? src : (id ?? '')}"`;
  const logic: unknown = typeof src === 'string' ? machine.implementations.actors[src] : src;
  if (logic === undefined) return [found('ActorNotDeclared', place, what)];
  const kind = kindOf(logic);
  if (kind === 'live') return [found('ActorNotDurable', place, what)];
  if (kind !== 'local') return sendsSnapshots ? [found('ActorWithoutSnapshots', place, what)] : [];
  if (seen.has(logic) || !('root' in (logic as object))) return [];
  return findingsOf(logic as AnyStateMachine, false, seen).map((each) => ({
    ...each,
    place: `${place}, ${what}, ${each.place}`,
  }));
}

function guardFindings(place: string, value: unknown, check: Check): Finding[] {
  const name = nameIn(value);
  const guard = (name === undefined ? value : check.machine.implementations.guards[name]) as unknown;
  const what = `the guard "${name ?? nameOf(guard)}"`;
  if (guard === undefined) return [found('GuardNotDeclared', place, what)];
  if (isAsync(guard)) return [found('FunctionIsAsync', place, what)];
  // A guard may be declared as the name of another guard.
  if (typeof guard !== 'function') return guardFindings(place, guard, check);
  const { guards = [] } = guard as BuiltIn;
  return guards.flatMap((each) => guardFindings(place, each, check));
}

function delayFindings(place: string, value: unknown, { machine }: Check): Finding[] {
  const isUnknown = typeof value === 'string' && machine.implementations.delays[value] === undefined;
  return isUnknown ? [found('DelayNotDeclared', place, `the delay "${value}"`)] : [];
}

/** xstate itself finds it only when the state is entered. */
function initialNotFound(node: AnyStateNode): Finding[] {
  if (node.type !== 'compound') return [];
  try {
    if (node.initial) return [];
  } catch {
    // It is not there.
  }
  return [found('StateNotFound', `state "${node.id}", initial`, JSON.stringify(node.config.initial))];
}

const isAsync = (value: unknown): boolean =>
  typeof value === 'function' && value.constructor.name === 'AsyncFunction';

const nameOf = (value: unknown): string =>
  typeof value === 'function' ? ((value as BuiltIn).type ?? (value.name || 'inline')) : String(value);

// What the states of a machine use, and where.

interface Use {
  readonly kind: 'action' | 'guard' | 'delay' | 'actor';
  /** The state's id, and the part of the state. */
  readonly place: string;
  /** A name, an object with a name, or a function; for an actor its invoke. */
  readonly value: unknown;
}

interface Invoked {
  readonly src: unknown;
  readonly id?: string;
  readonly onSnapshot?: unknown;
}

interface Transition {
  readonly actions: readonly unknown[];
  readonly guard?: unknown;
}

function usesOf(machine: AnyStateMachine): Use[] {
  return nodesOf(machine.root).flatMap(usesOfState);
}

function usesOfState(node: AnyStateNode): Use[] {
  const at = (what: string) => `state "${node.id}", ${what}`;
  const actions = (values: readonly unknown[], what: string) =>
    values.map((value): Use => ({ kind: 'action', place: at(what), value }));
  const transitions = (given: readonly Transition[], what: string) =>
    given.flatMap(({ actions: asked, guard }) => [
      ...actions(asked, what),
      ...(guard === undefined ? [] : [{ kind: 'guard', place: at(what), value: guard } as const]),
    ]);
  const invoked: readonly Invoked[] = [node.config.invoke ?? []].flat();
  return [
    ...actions(node.entry.filter(isDeclared), 'entry'),
    ...actions(node.exit.filter(isDeclared), 'exit'),
    ...[...node.transitions].flatMap(([event, given]) => transitions(given as Transition[], `on "${event}"`)),
    ...transitions((node.always ?? []) as Transition[], 'always'),
    ...actions(initialActions(node), 'initial'),
    ...node.after.map(({ delay }): Use => ({ kind: 'delay', place: at('after'), value: delay })),
    ...invoked.map((value): Use => ({ kind: 'actor', place: at('invoke'), value })),
  ];
}

const isDeclared = (action: unknown): boolean => !isAdded(action);

function initialActions({ config }: AnyStateNode): unknown[] {
  const { initial } = config as { readonly initial?: string | { readonly actions?: unknown } };
  return typeof initial === 'object' ? [initial.actions ?? []].flat() : [];
}
