// What becomes of the timers of a process in another definition: each goes on, ends, or is due at another moment, and states that
// the process is in may have new ones.
import type { AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import { pathOf } from '../chart/chart-view.ts';
import { timerTexts } from '../chart/messages.ts';
import type { MigrationTarget } from '../definition/definition.ts';
import type { OpenTimer } from '../definition/timer-rules.ts';
import type { RunningProcess } from '../running-chart.ts';
import { enclosureOf } from '../stepper.ts';
import { iso } from '../timers.ts';
import type { MigrationMapping } from './migration-mapping.ts';
import type { Delay, Findings } from './state-mapping.ts';

/** What a delay is computed from. */
export interface DelayArguments {
  readonly context: unknown;
  readonly event: EventObject;
}

export class MigratedTimers {
  /** New timers of states that the process is in already. */
  readonly armed: OpenTimer[] = [];
  /** How many are due at once. */
  overdue = 0;
  readonly #from: RunningProcess;
  readonly #target: MigrationTarget;
  readonly #mapping: MigrationMapping;
  /** By their ids; null: they end. */
  readonly #dues = new Map<string, OpenTimer | null>();

  constructor(from: RunningProcess, target: MigrationTarget, mapping: MigrationMapping) {
    this.#from = from;
    this.#target = target;
    this.#mapping = mapping;
  }

  /** Null: it ends. Undefined: it goes on as it is. */
  of(id: string): OpenTimer | null | undefined {
    return this.#dues.get(id);
  }

  /** Once the context of the new machine is known. */
  measure(args: DelayArguments, findings: Findings): void {
    const { delays, left } = this.#mapping;
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
    const { summary } = timerTexts(this.#target.definition.machine, now.eventType);
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
    const { delays, left, carried } = this.#mapping;
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
          (text) => `${text}: the new definition has not got it${instead(node)}`,
        ),
      ),
      ...left.flatMap((node) =>
        movedIn(
          node,
          node.after.map(({ eventType }) => eventType),
        ).map((text) => `${text} with its state`),
      ),
    ];
  }

  /** For a state that the process is in already: it counts from the moment at which that was entered. */
  #arm(now: Delay, args: DelayArguments, findings: Findings): void {
    const { host, chart } = this.#from;
    const origin = this.#mapping.carried.get(now.node);
    const armedAt = (origin && chart.entered.get(pathOf(origin))) ?? host.now();
    const rescheduled = this.#rescheduled(now, armedAt, args, findings);
    const { eventType: id } = now;
    if (rescheduled) this.armed.push({ id, event: { type: id }, armedAt, ...rescheduled });
  }

  /** Whether they have one name and are as long: by the clock at which the timer was armed. */
  #isSame(old: Delay, now: Delay, armedAt: number, args: DelayArguments): boolean {
    if (old.name !== now.name) return false;
    const [before, after] = [this.#from.definition, this.#target.definition].map(({ machine }, index) => {
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
    const { definition, plan } = this.#target;
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
    if (instead <= host.now()) this.overdue += 1;
    return { ...timer, dueAt: instead };
  }
}

/** A person, or the plan of an earlier migration, has said when it ends: that comes before what a definition says. */
const isMoved = ({ armedAt, dueAt, delay, isMoved: hasMoved }: OpenTimer): boolean =>
  hasMoved === true || dueAt !== armedAt + delay.ms;

/** Milliseconds; undefined if the machine has no such delay. */
function delayOf(machine: AnyStateMachine, delay: unknown, args: DelayArguments): number | undefined {
  if (typeof delay === 'number') return delay;
  const named = (machine.implementations.delays as Record<string, unknown>)[String(delay)];
  if (typeof named !== 'function') return named as number | undefined;
  return enclosureOf(machine).ask(() => named(args, undefined)) as number | undefined;
}
