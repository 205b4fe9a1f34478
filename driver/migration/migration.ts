// One process in another definition: what would become of it, computed on a copy, and what carries it out. Nothing of the
// process changes before the whole step is computed.
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import { kindOf } from '../actor-kinds.ts';
import type { ActorSystem, Effects, LocalActor } from '../actor-system.ts';
import type { OpenCall, Rebound, ReboundTimer, Timer } from '../awaited.ts';
import { pathOf } from '../chart/chart-view.ts';
import { actorOf, ownOf } from '../chart/messages.ts';
import type { Complete, MigrationTarget, OpenTimer } from '../definition.ts';
import type { World } from '../world.ts';
import {
  type AnyActor,
  childrenOf,
  continues,
  type DelayArguments,
  declaredActor,
  delayOf,
  inputOf,
  logicOf,
  replaceInner,
  type Step,
  setInput,
  setLogic,
  srcOf,
  type Watch,
} from '../xstate-internals.ts';
import type { Delay } from './delays-layout.ts';
import type { Findings, Running } from './images.ts';
import { type Layout, layoutOf } from './layout.ts';
import type { Obstacle, Outcome, TimerOutcome } from './plan.ts';
import { findStrandings } from './ways-out.ts';

type Target = MigrationTarget<Complete>;

/** The process that is asked. */
export interface Standing {
  readonly definition: Complete;
  readonly actors: ActorSystem;
  readonly timers: readonly OpenTimer[];
  readonly calls: readonly OpenCall[];
  readonly world: World;
  readonly effects: Effects;
}

type Due =
  | { readonly what: 'kept'; readonly now: Delay }
  | { readonly what: 'moved'; readonly now: Delay }
  | { readonly what: 'rebased'; readonly now: Delay; readonly ms: number; readonly dueAt: number }
  | { readonly what: 'cancelled' };

export class Migration {
  readonly target: Target;
  readonly layout: Layout;
  /** Where the process is afterwards: a system of its own. */
  readonly actors: ActorSystem;
  readonly obstacles: readonly Obstacle[];
  readonly notes: readonly string[];
  readonly outcome: Outcome | undefined;
  /** New timers of states that the process is in already. */
  readonly armed: readonly OpenTimer[];
  /** Whether the step does nothing that could not be taken back. */
  readonly isSilent: boolean;
  readonly #from: Standing;
  /** The actors of the copy, by those of the process. */
  readonly #copies: ReadonlyMap<AnyActor, AnyActor>;
  readonly #dues = new Map<string, Due>();
  readonly #armed: OpenTimer[] = [];

