// Lists everything that the states of a machine use, and where, for the check of the machine.
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { isOfAfter } from '../xstate-internals.ts';
import { nodesOf } from './messages.ts';

export interface Use {
  readonly kind: 'action' | 'guard' | 'delay' | 'actor';
  /** The state's id, and the part of the state. */
  readonly place: string;
  /** A name, an object with a name, or a function; for an actor its invoke. */
  readonly value: unknown;
}

export interface Invoked {
  readonly src: unknown;
  readonly id?: string;
  readonly onSnapshot?: unknown;
}

interface Transition {
  readonly actions: readonly unknown[];
  readonly guard?: unknown;
}

export function usesOf(machine: AnyStateMachine): Use[] {
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

const isDeclared = (action: unknown): boolean => !isOfAfter(action);

function initialActions({ config }: AnyStateNode): unknown[] {
  const { initial } = config as { readonly initial?: string | { readonly actions?: unknown } };
  return typeof initial === 'object' ? [initial.actions ?? []].flat() : [];
}
