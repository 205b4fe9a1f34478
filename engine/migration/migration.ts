// One process in another definition: what would become of it, computed on a copy, and what carries it out. Nothing of the
// process changes before the whole step is computed.
import type { EventObject } from 'xstate';
import { externalLogic } from '../actor-kinds.ts';
import { callIdUnder, type OpenCall, type RemappedCall } from '../calls.ts';
import { pathOf } from '../chart/chart-view.ts';
import { actorOf, getOwn } from '../chart/messages.ts';
import type { CarriedActors } from '../continued.ts';
import type { MigrationTarget } from '../definition/definition.ts';
import type { OpenTimer } from '../definition/timer-rules.ts';
import { inlineActorOf } from '../inline-actor.ts';
import type { Obstacle } from '../migration-plan.ts';
import type { RunningProcess } from '../running-chart.ts';
import type { Effect, Step } from '../stepper.ts';
import type { Timer } from '../timers.ts';
import { type DelayArguments, MigratedTimers } from './migrated-timers.ts';
import { type MigrationMapping, mappingOf } from './migration-mapping.ts';
import { findDeadEnds } from './reachability.ts';
import { replaceMachine } from './replace-machine.ts';
import { type Findings, runningIn } from './state-mapping.ts';

export class Migration {
  readonly target: MigrationTarget;
  readonly mapping: MigrationMapping;
  /** Undefined where something stands in the way. */
  readonly step: Step | undefined;
  readonly obstacles: readonly Obstacle[];
  readonly notes: readonly string[];
  /** Whether the step does nothing that could not be taken back. */
  readonly isSilent: boolean;
  readonly #from: RunningProcess;
  readonly #timers: MigratedTimers;

  /** @param from the process that is asked */
  constructor(from: RunningProcess, target: MigrationTarget) {
    this.#from = from;
    this.target = target;
    const { machine } = target.definition;
    const { plan } = target;
    const before = from.chart.snapshot;
    const running = runningIn(from);
    this.mapping = mappingOf(before, machine, plan, running);
    this.#timers = new MigratedTimers(from, target, this.mapping);
    const found = [...this.mapping.obstacles, ...(target.obstacles ?? []), ...this.#actorObstacles()];
    const notes = [...this.mapping.notes, ...(target.notes?.(this.mapping.invokes) ?? [])];
    const findings = { obstacles: found, notes };
    if (found.length === 0) findDeadEnds(before, this.mapping, plan, running, findings);
    const step = found.length === 0 ? this.#computed(findings) : undefined;
    this.step = step;
    this.obstacles = found;
    this.notes = notes;
    const isEnded = (id: string) => this.#isInvoked(id) && !this.mapping.invokes.has(id);
    this.isSilent = step?.effects.every(isSilent) === true && ![...running.actors].some(isEnded);
  }

  /** How many timers are due at once. */
  get overdue(): number {
    return this.#timers.overdue;
  }

  /** New timers of states that the process is in already. */
  get armed(): readonly OpenTimer[] {
    return this.#timers.armed;
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
    const due = this.#timers.of(open.id);
    if (due === null) return undefined;
    return due ?? { ...open, event: this.event(open.event) };
  }

  /** How its calls go on; undefined: not at all. */
  call({ id, of, input, logic }: OpenCall): RemappedCall | undefined {
    if (of !== undefined) {
      const actor = this.#goesOn(of);
      if (actor === undefined) return undefined;
      // An independent one makes and cancels its calls by its key of today, `each` by the id with which it began.
      const isByKey = this.#from.chart.actors.of(of)?.isIndependent === true;
      return {
        id: isByKey ? callIdUnder(actor, id, of) : id,
        of: actor,
        input: this.target.input?.(id, input, actor) ?? input,
        logic,
      };
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
        : [[key, { name, state: this.target.actor?.(key, state, now) ?? state, of: now }] as const];
    });
    const states = [...active].flatMap(([id, { state }]) => {
      const now = this.#goesOn(id);
      return now === undefined ? [] : [[now, this.target.actor?.(now, state) ?? state] as const];
    });
    return {
      ...carried,
      active: Object.fromEntries(states),
      ...(inner.length > 0 && { inner: Object.fromEntries(inner) }),
      ...(carried.counts && { counts: this.#countsByNewId(carried.counts) }),
    };
  }

  /** How often each has begun, by whichever id: the next time is not the first. */
  #countsByNewId(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
    const renamed = [...this.mapping.invokes].flatMap(([id, now]) => {
      const count = counts[id];
      return count === undefined ? [] : [[now, Math.max(count, counts[now] ?? 0)] as const];
    });
    return { ...counts, ...Object.fromEntries(renamed) };
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
      measure: (args: DelayArguments) => this.#timers.measure(args, findings),
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
}

/**
 * Nothing outside the process has noticed them. A child that is stopped while it runs is among what has ended; what begins and may
 * have to clean up is not dropped.
 */
const silent: readonly string[] = ['begin', 'stop', 'arm', 'disarm', 'log'];

const isSilent = (effect: Effect): boolean =>
  silent.includes(effect.do) &&
  !(effect.do === 'begin' && inlineActorOf(effect.logic)?.hasToCleanUp !== undefined);
