// The timers of a process. An entry of the inbox carries the timer itself, so that a stale one is known: another one under its id is
// another object.
import type { EventObject } from 'xstate';
import { timerTexts } from './chart/messages.ts';
import type { Definition } from './definition/definition.ts';
import type { OpenTimer, TimerExtension } from './definition/timer-rules.ts';
import type { Alarm, Host } from './host.ts';
import { ACTOR_TIMER, type ActorTimer, type ActorTimerEvent, keyWithin } from './inline-actor.ts';

export interface Timer extends OpenTimer {
  readonly alarm: Alarm;
}

export const iso = (at: number): string => new Date(at).toISOString();

const openOf = ({ alarm: _, ...open }: Timer): OpenTimer => open;

/** The process, as far as its timers need it. */
interface WaitingProcess {
  readonly definition: Definition;
  readonly host: Host;
  onTimer(timer: Timer): void;
}

export class Timers {
  readonly #of: WaitingProcess;
  readonly #armed = new Map<string, Timer>();

  constructor(of: WaitingProcess) {
    this.#of = of;
  }

  get open(): OpenTimer[] {
    return [...this.#armed.values()].map(openOf);
  }

  arm(id: string | undefined, event: EventObject, delay: number): void {
    const { definition, host } = this.#of;
    const { delay: name, summary } = timerTexts(definition.machine, event.type);
    const armedAt = host.now();
    this.armAgain({
      id: id ?? this.#freeId(event.type),
      event,
      dueAt: armedAt + delay,
      armedAt,
      delay: { name, ms: delay },
      summary,
    });
  }

  /** Arms a timer that a former run had armed. */
  armAgain(open: OpenTimer): void {
    const key = keyWithin(open.of, open.id);
    this.#cancel(key);
    const { dueAt, summary } = open;
    const ring = () => this.#of.onTimer(timer);
    const alarm = this.#of.host.alarm(dueAt, summary, ring);
    const timer: Timer = { ...open, alarm };
    this.#armed.set(key, timer);
  }

  /** All timers of an inline actor from now on. */
  setOf(of: string, wanted: readonly ActorTimer[]): void {
    for (const [key, timer] of [...this.#armed])
      if (timer.of === of && !wanted.some(({ id, dueAt }) => timer.id === id && timer.dueAt === dueAt))
        this.#cancel(key);
    const armedAt = this.#of.host.now();
    for (const { id, dueAt, summary } of wanted) {
      if (this.#armed.has(keyWithin(of, id))) continue;
      const event: ActorTimerEvent = { type: ACTOR_TIMER, timer: id };
      this.armAgain({ id, of, event, dueAt, armedAt, delay: { name: id, ms: dueAt - armedAt }, summary });
    }
  }

  /** An inline actor goes on under another key. */
  rename(of: string, now: string): void {
    for (const [key, timer] of [...this.#armed]) {
      if (timer.of !== of) continue;
      this.#armed.delete(key);
      this.#armed.set(keyWithin(now, timer.id), Object.assign(timer, { of: now }));
    }
  }

  /** When it was due. */
  move({ timer: id, dueAt }: TimerExtension): number {
    const timer = this.#armed.get(id);
    if (timer) this.armAgain({ ...openOf(timer), dueAt, isMoved: true });
    return timer?.dueAt ?? dueAt;
  }

  cancel(id: string): void {
    this.#cancel(id);
  }

  #cancel(key: string): void {
    this.#armed.get(key)?.alarm.cancel();
    this.#armed.delete(key);
  }

  /** For a delayed event that has no id. */
  #freeId(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#armed.has(id); count++) id = `${wanted} ${count}`;
    return id;
  }

  /** Each as a migration would have it: the same one, another one in its place, or none. */
  rebind(reboundOf: (timer: Timer) => OpenTimer | undefined): void {
    const armed = [...this.#armed.values()];
    this.#armed.clear();
    for (const timer of armed) {
      const open = reboundOf(timer);
      if (open && open.dueAt === timer.dueAt)
        this.#armed.set(keyWithin(open.of, open.id), Object.assign(timer, open));
      else timer.alarm.cancel();
      if (open && open.dueAt !== timer.dueAt) this.armAgain(open);
    }
  }

  /** As they are now, for `restore`. */
  former(): { readonly timer: Timer; readonly open: OpenTimer }[] {
    return [...this.#armed.values()].map((timer) => ({ timer, open: openOf(timer) }));
  }

  /** They are again what they were then. */
  restore(former: ReturnType<Timers['former']>): void {
    const armed = new Set(this.#armed.values());
    this.#armed.clear();
    for (const { timer, open } of former)
      if (armed.delete(timer)) this.#armed.set(keyWithin(open.of, open.id), Object.assign(timer, open));
      else this.armAgain(open);
    for (const { alarm } of armed) alarm.cancel();
  }

  /** The timer here that has the id of a timer of another process. */
  like({ of, id }: Timer): Timer | undefined {
    return this.#armed.get(keyWithin(of, id));
  }

  /** Whether this timer is still the one with its id. */
  take(timer: Timer): boolean {
    const key = keyWithin(timer.of, timer.id);
    return this.#armed.get(key) === timer && this.#armed.delete(key);
  }
}
