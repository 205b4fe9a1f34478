// The drawing of a flow file: its states, guards and delays as expressions, actions as short texts.
import { type ActionData, type FlowFile, type GuardData, listOf } from '../../../flow-files/flow-file.ts';
import {
  invokesOf,
  type Node,
  nodesOf,
  type TransitionAt,
  targetOf,
  transitionsOf,
} from '../../../flow-files/reading/walk.ts';
import { type Arrow, type Drawing, type DrawnState, wordsOfArrow } from './drawing.ts';

export function drawingOfFile(file: FlowFile): Drawing {
  const nodes = nodesOf(file);
  const [root] = nodes as [Node, ...Node[]];
  return { root: drawn(root, nodes), arrows: nodes.flatMap((node) => arrowsFrom(node, nodes)) };
}

function drawn(node: Node, nodes: readonly Node[]): DrawnState {
  const { state, keys } = node;
  const children = nodes.filter(({ parent }) => parent === node).map((child) => drawn(child, nodes));
  const kind = state.type ?? (children.length > 0 ? 'compound' : 'atomic');
  const runs = invokesOf(node).map(({ id, invoke }) => `${id}: ${invoke.src}`);
  return {
    path: keys,
    kind,
    initial: state.initial ?? null,
    tags: [...listOf(state.tags), ...runs],
    children,
  };
}

function arrowsFrom(node: Node, nodes: readonly Node[]): Arrow[] {
  return transitionsOf(node).flatMap((each) => {
    const words = wordsOf(each);
    const targets = listOf(each.transition.target);
    if (targets.length === 0) return [{ from: node.keys, to: null, words }];
    return targets.map((target) => ({
      from: node.keys,
      to: targetOf(target, node, nodes)?.keys ?? null,
      words,
    }));
  });
}

function wordsOf({ trigger, transition: { guard, actions, reenter } }: TransitionAt): string {
  const words = {
    on: () => ('event' in trigger ? trigger.event : ''),
    after: () => ('delay' in trigger ? `after ${plain(trigger.delay)}` : ''),
    always: () => '',
    onDone: () => 'done',
    invokeDone: () => ('id' in trigger ? `${trigger.id} done` : ''),
    invokeError: () => ('id' in trigger ? `${trigger.id} failed` : ''),
  };
  const condition = guard === undefined ? '' : wordsOfGuard(guard);
  return wordsOfArrow(words[trigger.kind](), condition, listOf(actions).map(wordsOfAction), reenter === true);
}

const plain = (text: string): string => text.replaceAll(/\$\{|\}$/g, '');

function wordsOfGuard(guard: GuardData): string {
  if (typeof guard === 'string') return plain(guard);
  const {
    state,
    guards = [],
    guard: inner,
  } = (guard.params ?? {}) as {
    readonly state?: string;
    readonly guards?: readonly GuardData[];
    readonly guard?: GuardData;
  };
  if (inner !== undefined) return `not ${wordsOfGuard(inner)}`;
  return state === undefined ? guards.map(wordsOfGuard).join(` ${guard.type} `) : `in ${state}`;
}

function wordsOfAction({ type, params = {} }: ActionData): string {
  const { type: event, invoke, raise } = params;
  const what = type === 'assign' ? Object.keys(params).join(', ') : (event ?? invoke ?? raise ?? '');
  return what === '' ? type : `${type} ${String(what)}`;
}
