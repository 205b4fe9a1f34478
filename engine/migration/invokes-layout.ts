// Plans what a migration does to invoked actors: which continue, under which ids, which stop and which start.
import type { AnyStateNode } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';
import { type Findings, isLeftBy, type Running } from './images.ts';
import type { Plan } from './plan.ts';

type InvokeDefinition = AnyStateNode['invoke'][number];

export interface InvokesLayout {
  /** New id by old id, of the actors that continue. */
  readonly invokes: ReadonlyMap<string, string>;
  /** Ids of actors that stop although their state stays active. */
  readonly stopped: readonly string[];
  readonly started: readonly InvokeDefinition[];
}

interface LayoutInput {
  /** The active states of the old machine, parents first. */
  readonly old: readonly AnyStateNode[];
  /** Old state by new state, of the states that stay active. */
  readonly carried: ReadonlyMap<AnyStateNode, AnyStateNode>;
  /** The states that are active after the migration. */
  readonly nodes: ReadonlySet<AnyStateNode>;
  readonly plan: Plan;
  readonly running: Running;
}

/** An invoke of an active state, with its counterpart in the new machine. */
interface InvokePair {
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
  for (const pair of invokePairs(input)) {
    const { invoke, now, isCarried } = pair;
    const isRestarted = restart.has(invoke.id);
    if (now?.src === invoke.src && !isRestarted && !paired.has(now)) {
      paired.add(now);
      invokes.set(invoke.id, now.id);
      continue;
    }
    const isRunning = input.running.actors.has(invoke.id);
    if (isRunning && !isRestarted) reportUnmatched(pair, input.plan, findings);
    // An actor that has finished is not started again just because its definition changed.
    if (now && !isRunning && !isRestarted) paired.add(now);
    if (isCarried) stopped.push(invoke.id);
  }
  const started = [...input.carried.keys()].flatMap(({ invoke }) =>
    invoke.filter((each) => !paired.has(each)),
  );
  for (const { id } of started)
    if (!restart.has(id)) findings.notes.push(`${id} begins, in a state that the process is in already`);
  return { invokes, stopped, started };
}

/** For a running actor that the new machine does not wait for. */
function reportUnmatched(
  { invoke, node, now }: InvokePair,
  plan: Plan,
  { notes, obstacles }: Findings,
): void {
  const isGivenUp = plan.leave?.includes(invoke.id) === true || isLeftBy(plan, node);
  if (isGivenUp) notes.push(`${invoke.id} is cancelled`);
  else obstacles.push(obstacle(invoke, now));
}

function invokePairs({ old, carried, nodes, plan }: LayoutInput): InvokePair[] {
  const images = new Map([...carried].map(([now, was]) => [was, now]));
  const named = new Map([...nodes].flatMap((node) => node.invoke.map((each) => [each.id, each] as const)));
  return old.flatMap((node) =>
    node.invoke.map((invoke, index): InvokePair => {
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

/** The invoke with the same id; for generated ids, the one at the same position. */
function imageOf(
  { id }: InvokeDefinition,
  index: number,
  node: AnyStateNode,
  image: AnyStateNode,
): InvokeDefinition | undefined {
  const same = image.invoke.find((each) => each.id === id);
  if (same) return same;
  const there = image.invoke[index];
  return there && isGeneratedId(id, index, node) && isGeneratedId(there.id, index, image) ? there : undefined;
}

/** xstate generates ids from the position and the state's id, flow files from the state's path. */
function isGeneratedId(id: string, index: number, node: AnyStateNode): boolean {
  const path = pathOf(node) || 'process';
  return id === `${index}.${node.id}` || id === (index === 0 ? path : `${path}.${index + 1}`);
}
