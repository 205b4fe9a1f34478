// What a run of chaos does: which flows people play, which process is killed and what befalls the network at which point
// of their progress, which callbacks come twice. A pure function of the seed and the size: the same seed, the same plan.
import { randomInt } from 'node:crypto';
import { type Story, stories } from '../../../end-to-end/stories.ts';
import { fractions, type Random } from '../../../support/random.ts';

/** What a run can kill, and the network links between those processes. */
export interface Targets<ComponentName extends string = string, LinkName extends string = string> {
  readonly components: readonly ComponentName[];
  readonly links: readonly LinkName[];
}

export type Fault =
  /** All connections that there are break. */
  | { readonly kind: 'cut' }
  /** So many answers never arrive, and their connections break: whoever asked cannot know what became of it. */
  | { readonly kind: 'loseAnswers'; readonly count: number }
  /** Nothing passes for so long; then all of it does. */
  | { readonly kind: 'stall'; readonly forMs: number }
  /** Everything that passes in that time comes later by so much. */
  | { readonly kind: 'delay'; readonly byMs: number; readonly forMs: number };

/** Applies once this many steps are made: the start of each flow, each step of people, the end of each flow. */
interface AtStep {
  readonly step: number;
}

export interface PlannedKill<ComponentName extends string = string> extends AtStep {
  readonly component: ComponentName;
  /** How long it stays away. */
  readonly awayMs: number;
}

export interface PlannedFault<LinkName extends string = string> extends AtStep {
  readonly link: LinkName;
  readonly fault: Fault;
}

export interface PlannedFlow {
  readonly story: Story;
  /** The flow is cancelled after so many steps; null: never. */
  readonly cancelledAfter: number | null;
}

export interface Plan<ComponentName extends string = string, LinkName extends string = string> {
  readonly seed: number;
  readonly steps: number;
  readonly flows: readonly PlannedFlow[];
  readonly kills: readonly PlannedKill<ComponentName>[];
  readonly faults: readonly PlannedFault<LinkName>[];
  /** For the n-th callback (modulo the length): it is delivered again after this many more; null: only once. */
  readonly repeats: readonly (number | null)[];
}

export interface Size {
  readonly flows: number;
  readonly kills: number;
  readonly faults: number;
}

/** CHAOS_SEED repeats the plan of a run. */
export const chaosSeed = (): number => Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));

const ONE_IN_SO_MANY_CANCELLED = 8;
/** Kills and faults come in this share of the steps only: the rest must show that the flows make progress again. */
const DISTURBED_SHARE = 0.9;

export function planOf<ComponentName extends string, LinkName extends string>(
  seed: number,
  size: Size,
  targets: Targets<ComponentName, LinkName>,
): Plan<ComponentName, LinkName> {
  const random = randomOf(seed);
  const flows = evenly(random, stories, size.flows).map((story) => plannedFlow(random, story));
  const steps = flows.reduce((sum, flow) => sum + stepsOf(flow), 0);
  const some = (amount: number) =>
    Array.from({ length: amount }, () => 1 + random(Math.floor(steps * DISTURBED_SHARE))).sort(
      (one, other) => one - other,
    );
  const killed = evenly(random, targets.components, size.kills);
  const disturbed = evenly(random, targets.links, size.faults);
  return {
    seed,
    steps,
    flows,
    kills: some(size.kills).map((step, index) => ({
      step,
      component: at(killed, index),
      awayMs: random(1_500),
    })),
    faults: some(size.faults).map((step, index) => ({
      step,
      link: at(disturbed, index),
      fault: faultOf(random),
    })),
    repeats: Array.from({ length: 97 }, () => (random(3) === 0 ? random(12) : null)),
  };
}

const stepsOf = ({ story, cancelledAfter }: PlannedFlow): number =>
  2 + (cancelledAfter ?? story.steps.length);

function plannedFlow(random: Random, story: Story): PlannedFlow {
  // Another test covers cancelling a flow whose shipment existed before.
  const mayBeCancelled = story.prior === undefined && random(ONE_IN_SO_MANY_CANCELLED) === 0;
  return { story, cancelledAfter: mayBeCancelled ? random(story.steps.length) : null };
}

function faultOf(random: Random): Fault {
  switch (random(4)) {
    case 0:
      return { kind: 'cut' };
    case 1:
      return { kind: 'loseAnswers', count: 1 + random(5) };
    case 2:
      return { kind: 'stall', forMs: 500 + random(6_000) };
    default:
      return { kind: 'delay', byMs: 20 + random(400), forMs: 1_000 + random(4_000) };
  }
}

/** A whole number from 0 to below the bound. */
function randomOf(seed: number): Random {
  const next = fractions(seed);
  return (bound) => Math.floor(next() * bound);
}

/** A random selection in which counts differ by one at most. */
function evenly<Each>(random: Random, all: readonly Each[], amount: number): Each[] {
  const chosen: Each[] = [];
  while (chosen.length < amount) chosen.push(...shuffled(random, all));
  return chosen.slice(0, amount);
}

function shuffled<Each>(random: Random, all: readonly Each[]): Each[] {
  const left = [...all];
  return all.flatMap(() => left.splice(random(left.length), 1));
}

export function at<Each>(all: readonly Each[], index: number): Each {
  const each = all[index % all.length];
  if (each === undefined) throw new TypeError('expected at least one to pick from');
  return each;
}
