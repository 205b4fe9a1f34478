// Reads the arrows of a running machine from xstate. It uses nothing of the code that draws, so that it can check that code.
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';

interface Arrow {
  /** The keys that lead from the root to the state, joined by `_`; empty for the root. */
  readonly from: string;
  /** Null if the state stays as it is. */
  readonly to: string | null;
  readonly words: string;
}

export const textOf = ({ from, to, words }: Arrow) => `${from} --> ${to ?? '(stays)'}: ${words}`.trim();

export function runningArrows({ root }: AnyStateMachine): Arrow[] {
  return nodesOf(root).flatMap((node) =>
    [...node.transitions.values(), node.always ?? []]
      .flat()
      .flatMap((transition) => arrowsOf(node, transition)),
  );
}

const nodesOf = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

function arrowsOf(node: AnyStateNode, transition: AnyTransitionDefinition): Arrow[] {
  const { eventType, guard, actions, target, reenter } = transition;
  const done = actions.length > 0 ? ` / ${actions.map(nameOf).join(', ')}` : '';
  const words = `${happening(node, eventType)}${guard ? ` [${nameOf(guard)}]` : ''}${done}${reenter ? ' (anew)' : ''}`;
  const from = node.path.join('_');
  const targets = target?.map(({ path }) => path.join('_')) ?? [null];
  return targets.map((to) => ({ from, to, words: words.trim() }));
}

function happening(node: AnyStateNode, eventType: string): string {
  const [, kind, id = ''] =
    /^xstate\.(done\.state|done\.actor|error\.actor|after)\.(.*)$/.exec(eventType) ?? [];
  const src = node.invoke.find((invoke) => invoke.id === id)?.src;
  if (kind === 'done.state') return 'done';
  if (kind === 'done.actor') return `${src} done`;
  if (kind === 'error.actor') return `${src} failed`;
  return kind === 'after' ? `after ${id.replace(`.${node.id}`, '')}` : eventType;
}

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  const { type, params } = named as { readonly type: string; readonly params: object };
  return `${type}(${Object.values(params).join(', ')})`;
}
