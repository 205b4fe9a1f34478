// Checks events: each event that a file listens for must be able to come.
import type { InvokeData } from '../flow-file.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { type EachData, ITEM_FAILED } from '../machine/each.ts';
import { eventsOfFlow, isAmong } from '../reading/child-events.ts';
import { nearestOf } from '../reading/names.ts';
import { actionsOf, type InvokeAt, invokesOf, type Node, transitionsOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { areTogether, type Reach } from './reach.ts';

export function eventFindings(reach: Reach): PlacedFinding[] {
  const invokes = reach.nodes.flatMap((node) => invokesOf(node).map((invoke) => ({ ...invoke, node })));
  const raised = reach.nodes
    .flatMap(actionsOf)
    .flatMap(({ action }) => (action.type === 'raise' ? [String(action.params?.type)] : []));
  return reach.nodes.flatMap((node) =>
    transitionsOf(node).flatMap(({ trigger, at }) => {
      if (trigger.kind !== 'on' || raised.includes(trigger.event)) return [];
      const because = neverComes(trigger.event, node, invokes);
      return because === undefined ? [] : [lintFinding('EventNeverComes', at, trigger.event, because)];
    }),
  );
}

type InvokeOf = InvokeAt & { readonly node: Node };

/** Why the event never comes; undefined if it can. An event that does not belong to a child may come from outside. */
function neverComes(event: string, node: Node, invokes: readonly InvokeOf[]): string | undefined {
  if (event === '*') return undefined;
  const from = invokes.find(({ id }) => event.startsWith(`${id}.`));
  if (from) return isHeard(event, node, from);
  const [first = '', ...rest] = event.split('.');
  const meant = nearestOf(
    first,
    invokes.filter(({ invoke }) => sends(invoke, rest.join('.'))).map(({ id }) => id),
  );
  return meant === undefined ? undefined : `no invoke has the id ${first}; perhaps ${meant} was meant`;
}

/** Any other event comes from outside, although it may begin like an id. */
const sends = (invoke: InvokeData, event: string): boolean =>
  event !== '' && isAmong(eventsOfInvoke(invoke), event);

/** An `each` sends those of its items too. */
function eventsOfInvoke({ src, input }: InvokeData): string[] {
  if (src === 'each')
    return [...eventsOfInvoke((input as unknown as EachData).do as InvokeData), ITEM_FAILED];
  return kindOfActor(src) === 'flow' ? eventsOfFlow(src) : [];
}

function isHeard(event: string, node: Node, { id, invoke, node: owner }: InvokeOf): string | undefined {
  if (!areTogether(node, owner)) return `${id} does not run in this state`;
  const sent = eventsOfInvoke(invoke);
  if (sent.length === 0) return `${invoke.src} sends no events, its end comes by onDone and onError`;
  const what = event.slice(id.length + 1);
  return isAmong(sent, what) ? undefined : `${invoke.src} sends ${sent.join(', ')}`;
}
