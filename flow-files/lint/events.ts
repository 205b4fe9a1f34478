// Checks events: each event that a file listens for must be able to come. The declaration of a built-in flow says which
// events it sends.
import type { StateCode } from '../../contract/wire/states.ts';
import { declarations } from '../../flows/flows.ts';
import { kindOfActor } from '../machine/actor-kinds.ts';
import { nearestOf } from '../reading/names.ts';
import { actionsOf, type InvokeAt, invokesOf, type Node, transitionsOf } from '../reading/walk.ts';
import { type LintFinding, lintFinding } from './lint-finding.ts';
import { areTogether, type Reach } from './reach.ts';

const stateCodes = {
  Registered: true,
  ReadyForDropoff: true,
  WaitForReceiver: true,
  ReadyForPickup: true,
  Completed: true,
  Cancelled: true,
} as const satisfies Record<StateCode, true>;

/** The events that a flow sends, without the id of its invoke. */
function eventsOfFlow(flow: string): string[] {
  const declared = declarations.find(({ name }) => name === flow);
  // OnboardAccount, or a flow file.
  if (!declared) return ['needsPerson'];
  const ofLegs = Object.entries(declared.legs).flatMap(([role, { deadlines }]) => [
    ...Object.keys(stateCodes).map((code) => `${role}.${code}`),
    ...(deadlines.length > 0 ? [`${role}.overdue`] : []),
  ]);
  return [...ofLegs, 'needsPerson'];
}

export function eventFindings(reach: Reach): LintFinding[] {
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
  const meant =
    rest.length > 0
      ? nearestOf(
          first,
          invokes.map(({ id }) => id),
        )
      : undefined;
  return meant === undefined ? undefined : `no invoke has the id ${first}; perhaps ${meant} was meant`;
}

function isHeard(event: string, node: Node, { id, invoke, node: owner }: InvokeOf): string | undefined {
  if (!areTogether(node, owner)) return `${id} does not run in this state`;
  if (kindOfActor(invoke.src) !== 'flow')
    return `${invoke.src} sends no events, its end comes by onDone and onError`;
  const sent = eventsOfFlow(invoke.src);
  const what = event.slice(id.length + 1);
  const isSent = sent.some(
    (each) => each === what || (what.endsWith('*') && each.startsWith(what.slice(0, -1))),
  );
  return isSent ? undefined : `${invoke.src} sends ${sent.join(', ')}`;
}
