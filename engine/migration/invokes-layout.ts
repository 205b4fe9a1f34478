// Which actors that states invoke go on in another machine, under which ids, which end and which begin.
import type { AnyStateNode } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';

type InvokeDefinition = AnyStateNode['invoke'][number];

import { type Findings, isLeftBy, type Running } from './images.ts';
import type { Plan } from './plan.ts';

export interface InvokesLayout {
  /** By the old id, the new one. */
  readonly invokes: ReadonlyMap<string, string>;
  /** Ids of children that end although no state is left that invokes them. */
  readonly stopped: readonly string[];
  readonly started: readonly InvokeDefinition[];
}

interface LayoutInput {
  /** The active states, each before those within it. */
  readonly old: readonly AnyStateNode[];
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  readonly nodes: ReadonlySet<AnyStateNode>;
  readonly plan: Plan;
  readonly running: Running;
}

/** An invoke of an active state, and what it may be now. */
interface Invoked {
  readonly invoke: InvokeDefinition;
  readonly node: AnyStateNode;
  readonly now: InvokeDefinition | undefined;
  readonly isCarried: boolean;
}

export function invokesLayout(input: LayoutInput, findings: Findings): InvokesLayout {
  const invokes = new Map<string, string>();
  const stopped: string[] = [];
  const paired = new Set<InvokeDefinition>();
  const restart = new Set(input.plan.restart);
  for (const invoked of invokedIn(input)) {
    const { invoke, now, isCarried } = invoked;
    const isAgain = restart.has(invoke.id);
    if (now?.src === invoke.src && !isAgain && !paired.has(now)) {
      paired.add(now);
      invokes.set(invoke.id, now.id);
      continue;
    }
    const isRunning = input.running.actors.has(invoke.id);
    if (isRunning && !isAgain) find(invoked, input.plan, findings);
    // One that has answered does not begin again only because it is another one now.
    if (now && !isRunning && !isAgain) paired.add(now);
    if (isCarried) stopped.push(invoke.id);
  }
  const started = [...input.carried.keys()].flatMap(({ invoke }) =>
    invoke.filter((each) => !paired.has(each)),
  );
  for (const { id } of started)
    if (!restart.has(id)) findings.notes.push(`${id} begins, in a state that the process is in already`);
  return { invokes, stopped, started };
}

/** It runs, and nothing of the new definition waits for it. */
function find({ invoke, node, now }: Invoked, plan: Plan, { notes, obstacles }: Findings): void {
  const isGivenUp = plan.leave?.includes(invoke.id) === true || isLeftBy(plan, node);
  if (isGivenUp) notes.push(`${invoke.id} is cancelled`);
  else obstacles.push(obstacle(invoke, now));
}

function invokedIn({ old, carried, nodes, plan }: LayoutInput): Invoked[] {
  const images = new Map([...carried].map(([now, was]) => [was, now]));
  const named = new Map([...nodes].flatMap((node) => node.invoke.map((each) => [each.id, each] as const)));
  return old.flatMap((node) =>
    node.invoke.map((invoke, index): Invoked => {
      const image = images.get(node);
      const planned = plan.invokes?.[invoke.id];
      const now = planned === undefined ? image && imageOf(invoke, index, node, image) : named.get(planned);
      return { invoke, node, now, isCarried: image !== undefined };
    }),
  );
}

function obstacle(
  { id, src }: InvokeDefinition,
  now: InvokeDefinition | undefined,
): Findings['obstacles'][number] {
  const there = now
    ? `the new definition invokes ${String(now.src)} there`
    : 'the new definition does not invoke it there';
  return {
    code: now ? 'InvokeChanged' : 'InvokeRemoved',
    at: id,
    reason: `${id} runs ${String(src)}, and ${there}`,
    remedy: `say which invoke it is now: invokes: { ${id}: … }; or give it up, so that it is cancelled: leave: [${id}]; or wait until it has ended`,
  };
}

/** By its id; one that has none of its own, by its place. */
function imageOf(
  { id }: InvokeDefinition,
  index: number,
  node: AnyStateNode,
  image: AnyStateNode,
): InvokeDefinition | undefined {
  const same = image.invoke.find((each) => each.id === id);
  if (same) return same;
  const there = image.invoke[index];
  return there && isMade(id, index, node) && isMade(there.id, index, image) ? there : undefined;
}

/** xstate makes ids of the place and the state's id, flow files of the state's path. */
function isMade(id: string, index: number, node: AnyStateNode): boolean {
  const path = pathOf(node) || 'process';
  return id === `${index}.${node.id}` || id === (index === 0 ? path : `${path}.${index + 1}`);
}
