// One process in another definition: what would become of it, computed on a copy, and what carries it out. Nothing of the
// process changes before the whole step is computed.
import type { AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import { externalLogic } from '../actor-kinds.ts';
import { pathOf } from '../chart/chart-view.ts';
import { actorOf, getOwn, timerTexts } from '../chart/messages.ts';
import type { CarriedActors } from '../continued.ts';
import type { MigrationTarget } from '../definition/definition.ts';
import type { OpenTimer } from '../definition/timers.ts';
import { inlineActorOf } from '../inline-actor.ts';
import type { Obstacle } from '../migration-plan.ts';
import { iso, type OpenCall, type Rebound, type Timer } from '../pending.ts';
import type { RunningProcess } from '../running-chart.ts';
import { enclosureOf, type Step } from '../stepper.ts';
import { type MigrationMapping, mappingOf } from './migration-mapping.ts';
import { findDeadEnds } from './reachability.ts';
import { replaceMachine } from './replace-machine.ts';
import { type Delay, type Findings, runningIn } from './state-mapping.ts';

interface DelayArguments {
  readonly context: unknown;
  readonly event: EventObject;
}

export class Migration {
  readonly target: MigrationTarget;
  readonly mapping: MigrationMapping;
  /** Undefined where something stands in the way. */
  readonly step: Step | undefined;
  readonly obstacles: readonly Obstacle[];
  readonly notes: readonly string[];
  /** New timers of states that the process is in already. */
  readonly armed: OpenTimer[] = [];
  /** Whether the step does nothing that could not be taken back. */
  readonly isSilent: boolean;
  #overdue = 0;
  readonly #from: RunningProcess;
  /** What becomes of timers, by their ids; null: they end. */
  readonly #dues = new Map<string, OpenTimer | null>();

  /** @param from the process that is asked */
  constructor(from: RunningProcess, target: MigrationTarget) {
    this.#from = from;
    this.target = target;
    const { machine } = target.definition;
    const { plan } = target;
    const before = from.chart.snapshot;
    const running = runningIn(from);
    this.mapping = mappingOf(before, machine, plan, running);
    const found = [...this.mapping.obstacles, ...(target.obstacles ?? []), ...this.#actorObstacles()];
    const notes = [...this.mapping.notes, ...(target.notes?.(this.mapping.invokes) ?? [])];
    const findings = { obstacles: found, notes };
    if (found.length === 0) findDeadEnds(before, this.mapping, plan, running, findings);
    const step = found.length === 0 ? this.#computed(findings) : undefined;
    this.step = step;
    this.obstacles = found;
    this.notes = notes;
    const isEnded = (id: string) => this.#isInvoked(id) && !this.mapping.invokes.has(id);
    this.isSilent =
      step?.effects.every((effect) => silent.includes(effect.do)) === true &&
      ![...running.actors].some(isEnded);
  }

  /** How many timers are due at once. */
  get overdue(): number {
    return this.#overdue;
  }

  /** When the states were entered, by their new paths. */
  get entered(): Readonly<Record<string, number>> {
    const { entered } = this.#from.chart;
    return Object.fromEntries(
      [...this.mapping.carried].flatMap(([now, old]) => {
        const at = entered.get(pathOf(old));
        return at === undefined ? [] : [[pathOf(now), at]];
      }),
    );
  }

  /** How the process's timers go on. */
  timer({ alarm: _, ...open }: Timer): OpenTimer | undefined {
    if (open.of !== undefined) {
      const actor = this.#goesOn(open.of);
      return actor === undefined ? undefined : { ...open, of: actor };
    }
    const due = this.#dues.get(open.id);
    if (due === null) return undefined;
    return due ?? { ...open, event: this.event(open.event) };
  }

  /** How its calls go on; undefined: not at all. */
  call({ id, of, input, logic }: OpenCall): Rebound | undefined {
    if (of !== undefined) {
      const actor = this.#goesOn(of);
      return actor === undefined ? undefined : { id, of: actor, input, logic };
    }
    const now = this.#goesOn(id);
    if (now === undefined) return undefined;
    const child = this.step?.snapshot.children[now] as { readonly logic?: never } | undefined;
    const declared = child?.logic && externalLogic(child.logic);
    return { id: now, of, input: this.target.input?.(now, input) ?? input, logic: declared ?? logic };
  }

  /** The inline actors that the new definition does not have: one that has something to clean up goes on by itself. */
  get leftActors(): readonly string[] {
    return [...this.#from.chart.actors.active.keys()].filter((id) => this.#goesOn(id) === undefined);
  }

  /** The inline actors, as they go on. */
  get actors(): CarriedActors {
    const { active, carried } = this.#from.chart.actors;
    const inner = Object.entries(carried.inner ?? {}).flatMap(([key, { name, state, of }]) => {
      const now = of === undefined ? undefined : this.#goesOn(of);
      return now === undefined
        ? []
        : [[key, { name, state: this.target.actor?.(key, state) ?? state, of: now }] as const];
    });
    const states = [...active].flatMap(([id, { state }]) => {
      const now = this.#goesOn(id);
      return now === undefined ? [] : [[now, this.target.actor?.(now, state) ?? state] as const];
    });
    return {
      ...carried,
      active: Object.fromEntries(states),
      ...(inner.length > 0 && { inner: Object.fromEntries(inner) }),
    };
  }

  #goesOn(id: string): string | undefined {
    return this.mapping.invokes.get(id) ?? (this.#isInvoked(id) ? undefined : id);
  }

  /** An event at which the process has halted, or one behind it; undefined where it is of a state that has been left. */
  kept(event: EventObject): EventObject | undefined {
    return this.#isGone(event.type) ? undefined : this.event(event);
  }

  /** Another state may have a delay or an invoke of the same name. */
  #isGone(type: string): boolean {
    const { left, delays, invokes } = this.mapping;
    const actor = actorOf(type);
    if (actor !== undefined)
      return !invokes.has(actor) && left.some(({ invoke }) => invoke.some(({ id }) => id === actor));
    const ended = [...delays.removed, ...left.flatMap(({ after }) => after)];
    return ended.some(({ eventType }) => eventType === type);
  }

  /** An event of the old definition, in the words of the new one. */
  event(event: EventObject): EventObject {
    const { type } = event;
    const pair = this.mapping.delays.paired.find(({ old }) => old.eventType === type);
    if (pair) return { ...event, type: pair.now.eventType };
    for (const [id, now] of this.mapping.invokes) {
      for (const prefix of ['xstate.done.actor.', 'xstate.error.actor.'])
        if (type === prefix + id) return { ...event, type: prefix + now, actorId: now } as EventObject;
      if (type.startsWith(`${id}.`)) return { ...event, type: `${now}${type.slice(id.length)}` };
    }
    return { ...event, type: getOwn(this.target.plan.events, type) ?? type };
  }

  #isInvoked(id: string): boolean {
    const { left, carried } = this.mapping;
    return [...left, ...carried.values()].some(({ invoke }) => invoke.some((each) => each.id === id));
  }

  /** An inline actor goes on with its state: so it must be of the same kind in both definitions. */
  #actorObstacles(): Obstacle[] {
    const { actors } = this.target.definition.machine.implementations as { actors: Record<string, unknown> };
    return [...this.#from.chart.actors.active].flatMap(([id, { actor }]) => {
      const isLeft = this.#isInvoked(id) && !this.mapping.invokes.has(id);
      if (isLeft || inlineActorOf(actors[actor.name])) return [];
      return {
        code: 'ActorChanged',
        at: id,
        reason: `${actor.name} runs within as ${id}, and the new definition has another one`,
        remedy: 'wait until it has ended',
      };
    });
  }

  #computed(findings: Findings): Step | undefined {
    const { mapping, target } = this;
    const replacement = {
      mapping,
      context: (before: unknown) => target.context?.(before) ?? before,
      input: (id: string, before: unknown) =>
        inlineActorOf(this.#logicOf(id)) ? before : target.input?.(id, before),
      measure: (args: DelayArguments) => this.#measure(args, findings),
    };
    try {
      const step = replaceMachine(this.#from.chart.snapshot, target.definition.machine, replacement);
      if (step.snapshot.status === 'error') throw step.snapshot.error;
      return step;
    } catch (error) {
      const { message } =
        target.definition.halting?.ofError(error) ??
        this.#from.definition.halting?.ofError(error) ??
        (error as Error);
      findings.obstacles.push({
        code: 'StepFails',
        at: '',
        reason: `the step into the new definition cannot be taken: ${message}`,
        remedy: 'repair the new definition, or map the state to another one',
      });
      return undefined;
    }
  }

  #logicOf(now: string): unknown {
    const [old = now] = [...this.mapping.invokes].find(([, each]) => each === now) ?? [];
    return this.#from.chart.logicOf(old);
  }

  #measure(args: DelayArguments, findings: Findings): void {
    const { delays, left } = this.mapping;
    const open = new Map(this.#from.timers.open.map((timer) => [timer.id, timer] as const));
    const gone = [...delays.removed, ...left.flatMap(({ after }) => after)];
    for (const { eventType } of gone) if (open.has(eventType)) this.#dues.set(eventType, null);
    for (const { old, now } of delays.paired) {
      const timer = open.get(old.eventType);
      // Else it has fired already.
      if (timer) this.#dues.set(timer.id, this.#dueOf(timer, old, now, args, findings));
    }
    for (const now of delays.added) this.#arm(now, args, findings);
    findings.notes.push(...this.#givenUp(open));
  }

  #dueOf(
    timer: OpenTimer,
    old: Delay,
    now: Delay,
    args: DelayArguments,
    findings: Findings,
  ): OpenTimer | null {
    const event = { ...timer.event, type: now.eventType };
    const { summary } = timerTexts(this.target.definition.machine, now.eventType);
    const named = { ...timer, id: now.eventType, event, summary };
    if (this.#isSame(old, now, timer.armedAt, args)) return named;
    if (isMoved(timer)) {
      findings.notes.push(
        `the wait of ${pathOf(now.node)} ends at ${iso(timer.dueAt)}, to which somebody has moved its end`,
      );
      return { ...named, delay: { name: now.name, ms: timer.delay.ms } };
    }
    const rescheduled = this.#rescheduled(now, timer.armedAt, args, findings, timer.dueAt);
    return rescheduled ? { ...named, ...rescheduled } : null;
  }

  /** Waits whose end somebody has moved, and that have no counterpart. */
  #givenUp(open: ReadonlyMap<string, OpenTimer>): string[] {
    const { delays, left, carried } = this.mapping;
    const movedIn = (node: AnyStateNode, eventTypes: readonly string[]) =>
      [...new Set(eventTypes)].flatMap((eventType) => {
        const timer = open.get(eventType);
        if (!timer || !isMoved(timer)) return [];
        return `the wait ${timer.delay.name} of ${pathOf(node)}, whose end somebody has moved to ${iso(timer.dueAt)}, is given up`;
      });
    const instead = (node: AnyStateNode) => {
      const added = delays.added.filter((now) => carried.get(now.node) === node);
      const armed = this.armed.filter(({ id }) => added.some(({ eventType }) => eventType === id));
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
  #arm(now: Delay, args: DelayArguments, findings: Findings): void {
    const { host, chart } = this.#from;
    const origin = this.mapping.carried.get(now.node);
    const armedAt = (origin && chart.entered.get(pathOf(origin))) ?? host.now();
    const rescheduled = this.#rescheduled(now, armedAt, args, findings);
    const { eventType: id } = now;
    if (rescheduled) this.armed.push({ id, event: { type: id }, armedAt, ...rescheduled });
  }

  /** Whether they have one name and are as long: by the clock at which the timer was armed. */
  #isSame(old: Delay, now: Delay, armedAt: number, args: DelayArguments): boolean {
    if (old.name !== now.name) return false;
    const [before, after] = [this.#from.definition, this.target.definition].map(({ machine }, index) => {
      const { delay } = index === 0 ? old : now;
      try {
        return this.#from.host.asIf(armedAt, () => delayOf(machine, delay, args));
      } catch {
        return undefined;
      }
    });
    return before === after;
  }

  /** Undefined: it never ends, or cannot be computed. */
  #rescheduled(
    now: Delay,
    base: number,
    args: DelayArguments,
    { obstacles }: Findings,
    former?: number,
  ): Pick<OpenTimer, 'dueAt' | 'delay' | 'summary'> | undefined {
    const { host } = this.#from;
    const { definition, plan } = this.target;
    const at = pathOf(now.node);
    let ms: number | undefined;
    let problem = 'it is not a number of milliseconds';
    try {
      ms = host.asIf(base, () => delayOf(definition.machine, now.delay, args));
    } catch (error) {
      problem = definition.halting?.ofError(error)?.message ?? (error as Error).message;
    }
    if (ms === undefined || Number.isNaN(ms)) {
      obstacles.push({
        code: 'DelayFails',
        at,
        reason: `the delay ${now.name} of ${at} cannot be computed: ${problem}`,
        remedy: 'repair the delay in the new definition',
      });
      return undefined;
    }
    if (ms === Number.POSITIVE_INFINITY) return undefined;
    const { summary } = timerTexts(definition.machine, now.eventType);
    const timer = { delay: { name: now.name, ms }, summary };
    const dueAt = base + ms;
    if (dueAt > host.now()) return { ...timer, dueAt };
    const { overdue } = plan;
    if (overdue === undefined)
      obstacles.push({
        code: 'TimerOverdue',
        at,
        reason: `the delay ${now.name} of ${at} would have been over at ${iso(dueAt)}`,
        remedy: 'say what is to be done with such timers: overdue: now, keep, or { grace: … } in the plan',
      });
    const kept = overdue === 'keep' ? (former ?? host.now() + ms) : undefined;
    const instead = kept ?? host.now() + (typeof overdue === 'object' ? overdue.grace : 0);
    if (instead <= host.now()) this.#overdue += 1;
    return { ...timer, dueAt: instead };
  }
}

/** A person, or the plan of an earlier migration, has said when it ends: that comes before what a definition says. */
const isMoved = ({ armedAt, dueAt, delay, isMoved: hasMoved }: OpenTimer): boolean =>
  hasMoved === true || dueAt !== armedAt + delay.ms;

/** Nothing outside the process has noticed them. A child that is stopped while it runs is among what has ended. */
const silent: readonly string[] = ['begin', 'stop', 'arm', 'disarm', 'log'];

/** Milliseconds; undefined if the machine has no such delay. */
function delayOf(machine: AnyStateMachine, delay: unknown, args: DelayArguments): number | undefined {
  if (typeof delay === 'number') return delay;
  const named = (machine.implementations.delays as Record<string, unknown>)[String(delay)];
  if (typeof named !== 'function') return named as number | undefined;
  return enclosureOf(machine).ask(() => named(args, undefined)) as number | undefined;
}