  constructor(from: Standing, target: Target, watch?: Watch) {
    this.#from = from;
    this.target = target;
    const { machine } = target.definition;
    const { plan } = target;
    this.actors = from.actors.copy(from.effects, watch);
    this.#copies = copiesOf(from.actors, this.actors);
    const before = this.actors.snapshot;
    const running = runningIn(from);
    this.layout = layoutOf(before, machine, plan, running);
    const found = [...this.layout.obstacles, ...(target.obstacles ?? []), ...this.#innerObstacles(before)];
    const notes = [...this.layout.notes, ...(target.notes?.(this.layout.invokes) ?? [])];
    const findings = { obstacles: found, notes };
    if (found.length === 0) findStrandings(before, this.layout, plan, running, findings);
    const step = found.length === 0 ? this.#computed(findings) : undefined;
    this.obstacles = found;
    this.notes = notes;
    this.armed = this.#armed;
    this.outcome = step && found.length === 0 ? this.#outcomeOf(step, running) : undefined;
    this.isSilent = step?.actions.every(({ type }) => silent.includes(type)) ?? false;
  }

  /** How the process's timers go on. */
  timer(timer: Timer): ReboundTimer | undefined {
    const { target: _, alarm: __, ...open } = timer;
    const due = open.from === undefined ? this.#dues.get(open.id) : undefined;
    const target = this.#targetOf(timer.target, open.to ?? open.from ?? []);
    if (due?.what === 'cancelled' || !target) return undefined;
    // What it has raised for later is called as the new definition calls it; what it sends to others is theirs.
    const event = target === this.actors.root.ref ? this.event(open.event) : open.event;
    if (!due) return { open: { ...open, event, ...this.#pathsOf(open) }, target };
    return { open: this.#renewed(open, due), target };
  }

  /** How its calls go on; undefined: not at all. */
  call({ owner, actor }: OpenCall): Rebound | undefined {
    const copy = this.#copies.get(actor);
    const copied = owner.parent === null ? this.actors.root : this.#localOf(owner);
    if (!copy || !copied) return undefined;
    const before = inputOf(actor);
    if (owner.parent !== null) return { owner: copied, actor: copy, input: before };
    const known = this.layout.invokes.get(actor.id) ?? (this.#isInvoked(actor.id) ? undefined : actor.id);
    if (known === undefined) return undefined;
    return { owner: copied, actor: copy, input: this.target.input?.(known, before) ?? before };
  }

  /** An event at which the process is held, or one behind it; undefined where it is of a state that has been left. */
  kept(event: EventObject): EventObject | undefined {
    return this.#isGone(event.type) ? undefined : this.event(event);
  }

  /** Another state may have a delay or an invoke of the same name. */
  #isGone(type: string): boolean {
    const { left, delays, invokes } = this.layout;
    const actor = actorOf(type);
    if (actor !== undefined)
      return !invokes.has(actor) && left.some(({ invoke }) => invoke.some(({ id }) => id === actor));
    const ended = [...delays.removed, ...left.flatMap(({ after }) => after)];
    return ended.some(({ eventType }) => eventType === type);
  }

  /** An event of the old definition, in the words of the new one. */
  event(event: EventObject): EventObject {
    const { type } = event;
    const pair = this.layout.delays.paired.find(({ old }) => old.eventType === type);
    if (pair) return { ...event, type: pair.now.eventType };
    for (const [id, now] of this.layout.invokes) {
      for (const prefix of ['xstate.done.actor.', 'xstate.error.actor.'])
        if (type === prefix + id) return { ...event, type: prefix + now, actorId: now } as EventObject;
      if (type.startsWith(`${id}.`)) return { ...event, type: `${now}${type.slice(id.length)}` };
    }
    return { ...event, type: ownOf(this.target.plan.events, type) ?? type };
  }

  #isInvoked(id: string): boolean {
    const { left, carried } = this.layout;
    return [...left, ...carried.values()].some(({ invoke }) => invoke.some((each) => each.id === id));
  }

  /** Machines within go on as they are: so they must be the same in both definitions, or say that they continue each other. */
  #innerObstacles({ children }: AnyMachineSnapshot): Obstacle[] {
    const { machine } = this.target.definition;
    const found: Obstacle[] = [];
    for (const [id, child] of Object.entries(children) as [string, AnyActor][]) {
      const isLeft = this.#isInvoked(id) && !this.layout.invokes.has(id);
      if (isLeft || kindOf(logicOf(child)) !== 'local' || child.getSnapshot()?.status !== 'active') continue;
      const declared = declaredActor(machine, srcOf(child));
      if (declared === logicOf(child) || continues(declared, logicOf(child))) continue;
      found.push({
        ...{ code: 'ActorChanged', at: id },
        reason: `the machine ${String(srcOf(child))} runs within as ${id}, and the new definition has another one`,
        remedy: 'wait until it has ended',
      });
    }
    if (this.#from.actors.local.some(({ parent, waiting }) => parent !== null && waiting.length > 0))
      found.push({
        ...{ code: 'InnerHalted', at: '' },
        reason: 'a machine within the process has a step that failed',
        remedy: 'decide about that step first (`resolve`)',
      });
    return found;
  }

  #computed(findings: Findings): Step | undefined {
    const { layout, target } = this;
    const { machine } = target.definition;
    const entered = new Map([...layout.carried].map(([now, old]) => [pathOf(old), pathOf(now)]));
    for (const child of childrenOf(this.actors.root.ref)) {
      const now = layout.invokes.get(child.id);
      if (now === undefined) continue;
      const logic = declaredActor(machine, srcOf(child));
      if (kindOf(logicOf(child)) === 'local') {
        if (continues(logic, logicOf(child))) replaceInner(child, logic as AnyStateMachine);
        continue;
      }
      const input = target.input?.(now, inputOf(child));
      if (logic) setLogic(child, logic as never);
      if (input !== undefined) setInput(child, input);
    }
    const swap = {
      ...layout,
      carried: layout.invokes,
      context: (before: unknown) => target.context?.(before) ?? before,
      measure: (given: DelayArguments) => this.#measure(given, findings),
    };
    try {
      const step = this.actors.replaceMachine(machine, swap, entered);
      if (step.snapshot.status === 'error') throw step.snapshot.error;
      return step;
    } catch (error) {
      const { message } =
        target.definition.halts?.(error) ?? this.#from.definition.halts?.(error) ?? (error as Error);
      findings.obstacles.push({
        ...{ code: 'StepFails', at: '' },
        reason: `the step into the new definition cannot be taken: ${message}`,
        remedy: 'repair the new definition, or map the state to another one',
      });
      return undefined;
    }
  }

  #measure(given: DelayArguments, { obstacles: found, notes }: Findings): void {
    const { delays, left } = this.layout;
    const { timers } = this.#from;
    const open = new Map(timers.flatMap((timer) => (timer.from ? [] : [[timer.id, timer] as const])));
    const gone = [...delays.removed, ...left.flatMap(({ after }) => after)];
    for (const { eventType } of gone)
      if (open.has(eventType)) this.#dues.set(eventType, { what: 'cancelled' });
    for (const { old, now } of delays.paired) {
      const timer = open.get(old.eventType);
      // It has fired already.
      if (!timer) continue;
      if (this.#isSame(old, now, timer.armedAt, given)) this.#dues.set(old.eventType, { what: 'kept', now });
      else if (isMoved(timer)) {
        this.#dues.set(old.eventType, { what: 'moved', now });
        const until = new Date(timer.dueAt).toISOString();
        notes.push(`the wait of ${pathOf(now.node)} ends at ${until}, to which somebody has moved its end`);
      } else {
        const due = this.#dueAt(now, timer.armedAt, given, found, timer.dueAt);
        if (due) this.#dues.set(old.eventType, due);
      }
    }
    for (const now of delays.added) this.#arm(now, given, found);
    notes.push(...this.#givenUp(open));
  }

  /** Waits whose end somebody has moved, and that have no counterpart. */
  #givenUp(open: ReadonlyMap<string, OpenTimer>): string[] {
    const { delays, left, carried } = this.layout;
    const iso = (at: number) => new Date(at).toISOString();
    const movedIn = (node: AnyStateNode, eventTypes: readonly string[]) =>
      [...new Set(eventTypes)].flatMap((eventType) => {
        const timer = open.get(eventType);
        if (!timer || !isMoved(timer)) return [];
        return `the wait ${timer.delay.name} of ${pathOf(node)}, whose end somebody has moved to ${iso(timer.dueAt)}, is given up`;
      });
    const instead = (node: AnyStateNode) => {
      const added = delays.added.filter((now) => carried.get(now.node) === node);
      const armed = this.#armed.filter(({ id }) => added.some(({ eventType }) => eventType === id));
      return armed.map(({ delay: { name }, dueAt }) => `, and ${name} ends at ${iso(dueAt)}`).join('');
    };
    return [
      ...delays.removed.flatMap(({ node, eventType }) =>
        movedIn(node, [eventType]).map(
          (words) => `${words}: the new definition has not got it${instead(node)}`,
        ),
      ),
      ...left.flatMap((node) =>
        movedIn(
          node,
          node.after.map(({ eventType }) => eventType),
        ).map((words) => `${words} with its state`),
      ),
    ];
  }

  /** For a state that the process is in already: it counts from the moment at which that was entered. */
  #arm(now: Delay, given: DelayArguments, found: Obstacle[]): void {
    const { world, actors } = this.#from;
    const origin = this.layout.carried.get(now.node);
    const armedAt = (origin && actors.root.entered.get(pathOf(origin))) ?? world.now();
    const due = this.#dueAt(now, armedAt, given, found);
    if (due?.what !== 'rebased') return;
    this.#armed.push({
      ...{ id: now.eventType, event: { type: now.eventType }, dueAt: due.dueAt, armedAt },
      delay: { name: now.name, ms: due.ms },
      summary: this.target.definition.timerSummary(now.name, this.actors.snapshot),
    });
  }

  /** Whether they have one name and are as long: by the clock at which the timer was armed. */
  #isSame(old: Delay, now: Delay, armedAt: number, given: DelayArguments): boolean {
    if (old.name !== now.name) return false;
    const [before, after] = [this.#from.definition, this.target.definition].map(({ machine }, index) => {
      const { delay } = index === 0 ? old : now;
      try {
        return this.#from.world.asIf(armedAt, () => delayOf(machine, delay, given));
      } catch {
        return undefined;
      }
    });
    return before === after;
  }

  #dueAt(
    now: Delay,
    base: number,
    given: DelayArguments,
    found: Obstacle[],
    former?: number,
  ): Due | undefined {
    const { world } = this.#from;
    const at = pathOf(now.node);
    let ms: number | undefined;
    let problem = 'it is not a number of milliseconds';
    try {
      ms = world.asIf(base, () => delayOf(this.target.definition.machine, now.delay, given));
    } catch (error) {
      problem = this.target.definition.halts?.(error)?.message ?? (error as Error).message;
    }
    if (ms === undefined || Number.isNaN(ms)) {
      found.push({
        ...{ code: 'DelayFails', at },
        reason: `the delay ${now.name} of ${at} cannot be computed: ${problem}`,
        remedy: 'repair the delay in the new definition',
      });
      return undefined;
    }
    if (ms === Number.POSITIVE_INFINITY) return { what: 'cancelled' };
    const dueAt = base + ms;
    if (dueAt > world.now()) return { what: 'rebased', now, ms, dueAt };
    const { overdue } = this.target.plan;
    if (overdue === undefined)
      found.push({
        ...{ code: 'TimerOverdue', at },
        reason: `the delay ${now.name} of ${at} would have been over at ${new Date(dueAt).toISOString()}`,
        remedy: 'say what is to be done with such timers: overdue: now, keep, or { grace: … } in the plan',
      });
    if (overdue === 'keep') return { what: 'rebased', now, ms, dueAt: former ?? world.now() + ms };
    return {
      what: 'rebased',
      now,
      ms,
      dueAt: world.now() + (typeof overdue === 'object' ? overdue.grace : 0),
    };
  }

  #renewed(open: OpenTimer, due: Exclude<Due, { what: 'cancelled' }>): OpenTimer {
    const { now } = due;
    const event = { ...open.event, type: now.eventType };
    const named = { ...open, id: now.eventType, event };
    if (due.what === 'kept') return named;
    if (due.what === 'moved') return { ...named, delay: { name: now.name, ms: open.delay.ms } };
    const summary = this.target.definition.timerSummary(now.name, this.actors.snapshot);
    return { ...named, dueAt: due.dueAt, delay: { name: now.name, ms: due.ms }, summary };
  }

  /** As the ids of the actors on them are now. */
  #pathsOf({ from, to }: OpenTimer): Pick<OpenTimer, 'from' | 'to'> {
    const renamed = ([first, ...rest]: readonly string[]) =>
      first === undefined ? [] : [this.layout.invokes.get(first) ?? first, ...rest];
    return { ...(from && { from: renamed(from) }), ...(to && { to: renamed(to) }) };
  }

  #targetOf(before: AnyActor, path: readonly string[]): AnyActor | undefined {
    return path.length === 0 ? this.actors.root.ref : this.#copies.get(before);
  }

  #localOf({ ref }: LocalActor): LocalActor | undefined {
    const copy = this.#copies.get(ref);
    return this.actors.local.find((each) => each.ref === copy);
  }

  #outcomeOf({ snapshot, actions }: Step, running: Running): Outcome {
    const { layout } = this;
    const spawned = actions.flatMap(({ type, params }) =>
      type === 'xstate.spawnChild' ? [String((params as { actorRef?: AnyActor }).actorRef?.id)] : [],
    );
    const ended = [...running.actors].filter((id) => this.#isInvoked(id) && !layout.invokes.has(id));
    return {
      state: snapshot.value,
      left: layout.left.map(pathOf),
      entered: layout.entered.map(pathOf),
      timers: this.#timerOutcomes(),
      ...{ started: spawned, ended },
      renamed: Object.fromEntries([...layout.invokes].filter(([old, now]) => old !== now)),
    };
  }

  #timerOutcomes(): TimerOutcome[] {
    const iso = (at: number) => new Date(at).toISOString();
    const now = this.#from.world.now();
    const changed = this.#from.timers.flatMap(({ id, from, summary, dueAt }): TimerOutcome[] => {
      const due = from === undefined ? this.#dues.get(id) : undefined;
      if (!due || due.what === 'kept' || due.what === 'moved') return [];
      const { what } = due;
      if (what === 'cancelled')
        return [{ timer: summary, what, was: iso(dueAt), until: null, isOverdue: false }];
      return [
        { timer: due.now.name, what, was: iso(dueAt), until: iso(due.dueAt), isOverdue: due.dueAt <= now },
      ];
    });
    const added = this.#armed.map(
      ({ summary, dueAt }): TimerOutcome => ({
        ...{ timer: summary, what: 'armed', was: null, until: iso(dueAt), isOverdue: dueAt <= now },
      }),
    );
    return [...changed, ...added];
  }
}

