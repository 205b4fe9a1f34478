// A machine as data for programs that draw it: its states, its transitions, and where a snapshot of it stands. Texts only: a
// function is shown by its property `text`, if it has one, else as "(function)".
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type EventObject,
  getNextTransitions,
  type StateValue,
} from 'xstate';
import { activeNodes } from '../stepper.ts';
import { nodesOf } from './messages.ts';

/** The keys from the root, with dots between; the root is the empty text. */
export type StatePath = string;

export interface ChartViewState {
  readonly path: StatePath;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial: StatePath | null;
  readonly tags: readonly string[];
  readonly description: string | null;
  /** Its name for people; null: it has only its own. */
  readonly title: string | null;
  /** Activities and child workflows that run while the process is there. */
  readonly invokes: readonly string[];
}

export interface ChartViewTransition {
  readonly from: StatePath;
  /** Empty: the state does not change. */
  readonly to: readonly StatePath[];
  /** A message by its name, `after <delay>`, `<call> done`, `<call> failed`, `done` (of the states within), or `always`. */
  readonly event: string;
  /** The delay, if it is taken after one. */
  readonly after?: string;
  /** Whether it is taken because a call has failed. Absent: no. */
  readonly isFailure?: true;
  readonly guard: string | null;
  readonly actions: readonly string[];
  /** Whether an action tells others: it emits an event. Absent: none does. */
  readonly emits?: true;
  /** Whether the state is left and entered anew. */
  readonly reenters: boolean;
}

export interface ChartView {
  readonly name: string;
  /** Each before those within it; the first is the root. */
  readonly states: readonly ChartViewState[];
  readonly transitions: readonly ChartViewTransition[];
}

export interface Position {
  /** Every state that is active, each before those within it. */
  readonly active: readonly StatePath[];
  /** What may happen next; a guard may still be against it. */
  readonly next: readonly ChartViewTransition[];
  /** The timers of active states that run, the next one first. */
  readonly timers: readonly RunningTimer[];
}

export interface RunningTimer {
  readonly state: StatePath;
  /** The event of its transition: `after <delay>`. */
  readonly event: string;
  readonly after: string;
  /** ISO 8601. */
  readonly until: string;
}

/** An armed timer of the machine itself. */
export interface Armed {
  readonly event: EventObject;
  readonly dueAt: number;
}

export function chartView(machine: AnyStateMachine): ChartView {
  const nodes = nodesOf(machine.root);
  return {
    name: machine.id,
    states: nodes.map(stateView),
    transitions: nodes.flatMap(({ transitions, always }) =>
      [...[...transitions.values()].flat(), ...(always ?? [])].map(transitionView),
    ),
  };
}

export function positionOf(snapshot: AnyMachineSnapshot, armed: readonly Armed[] = []): Position {
  const isOpen = snapshot.status === 'active';
  return {
    active: ['', ...pathsOf(snapshot.value)],
    next: isOpen ? getNextTransitions(snapshot).map(transitionView) : [],
    timers: isOpen ? timersOf(snapshot, armed) : [],
  };
}

/** Those that `after` of an active state has armed. */
function timersOf(snapshot: AnyMachineSnapshot, armed: readonly Armed[]): RunningTimer[] {
  return [...armed]
    .sort((one, other) => one.dueAt - other.dueAt)
    .flatMap(({ event: { type }, dueAt }) =>
      activeNodes(snapshot).flatMap((node) => {
        const after = delayOf(node, type);
        if (after === undefined) return [];
        const until = new Date(dueAt).toISOString();
        return [{ state: pathOf(node), event: eventMessage(node, type), after, until }];
      }),
    );
}

function pathsOf(value: StateValue, within: readonly string[] = []): StatePath[] {
  if (typeof value === 'string') return [[...within, value].join('.')];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...within, key];
    return [path.join('.'), ...(inner === undefined ? [] : pathsOf(inner, path))];
  });
}

function stateView(node: AnyStateNode): ChartViewState {
  const [initial] = node.type === 'compound' ? node.initial.target : [];
  return {
    path: pathOf(node),
    kind: node.type,
    initial: initial ? pathOf(initial) : null,
    tags: [...node.tags],
    description: node.description ?? null,
    title: stateTitle(node),
    invokes: node.invoke.map((invoke) => {
      const [call, src] = [callOf(node, invoke), nameOf(invoke.src)];
      return call === src ? src : `${src} as ${call}`;
    }),
  };
}

/** The author's, from the data that xstate keeps for other tools. */
export function stateTitle({ meta }: Pick<AnyStateNode, 'meta'>): string | null {
  const { title } = (meta ?? {}) as { readonly title?: unknown };
  return typeof title === 'string' ? title : null;
}

function transitionView(transition: AnyTransitionDefinition): ChartViewTransition {
  const { source, target = [], eventType, guard, actions, reenter } = transition;
  const after = delayOf(source, eventType);
  return {
    from: pathOf(source),
    to: target.map(pathOf),
    event: eventMessage(source, eventType),
    ...(after !== undefined && { after }),
    ...(isFailure(source, eventType) && { isFailure: true }),
    guard: guard === undefined ? null : nameOf(guard),
    actions: actions.map(nameOf),
    ...(actions.some(isEmit) && { emits: true }),
    reenters: reenter === true,
  };
}

const isEmit = (action: unknown): boolean =>
  (action as { readonly type?: unknown } | undefined)?.type === 'xstate.emit';

export const pathOf = ({ path }: AnyStateNode): StatePath => path.join('.');

/** xstate's own events, in the words of the chart. */
function eventMessage(source: AnyStateNode, type: string): string {
  const after = delayOf(source, type);
  if (after !== undefined) return `after ${after}`;
  if (type === '') return 'always';
  if (type.startsWith('xstate.done.state.')) return 'done';
  const call = endedCall(source, type);
  if (call && isFailure(source, type)) return `${callOf(source, call)} failed`;
  return call && type.startsWith('xstate.done.') ? `${callOf(source, call)} done` : type;
}

const delayOf = ({ after }: AnyStateNode, type: string): string | undefined => {
  const found = after.find(({ eventType }) => eventType === type);
  return found && String(found.delay);
};

const endedCall = ({ invoke }: AnyStateNode, type: string) =>
  invoke.find(({ id }) => type.endsWith(`.actor.${id}`));

const isFailure = (source: AnyStateNode, type: string): boolean =>
  type.startsWith('xstate.error.') && endedCall(source, type) !== undefined;

/** By the id that its author gave; xstate's own ids begin with a number, and a flow file's with the path of the state. */
function callOf(node: AnyStateNode, { id, src }: { readonly id: string; readonly src: unknown }): string {
  const path = pathOf(node) || 'process';
  const isDefault = /^\d+\./.test(id) || id === path || id.startsWith(`${path}.`);
  return isDefault ? nameOf(src) : id;
}

/** With its params, as `name(a, b)`; a function by its `text`. */
function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  const { text, type, params } = (named ?? {}) as Readonly<Record<'text' | 'type' | 'params', unknown>>;
  if (typeof text === 'string') return text;
  if (typeof type !== 'string') return '(function)';
  if (typeof params !== 'object' || params === null) return type;
  return `${type}(${Object.values(params).join(', ')})`;
}
