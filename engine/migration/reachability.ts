// What can take a process out of a state: an event that somebody sends, a timer, an answer. A state that could be left before
// a migration, or before an event was dropped, and by nothing afterwards would keep its process for ever, in silence.
import type { AnyMachineSnapshot, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';
import { actorOf, aftersOf, getOwn, isOfItself, matchesAny, messagesOf } from '../chart/messages.ts';
import type { Obstacle, Plan } from '../migration-plan.ts';
import type { RunningProcess } from '../running-chart.ts';
import { activeNodes } from '../stepper.ts';
import type { MigrationMapping } from './migration-mapping.ts';
import { ancestorsOf, type Findings, type Running, runningIn } from './state-mapping.ts';

interface Exits {
  /** As the states have them: also `*` and `order.*`. */
  readonly events: ReadonlySet<string>;
  /** Whether it is left without anybody's doing. */
  readonly isByItself: boolean;
  /** Whether the machine alone may decide it, once something else has happened. */
  readonly isInner: boolean;
}

/** Whether the event of a delay or an answer is still to come. */
type IsToCome = (type: string, node: AnyStateNode) => boolean;

export function findDeadEnds(
  from: AnyMachineSnapshot,
  mapping: MigrationMapping,
  plan: Plan,
  running: Running,
  findings: Findings,
): void {
  const before = new Set(activeNodes(from));
  const renamed = renamedBy(mapping, plan);
  const sent = [...messagesOf(from.machine).map(renamed), ...(plan.sent ?? [])];
  for (const [node, origin] of mapping.carried) {
    const leaves = occupiedIn(node, mapping);
    // It was left by what is around it, or is now.
    if (!isOccupied(origin) || leaves.length === 0) continue;
    const was = exitsOf(origin, before, oldToCome(before, running));
    if (was.events.size === 0 && !was.isByItself && !was.isInner) continue;
    const now = leaves.map((leaf) => exitsOf(leaf, mapping.nodes, newToCome(mapping, running)));
    const events = new Set(now.flatMap((each) => [...each.events]));
    const lost = [...was.events].filter((type) => !type.endsWith('*') && !matchesAny(renamed(type), events));
    const isSent = was.events.has('*') ? events.size > 0 : sent.some((type) => matchesAny(type, events));
    const isLeftByItself = now.some((each) => each.isByItself || (each.isInner && was.isInner));
    if (!isSent && !isLeftByItself) findings.obstacles.push(deadEnd(origin, node, lost, events));
    else if (lost.length > 0) findings.notes.push(`${pathOf(node)} is no longer left by ${namesOf(lost)}`);
  }
}

/** Why the event at which it is halted may not be dropped: nobody would bring an answer again, and no delay ends twice. */
export function dropProblem(process: RunningProcess): string | undefined {
  const { chart, definition, unhandledProcedure } = process;
  const [failed, ...behind] = chart.waiting;
  if (!failed) return undefined;
  // A procedure begins again where its answer is dropped.
  const { actors, delays } = runningIn(process, unhandledProcedure ? [unhandledProcedure] : []);
  const toCome = { actors, delays: new Set([...delays, ...behind.map(({ type }) => type)]) };
  const deadEnd = deadEndWithout(failed.type, chart.snapshot, toCome);
  if (!deadEnd) return undefined;
  const repair = definition.migrates
    ? 'correct the definition and let the process take the event again (migrate), or end it (giveUp)'
    : 'end the process (giveUp)';
  const actor = actorOf(failed.type);
  const delay = aftersOf(definition.machine).get(failed.type)?.delay;
  const what = actor === undefined ? `the delay ${delay}` : `the answer of ${actor}`;
  return `nothing but ${what} leaves ${pathOf(deadEnd)}, and it does not come again: without it the process would wait there for ever; ${repair}`;
}

/** A state that only this delay or answer would leave: without it, nothing that is still to come does. */
function deadEndWithout(
  event: string,
  snapshot: AnyMachineSnapshot,
  running: Running,
): AnyStateNode | undefined {
  if (!isOfDriver(event)) return undefined;
  const active = new Set(activeNodes(snapshot));
  const without = oldToCome(active, running);
  const actor = actorOf(event);
  // Whether it has failed or not: a failure that no state takes is an answer too.
  const isIt = (type: string) => type === event || (actor !== undefined && actorOf(type) === actor);
  const withIt: IsToCome = (type, node) => isIt(type) || without(type, node);
  return [...active].find(
    (leaf) => isOccupied(leaf) && canBeLeft(leaf, active, withIt) && !canBeLeft(leaf, active, without),
  );
}

function canBeLeft(leaf: AnyStateNode, active: ReadonlySet<AnyStateNode>, isToCome: IsToCome): boolean {
  const { events, isByItself, isInner } = exitsOf(leaf, active, isToCome);
  // A cancellation ends the process: it does not go on by it.
  if (isByItself || [...events].some((type) => !isOfItself(type))) return true;
  return isInner && [...active].some((node) => [...node.transitions.keys()].some(isTaken(node, isToCome)));
}

/** Whether something happens by it, which may lead on by `always`. */
const isTaken =
  (node: AnyStateNode, isToCome: IsToCome) =>
  (type: string): boolean =>
    isOfDriver(type) ? isToCome(type, node) : !type.startsWith('xstate.') && !isOfItself(type);

const occupiedIn = (node: AnyStateNode, { nodes }: MigrationMapping): AnyStateNode[] =>
  [...nodes].filter((each) => isOccupied(each) && (each === node || ancestorsOf(each).includes(node)));

/** What an event of the old definition is called in the new one. */
const renamedBy =
  ({ invokes }: MigrationMapping, { events = {} }: Plan) =>
  (type: string): string => {
    const child = [...invokes].find(([id]) => type.startsWith(`${id}.`));
    return getOwn(events, type) ?? (child ? `${child[1]}${type.slice(child[0].length)}` : type);
  };

const namesOf = (types: readonly string[]): string => types.map((type) => `\`${type}\``).join(', ');

function deadEnd(
  origin: AnyStateNode,
  node: AnyStateNode,
  lost: readonly string[],
  events: ReadonlySet<string>,
): Obstacle {
  const [state, image] = [pathOf(origin), pathOf(node)];
  const [old = '…'] = lost;
  const [now] = events;
  const rename = `if ${old} is called ${now} now: \`was: ${old}\` in its transition, or events: { ${old}: ${now} } in the plan; if somebody sends ${now}: sent: [${now}]`;
  return {
    code: 'Stranded',
    at: state,
    reason:
      lost.length === 0
        ? `nothing that somebody is known to send, no timer and no answer leaves ${image}`
        : `${state} was left by ${namesOf(lost)}, and nothing that is known to come leaves ${image}`,
    remedy:
      now === undefined ? `map ${state} to a state that something leaves, under states in the plan` : rename,
  };
}

/** Nothing within it is active where it is. A final state is left by what is around it. */
const isOccupied = ({ type }: AnyStateNode): boolean => type === 'atomic';

function oldToCome(active: ReadonlySet<AnyStateNode>, running: Running): IsToCome {
  return (type, node) =>
    !active.has(node) || running.delays.has(type) || running.actors.has(actorOf(type) ?? '');
}

function newToCome(mapping: MigrationMapping, running: Running): IsToCome {
  const delays = new Set([
    ...mapping.delays.added.map(({ eventType }) => eventType),
    ...mapping.delays.paired.flatMap(({ old, now }) =>
      running.delays.has(old.eventType) ? [now.eventType] : [],
    ),
  ]);
  const actors = new Set([
    ...[...mapping.invokes].flatMap(([old, now]) => (running.actors.has(old) ? [now] : [])),
    ...mapping.started.map(({ id }) => id),
  ]);
  return (type, node) => !mapping.carried.has(node) || delays.has(type) || actors.has(actorOf(type) ?? '');
}

function exitsOf(leaf: AnyStateNode, active: ReadonlySet<AnyStateNode>, isToCome: IsToCome): Exits {
  const events = new Set<string>();
  let isByItself = false;
  let isInner = false;
  for (const node of around(leaf, active))
    for (const { eventType: type } of transitionsOf(node).filter((each) => leaves(each, leaf))) {
      if (type === '' || isDoneBeside(type, leaf)) isInner = true;
      else if (isOfDriver(type)) isByItself ||= isToCome(type, node);
      else if (!type.startsWith('xstate.')) events.add(type);
    }
  return { events, isByItself, isInner };
}

const DONE_STATE = 'xstate.done.state.';

/** A state around it is done only after it has been left. */
const isDoneBeside = (type: string, leaf: AnyStateNode): boolean =>
  type.startsWith(DONE_STATE) && !ancestorsOf(leaf).some(({ id }) => type === DONE_STATE + id);

/** Whether it comes from a delay or an answer. */
const isOfDriver = (type: string): boolean => type.startsWith('xstate.after.') || actorOf(type) !== undefined;

const transitionsOf = ({ transitions, always = [] }: AnyStateNode): AnyTransitionDefinition[] => [
  ...[...transitions.values()].flat(),
  ...always,
];

/** The state, those around it, and all of the regions beside it: another of their states may leave it. */
function around(leaf: AnyStateNode, active: ReadonlySet<AnyStateNode>): Set<AnyStateNode> {
  const chain = [leaf, ...ancestorsOf(leaf)];
  const all = new Set(chain);
  const add = (node: AnyStateNode): void => {
    all.add(node);
    for (const inner of Object.values(node.states)) add(inner);
  };
  for (const node of chain)
    if (node.type === 'parallel')
      for (const region of Object.values(node.states))
        if (active.has(region) && !chain.includes(region)) add(region);
  return all;
}

function leaves({ source, target, reenter }: AnyTransitionDefinition, leaf: AnyStateNode): boolean {
  if (!target || target.length === 0) return false;
  const isWithin = target.every((each) => each === source || ancestorsOf(each).includes(source));
  const domain = isWithin && !reenter ? source : commonAncestor([source, ...target]);
  return domain === undefined || ancestorsOf(leaf).includes(domain);
}

function commonAncestor([first, ...others]: readonly AnyStateNode[]): AnyStateNode | undefined {
  if (!first) return undefined;
  return ancestorsOf(first).find((each) => others.every((other) => ancestorsOf(other).includes(each)));
}
