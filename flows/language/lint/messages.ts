// Checks what a file sends to other processes: that they listen for it, and have the keys.
import { matchesAny } from '../../../engine/chart/messages.ts';
import type { FlowFile } from '../flow-file.ts';
import type { HookDeclaration } from '../hook.ts';
import { isOfChild } from '../machine/incoming.ts';
import { nearestOf } from '../nearest-names.ts';
import { actionsOf, invokesOf, type Node } from '../reading/walk.ts';
import { listenedFor } from '../subscriptions.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import type { Reach } from './reach.ts';

/** @param files the other files that lint can see */
export function messageFindings(file: FlowFile, reach: Reach, files: readonly FlowFile[]): PlacedFinding[] {
  return reach.nodes.flatMap((node) => sentFindings(node, reach, [...files, file]));
}

function sentFindings(node: Node, { nodes }: Reach, files: readonly FlowFile[]): PlacedFinding[] {
  return actionsOf(node).flatMap(({ action: { type: action, params = {} }, at }) => {
    if (action !== 'sendTo') return [];
    const { to, where, type } = params;
    const event = String(type);
    if (where !== undefined)
      return keyFindings(Object.keys(where as object), event, [...at, 'params'], files);
    const src = nodes.flatMap(invokesOf).find(({ id }) => id === to)?.invoke.src;
    const receiver = files.find(({ name }) => name === src);
    if (!receiver || matchesAny(event, fromOutside(receiver))) return [];
    const heard = fromOutside(receiver).join(', ') || 'nothing';
    return [lintFinding('EventUnheard', [...at, 'params', 'type'], event, `${src} listens for ${heard}`)];
  });
}

/** An event of a hook that no file hears, or not by these keys. */
export const hookFindings = (
  hooks: readonly { readonly name: string; readonly declaration: HookDeclaration }[],
  files: readonly FlowFile[],
): PlacedFinding[] =>
  hooks.flatMap(({ name, declaration: { type, where } }) =>
    type.includes('${') ? [] : keyFindings(Object.keys(where), type, ['hooks', name], files),
  );

/** Only where lint sees files that hear the event, or have one of the keys: others may be published elsewhere. */
function keyFindings(
  keys: readonly string[],
  event: string,
  at: PlacedFinding['at'],
  files: readonly FlowFile[],
): PlacedFinding[] {
  const hearing = files.filter((file) => matchesAny(event, fromOutside(file)));
  const having = files.filter(({ correlate = {} }) => keys.every((key) => Object.hasOwn(correlate, key)));
  if (hearing.some((file) => having.includes(file))) return [];
  if (hearing.length > 0) {
    const because = hearing
      .map(({ name, correlate = {} }) => `${name} has ${Object.keys(correlate).join(', ') || 'no key'}`)
      .join('; ');
    return [lintFinding('EventUnheard', [...at, 'where'], `${event} for ${keys.join(', ')}`, because)];
  }
  // A flow that lint does not see may hear it: only a name that looks mistyped is a finding.
  const near = nearestOf(event, having.flatMap(fromOutside));
  return near === undefined
    ? []
    : [lintFinding('EventUnheard', [...at, 'type'], event, `perhaps ${near} was meant`)];
}

/** The events that come to a process from others than the flows that it has started. */
function fromOutside(file: FlowFile): string[] {
  const isChilds = isOfChild(file);
  const starts = Object.keys(file.starts ?? {});
  return [...starts, ...listenedFor(file).filter((type) => type !== 'cancelRequested' && !isChilds(type))];
}
