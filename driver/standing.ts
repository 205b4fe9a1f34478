// What a process says of itself while it runs: its progress and its position, what it awaits, how its clock stands. It only
// reads.
import type { AnyMachineSnapshot } from 'xstate';
import type { ActorSystem } from './actor-system.ts';
import { type Position, positionOf } from './chart/chart-view.ts';
import type { MovableClock } from './clock.ts';
import type { Awaited, Complete, Held } from './definition.ts';
import type { Inbox } from './inbox.ts';
import type { ClockStanding } from './listen.ts';
import type { Parent } from './telling/parent.ts';
import type { TemporalWorld } from './world.ts';

/** How far a process has come with its entries. */
export interface Taken {
  /** Whether its machine still takes steps. */
  readonly isOpen: boolean;
  /** The step that failed. */
  readonly held: Held | undefined;
  /** Number of entries. */
  readonly taken: number;
}

interface Parts {
  readonly definition: Complete;
  readonly actors: ActorSystem;
  readonly world: TemporalWorld;
  readonly inbox: Inbox;
  readonly parent: Parent;
  /** Messages of its own that came after the end. */
  readonly late: readonly unknown[];
  readonly taken: () => Taken;
}

export class Standing {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get snapshot(): AnyMachineSnapshot {
    return this.#parts.actors.snapshot;
  }

  progress(asked: unknown = {}): unknown {
    const { definition, late } = this.#parts;
    const isObject = typeof asked === 'object' && asked !== null;
    return definition.progress(this.snapshot, late, this.awaited, isObject ? asked : {});
  }

  position(): Position {
    const { timers } = this.#parts.world;
    const own = timers.open.filter(({ from, to }) => from === undefined && to === undefined);
    return positionOf(this.snapshot, own);
  }

  get awaited(): Awaited {
    const { awaited } = this.#parts.world;
    const { held } = this.#parts.taken();
    return held ? Object.assign(Object.create(awaited), { held }) : awaited;
  }

  clock(clock: MovableClock): ClockStanding {
    const { isOpen, taken } = this.#parts.taken();
    const { invokes, outbox } = this.#parts.world;
    const calls = [...invokes.calls, ...(outbox.isIdle ? [] : ['outbox'])];
    return {
      aheadMs: clock.aheadMs,
      now: new Date().toISOString(),
      next: clock.next && {
        timer: clock.next.timer,
        at: new Date(clock.next.dueAt).toISOString(),
        inMs: Math.max(0, clock.next.dueAt - Date.now()),
      },
      isOpen,
      taken,
      isAtRest: isOpen && calls.length === 0 && this.#isQuiet && invokes.areChildrenBegun,
      calls,
      children: invokes.childIds,
    };
  }

  get #isQuiet(): boolean {
    const { inbox, parent, world } = this.#parts;
    const { updates, handOver, asides } = world;
    return inbox.isEmpty && parent.isIdle && handOver.isIdle && !asides.areOpen && !updates.areOpen;
  }
}
