// The migrations of one process: what would become of it in another definition, why it may not go there, and the going over,
// between two of its steps. It can go back as long as nobody has noticed the last one.
import type { EventObject } from 'xstate';
import type { OpenCall, RemappedCall } from '../calls.ts';
import { getOwn, messagesOf } from '../chart/messages.ts';
import type { Rejection } from '../commands.ts';
import type { Continued } from '../continued.ts';
import type { MigrationTarget } from '../definition/definition.ts';
import type { Migrated, MigrationRequest } from '../definition/migration-request.ts';
import { ACTOR_MIGRATED } from '../inline-actor.ts';
import { type MigrationResult, type Obstacle, planProblem, resultKindOf } from '../migration-plan.ts';
import { type Program, RunningChart, type RunningProcess } from '../running-chart.ts';
import type { Timers } from '../timers.ts';
import { Migration } from './migration.ts';

/** Code of the refusal of a migration that is not asked for as it must be. */
const INVALID_MIGRATION = 'InvalidMigration';

/** Code of the refusal of a migration because of where the process is; its details are the result. */
const MIGRATION_REFUSED = 'MigrationRefused';

/** The worker does not have the version of a definition that a process is to run on. */
export class VersionMissing extends Error {
  constructor(name: string, version: number, registered: readonly (number | string)[]) {
    super(
      `${name}@${version} is not registered (registered: ${registered.join(', ')}); deploy a worker that has it`,
    );
  }
}

// The latest only, so that a process does not grow without end.
const KEPT = 20;

/** What a process was before a migration that nobody but itself has noticed. */
interface Former {
  readonly program: Program;
  readonly timers: ReturnType<Timers['former']>;
  readonly calls: ReadonlyMap<OpenCall, RemappedCall>;
  readonly aliases: Readonly<Record<string, string>>;
}

export interface AppliedMigration {
  readonly record: Migrated;
  /** The events that are to be taken again; not given: the process has been through it before. */
  readonly again?: readonly EventObject[];
  /** It is where it was before the last one, and its inline actors have not heard of that. */
  readonly isBack?: boolean;
}

export class Migrations {
  readonly #of: RunningProcess;
  #done: readonly Migrated[];
  #aliases: Readonly<Record<string, string>>;
  #former: Former | undefined;

  constructor(of: RunningProcess, { migrations = [], aliases = {} }: Partial<Continued> = {}) {
    this.#of = of;
    this.#done = migrations;
    this.#aliases = aliases;
  }

  /** The latest last. */
  get done(): readonly Migrated[] {
    return this.#done;
  }

  /** Names of events in former definitions, and what they are called now. */
  get aliases(): Readonly<Record<string, string>> {
    return this.#aliases;
  }