/** What the machine itself waits for. */
export function runningIn({ calls, timers, actors }: Pick<Standing, 'calls' | 'timers' | 'actors'>): Running {
  const own = calls.filter(({ owner }) => owner === actors.root).map(({ actor }) => actor.id);
  const local = actors.local.filter(({ parent }) => parent === actors.root).map(({ ref }) => ref.id);
  const delays = timers.filter(({ from }) => from === undefined).map(({ id }) => id);
  return { actors: new Set([...own, ...local]), delays: new Set(delays) };
}

/** A person, or the plan of an earlier migration, has said when it ends: that comes before what a definition says. */
const isMoved = ({ armedAt, dueAt, delay }: OpenTimer): boolean => dueAt !== armedAt + delay.ms;

/** Nothing outside the process has noticed them. A child that is stopped while it runs is among what has ended. */
const silent: readonly string[] = [
  'xstate.spawnChild',
  'xstate.stopChild',
  'xstate.raise',
  'xstate.cancel',
  'xstate.log',
  'lockerflow.entered',
];

function copiesOf(from: ActorSystem, to: ActorSystem): Map<AnyActor, AnyActor> {
  const copies = new Map<AnyActor, AnyActor>();
  const pair = (one: AnyActor, other: AnyActor): void => {
    copies.set(one, other);
    const others = new Map(childrenOf(other).map((child) => [child.id, child]));
    for (const child of childrenOf(one)) {
      const copy = others.get(child.id);
      if (copy) pair(child, copy);
    }
  };
  pair(from.root.ref, to.root.ref);
  return copies;
}

/**
 * A short text for data as JSON: the same data has the same, other data almost surely another one. Two FNV-1a hashes of 32
 * bits, since a workflow has no crypto; nobody gains by a collision.
 */
export function fingerprintOf(data: unknown): string {
  const text = JSON.stringify(data) ?? '';
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ (unit + index), 0x01000193);
  }
  return [one, other].map((hash) => (hash >>> 0).toString(16).padStart(8, '0')).join('');
}
