// Events that no state takes yet: each waits, until its time is over, for the first state that takes it.
import type { EventObject } from 'xstate';
import type { PostponedEvent } from './definition.ts';

export class PostponedEvents {
  readonly #events: PostponedEvent[];
  /** How many of them no state takes now. */
  #asked: number;

  /** @param kept those of a former run, which no state takes now */
  constructor(kept: readonly PostponedEvent[] = []) {
    this.#events = [...kept];
    this.#asked = kept.length;
  }

  get all(): readonly PostponedEvent[] {
    return this.#events;
  }

  add(event: EventObject, until: number): void {
    this.#events.push({ event, until });
  }

  /** The process has taken a step: another state may take them. */
  askAgain(): void {
    this.#asked = 0;
  }

  get areToBeAsked(): boolean {
    return this.#asked < this.#events.length;
  }

  /** The next one, if it is taken now; it waits no longer then. */
  next(now: number, isTaken: (event: EventObject) => boolean): EventObject | undefined {
    const at = this.#asked;
    const kept = this.#events[at];
    if (!kept) return undefined;
    const isOver = kept.until <= now;
    if (!isOver && !isTaken(kept.event)) {
      this.#asked += 1;
      return undefined;
    }
    this.#events.splice(at, 1);
    return isOver ? undefined : kept.event;
  }
}
