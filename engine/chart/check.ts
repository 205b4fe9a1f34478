// Refuses a machine that the engine cannot run, before any process runs on it: each finding has its place and a way
// round. docs/statecharts.md has a line for each code.
import { type AnyStateMachine, type AnyStateNode, StateMachine } from 'xstate';
import { kindOf } from '../actor-kinds.ts';
import { ENTERED } from '../stepper.ts';
import { messagesOf, nodesOf } from './messages.ts';

/** By code: what is wrong with it, and the way round. */
const rules = {
  OtherXstate: 'is of another copy of xstate; install exactly the version of xstate that lockerflow names',
  ActorNotDeclared: 'has no implementation; give it in setup({ actors })',
  ActorNotDurable:
    'is a promise, a callback, an observable or a machine within the machine, which ends with the worker; make it an activity, a childWorkflow or a procedure',
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
  NoParent: 'goes to a parent machine, and the machine of a workflow has none; emit it',
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

export function findingsOf(machine: AnyStateMachine): Finding[] {
  if (!(machine instanceof StateMachine)) return [found('OtherXstate', 'machine', 'it')];
  return [
    ...nodesOf(machine.root).flatMap(initialNotFound),
    ...messagesOf(machine)
      .filter((type) => type.startsWith('__'))
      .map((type) => found('ReservedName', `machine "${machine.id}"`, `the event "${type}"`)),
    ...usesOf(machine).flatMap((use) => checks[use.kind](use, machine)),
  ];
}

const found = (code: ChartErrorCode, place: string, what: string): Finding => ({ code, place, what });

const checks: Readonly<Record<Use['kind'], (use: Use, machine: AnyStateMachine) => Finding[]>> = {
  action: ({ place, value }, machine) => actionFindings(place, value, machine),
  guard: ({ place, value }, machine) => guardFindings(place, value, machine),
  delay: ({ place, value }, machine) => delayFindings(place, value, machine),
  actor: ({ place, value }, machine) => {
    const { src, id, onSnapshot } = value as Invoked;
    const what = actorWords(src, id);
    const snapshots = onSnapshot === undefined ? [] : [found('ActorWithoutSnapshots', place, what)];
    const findings = actorFindings(place, src, what, machine);
    return findings.length > 0 ? findings : snapshots;
  },
};

/** A name by itself, or with params. */
function nameIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? (value as { readonly type?: string } | null)?.type : undefined;
}

/** The fields of what xstate's makers of actions and guards return. */
interface BuiltIn {
  readonly type?: string;
  readonly resolve?: unknown;
  readonly assignment?: unknown;
  readonly delay?: unknown;
  readonly to?: unknown;
  readonly src?: unknown;
  readonly id?: unknown;
  readonly guards?: readonly unknown[];
}

const builtIns: readonly string[] = [
  ...['assign', 'enqueueActions', 'spawnChild', 'stopChild', 'raise', 'sendTo', 'cancel', 'emit', 'log'],
].map((name) => `xstate.${name}`);

function actionFindings(place: string, value: unknown, machine: AnyStateMachine): Finding[] {
  const name = nameIn(value);
  const action = (name === undefined ? value : machine.implementations.actions[name]) as unknown;
  const what = `the action "${name ?? nameOf(action)}"`;
  if (name !== undefined && action === undefined) return [found('ActionNotDeclared', place, what)];
  if (typeof action !== 'function') return [found('ActionNotKnown', place, what)];
  if (!('resolve' in action)) return isAsync(action) ? [found('FunctionIsAsync', place, what)] : [];
  const { type = '', assignment, delay, to, src, id } = action as BuiltIn;
  if (!builtIns.includes(type)) return [found('ActionNotKnown', place, what)];
  if (type === 'xstate.assign') return assignmentFindings(place, what, assignment);
  if (type === 'xstate.spawnChild') return spawnFindings(place, src, id, machine);
  const isToParent = type === 'xstate.sendTo' && to === '#_parent';
  return [...(isToParent ? [found('NoParent', place, what)] : []), ...delayFindings(place, delay, machine)];
}

function assignmentFindings(place: string, what: string, assignment: unknown): Finding[] {
  const given = typeof assignment === 'function' ? [assignment] : Object.values(assignment ?? {});
  return given.some(isAsync) ? [found('FunctionIsAsync', place, what)] : [];
}

function spawnFindings(place: string, src: unknown, id: unknown, machine: AnyStateMachine): Finding[] {
  const what = actorWords(src, id);
  if (typeof src !== 'string') return [found('ActorNotNamed', place, what)];
  const withoutId = id === undefined ? [found('ActorWithoutId', place, what)] : [];
  return [...withoutId, ...actorFindings(place, src, what, machine)];
}

const actorWords = (src: unknown, id: unknown): string =>
  `the actor "${typeof src === 'string' ? src : String(id ?? '')}"`;

function actorFindings(place: string, src: unknown, what: string, machine: AnyStateMachine): Finding[] {
  const logic: unknown = typeof src === 'string' ? machine.implementations.actors[src] : src;
  if (logic === undefined) return [found('ActorNotDeclared', place, what)];
  return kindOf(logic) === 'live' ? [found('ActorNotDurable', place, what)] : [];
}

function guardFindings(place: string, value: unknown, machine: AnyStateMachine): Finding[] {
  const name = nameIn(value);
  const guard = (name === undefined ? value : machine.implementations.guards[name]) as unknown;
  const what = `the guard "${name ?? nameOf(guard)}"`;
  if (guard === undefined) return [found('GuardNotDeclared', place, what)];
  if (isAsync(guard)) return [found('FunctionIsAsync', place, what)];
  // A guard may be declared as the name of another guard.
  if (typeof guard !== 'function') return guardFindings(place, guard, machine);
  const { guards = [] } = guard as BuiltIn;
  return guards.flatMap((each) => guardFindings(place, each, machine));
}

function delayFindings(place: string, value: unknown, machine: AnyStateMachine): Finding[] {
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

/** Not one that xstate has added for a delay, nor the mark of the engine. */
function isDeclared(action: unknown): boolean {
  const { event, sendId, type } = action as { event?: { type?: unknown }; sendId?: unknown; type?: unknown };
  return type !== ENTERED && !String(event?.type ?? sendId ?? '').startsWith('xstate.after.');
}

function initialActions({ config }: AnyStateNode): unknown[] {
  const { initial } = config as { readonly initial?: string | { readonly actions?: unknown } };
  return typeof initial === 'object' ? [initial.actions ?? []].flat() : [];
}
