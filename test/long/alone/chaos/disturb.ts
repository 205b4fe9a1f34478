// Carries out what the plan has for the processes and the links between them, each when its step is reached.
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

  /** For how long no process was killed or brought up again, and no link was disturbed, in milliseconds. */
  get quietMs(): number {
    return performance.now() - this.#befellAt;
  }

  /** Something befalls a process or a link now. */
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
  /** By the name of the component. */
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: number;
}

/** Ends when all of it is done, and everything is up again. */
export async function disturb<Components extends string, Links extends string>(
  { components, links }: World<Components, Links>,
  { kills, faults }: Plan<Components, Links>,
  progress: Progress,
): Promise<Disturbed> {
  const killed: Record<string, number> = {};
  let befallen = 0;
  const killing = kills.map(async ({ step, component, awayMs }) => {
    if (!(await progress.reached(step))) return;
    progress.befall();
    await components[component].kill(() => delay(awayMs));
    // Up again.
    progress.befall();
    killed[component] = (killed[component] ?? 0) + 1;
  });
  const disturbing = faults.map(async ({ step, link, fault }) => {
    if (!(await progress.reached(step))) return;
    links[link].befall(fault);
    progress.befall();
    befallen += 1;
  });
  await Promise.all([...killing, ...disturbing]);
  return { kills: killed, faults: befallen };
}

/** From now on nothing befalls anything. */
export async function calm({ components, links }: World): Promise<void> {
  for (const link of Object.values(links)) link.clear();
  await Promise.all(Object.values(components).map((component) => component.up()));
}