  get carried(): Pick<Continued, 'migrations' | 'aliases'> {
    return {
      ...(this.#done.length > 0 && { migrations: this.#done }),
      ...(Object.keys(this.#aliases).length > 0 && { aliases: this.#aliases }),
    };
  }

  /** Its inline actors learn of its definition, once the process has taken again what it could not take before. */
  tellActors(): void {
    const { actors } = this.#of.chart;
    if (actors.tellOfMigration({ type: ACTOR_MIGRATED })) this.forgetFormer();
  }

  /** The process takes something else: it cannot go back any more. */
  forgetFormer(): void {
    this.#former = undefined;
  }

  /** It changes nothing. */
  result(request: MigrationRequest): MigrationResult {
    if (!this.#of.isOpen) return { kind: 'refused', obstacles: [hasEnded], notes: [], overdue: 0 };
    if (this.#mayGoBack(request)) return { kind: 'carried', obstacles: [], notes: [], overdue: 0 };
    const { obstacles, notes, overdue } = this.#migration(request);
    const kind = resultKindOf(obstacles, request.wait === true);
    return { kind, obstacles, notes, overdue: obstacles.length > 0 ? 0 : overdue };
  }

  /** One that it has been through already is not refused: twice is once. */
  refusal(payload: unknown, updateId: string): Rejection | undefined {
    if (this.#known(updateId)) return undefined;
    const problem = requestProblem(payload);
    if (problem !== undefined) return { code: INVALID_MIGRATION, message: problem };
    return this.#refusal(payload as MigrationRequest);
  }

  take(request: MigrationRequest, updateId: string): AppliedMigration | Rejection {
    const known = this.#known(updateId);
    if (known) return { record: known };
    const refusal = this.#refusal(request, true);
    if (refusal) return refusal;
    const from = this.#of.start.version;
    const waiting = [...this.#of.chart.waiting];
    const isBack = this.#mayGoBack(request);
    const [again, notes] = isBack ? this.#goBack(waiting) : this.#goOver(request, waiting);
    const { by, why, back } = request;
    const record: Migrated = {
      id: updateId,
      from,
      to: this.#of.start.version,
      by,
      why,
      at: new Date(this.#of.host.now()).toISOString(),
      ...(notes.length > 0 && { notes }),
      ...(back === true && { back }),
    };
    this.#done = [...this.#done, record].slice(-KEPT);
    return { record, again, isBack };
  }

  #known(updateId: string): Migrated | undefined {
    return this.#done.find(({ id }) => id === updateId);
  }

  #refusal(request: MigrationRequest, isAccepted = false): Rejection | undefined {
    let result: MigrationResult;
    try {
      result = this.result(request);
    } catch (error) {
      // It was accepted where the worker had that version: the process waits for one that has it.
      if (isAccepted && error instanceof VersionMissing) throw error;
      return { code: INVALID_MIGRATION, message: (error as Error).message };
    }
    if (result.obstacles.length === 0) return undefined;
    const reasons = result.obstacles.map(({ reason, remedy }) => `${reason}; ${remedy}`);
    return { code: MIGRATION_REFUSED, message: reasons.join('. '), details: result };
  }

  #targetOf(request: MigrationRequest): MigrationTarget {
    const { definition, chart } = this.#of;
    if (!definition.migrates) throw new TypeError('the definition of this process cannot be replaced');
    return definition.migrates(request, chart.snapshot, chart.actors.view);
  }

  #migration(request: MigrationRequest): Migration {
    return new Migration(this.#of, this.#targetOf(request));
  }

  /** @returns the events that are to be taken again, and what else there is to say */
  #goOver(request: MigrationRequest, waiting: readonly EventObject[]): [EventObject[], readonly string[]] {
    const of = this.#of;
    const migration = this.#migration(request);
    const { target, step, isSilent, entered } = migration;
    if (!step) throw new TypeError('it is refused');
    for (const id of migration.leftActors) of.chart.actors.stop(id);
    this.#former = isSilent && !of.halt ? this.#formerNow() : undefined;
    of.timers.rebind((timer) => migration.timer(timer));
    of.calls.rebind((call) => migration.call(call));
    const { unhandledProcedure } = of;
    if (unhandledProcedure) Object.assign(unhandledProcedure, migration.call(unhandledProcedure));
    const { definition } = target;
    const chart = new RunningChart(definition.machine, of, { step, entered, actors: migration.actors });
    of.program = { definition, start: { ...of.start, version: target.version }, chart };
    this.#aliases = this.#aliasesIn(target);
    for (const timer of migration.armed) of.timers.armAgain(timer);
    chart.carryOutFirst();
    return [waiting.flatMap((event) => migration.kept(event) ?? []), migration.notes];
  }

  #formerNow(): Former {
    const { program, timers, calls } = this.#of;
    const bindings = calls.open.map(
      (call) => [call, { id: call.id, of: call.of, input: call.input, logic: call.logic }] as const,
    );
    return { program, timers: timers.former(), calls: new Map(bindings), aliases: this.#aliases };
  }

  #aliasesIn({ definition, plan: { events = {} } }: MigrationTarget): Record<string, string> {
    const known = new Set(messagesOf(definition.machine));
    const aliases = Object.entries({ ...this.#aliases, ...events }).map(
      ([old, now]) => [old, getOwn(events, now) ?? now] as const,
    );
    return Object.fromEntries(aliases.filter(([old, now]) => !known.has(old) && old !== now));
  }

  /** To the definition that it had before, and to no other: else it would never be where it is asked to go. */
  #mayGoBack(request: MigrationRequest): boolean {
    const former = this.#former;
    if (!request.back || former === undefined || this.#of.halt) return false;
    return this.#targetOf(request).version === former.program.start.version;
  }

  #goBack(waiting: readonly EventObject[]): [EventObject[], readonly string[]] {
    const former = this.#former as Former;
    this.#of.program = former.program;
    this.#of.timers.restore(former.timers);
    this.#of.calls.rebind((call) => former.calls.get(call));
    this.#aliases = former.aliases;
    this.#former = undefined;
    return [[...waiting], []];
  }
}

const hasEnded: Obstacle = {
  code: 'Ended',
  at: '',
  reason: 'the process has ended, or is ending',
  remedy: 'leave it as it is',
};

/** What is wrong with the form of a request; what it goes over to is the definition's to check. */
function requestProblem(payload: unknown): string | undefined {
  const { semantics, by, why, to, back, plan } = (payload ?? {}) as Partial<
    Record<keyof MigrationRequest, unknown>
  >;
  if (semantics !== 1) return 'expected semantics: 1';
  if (typeof by !== 'string' || by === '') return 'expected by, the name of who migrates the process';
  if (typeof why !== 'string' || why === '') return 'expected why, the reason in a few words';
  if (to === undefined && back !== true) return 'expected to, the definition that the process is to have';
  return planProblem(plan);
}
