// Carries out what the plan has for the processes and the ways between them, each when its step is reached.
import { setTimeout as delay } from 'node:timers/promises';
import type { Plan } from './plan.ts';
import type { World } from './world.ts';

/** How far the flows are, all of them together, in steps; and for how long nothing has befallen them. */
export class Progress {
  #steps = 0;
  #isOver = false;
  #befellAt = performance.now();
  #waiting: { readonly step: number; readonly resolve: (isReached: boolean) => void }[] = [];

  get steps(): number {
    return this.#steps;
  }

  /** For how long no process was killed or brought up again, and no way was disturbed, in milliseconds. */
  get quietMs(): number {
    return performance.now() - this.#befellAt;
  }

  /** Something befalls a process or a way now. */
  befall(): void {
    this.#befellAt = performance.now();
  }

  /** One more step was made. */
  make(): void {
    this.#steps += 1;
    this.#tell();
  }

  /** No further step will be made. */
  end(): void {
    this.#isOver = true;
    this.#tell();
  }

  /** False where it will never be reached. */
  reached(step: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push({ step, resolve });
      this.#tell();
    });
  }

  #tell(): void {
    const isDue = ({ step }: { step: number }) => this.#isOver || step <= this.#steps;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((each) => !isDue(each));
    for (const { step, resolve } of due) resolve(step <= this.#steps);
  }
}

export interface Disturbed {
  /** By the name of the part. */
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: number;
}

/** Ends when all of it is done, and everything is up again. */
export async function disturb<Parts extends string, Ways extends string>(
  { parts, ways }: World<Parts, Ways>,
  { kills, faults }: Plan<Parts, Ways>,
  progress: Progress,
): Promise<Disturbed> {
  const killed: Record<string, number> = {};
  let befallen = 0;
  const killing = kills.map(async ({ step, part, awayMs }) => {
    if (!(await progress.reached(step))) return;
    progress.befall();
    await parts[part].kill(() => delay(awayMs));
    // Up again.
    progress.befall();
    killed[part] = (killed[part] ?? 0) + 1;
  });
  const disturbing = faults.map(async ({ step, way, fault }) => {
    if (!(await progress.reached(step))) return;
    ways[way].befall(fault);
    progress.befall();
    befallen += 1;
  });
  await Promise.all([...killing, ...disturbing]);
  return { kills: killed, faults: befallen };
}

/** From now on nothing befalls anything. */
export async function calm({ parts, ways }: World): Promise<void> {
  for (const way of Object.values(ways)) way.clear();
  await Promise.all(Object.values(parts).map((part) => part.up()));
}
