// Carries out what the plan has for the processes and the ways between them, each when its step is reached.
import { setTimeout as delay } from 'node:timers/promises';
import { type PartName, type Plan, partNames } from './plan.ts';
import type { Progress } from './progress.ts';
import type { World } from './world.ts';

export interface Disturbed {
  readonly kills: Readonly<Record<PartName, number>>;
  readonly faults: number;
}

/** Ends when all of it is done, and everything is up again. */
export async function disturb(
  { parts, ways }: World,
  { kills, faults }: Plan,
  progress: Progress,
): Promise<Disturbed> {
  const killed: Record<PartName, number> = { worker: 0, service: 0, receiver: 0, temporal: 0, postgres: 0 };
  let befallen = 0;
  const killing = kills.map(async ({ step, part, awayMs }) => {
    if (!(await progress.reached(step))) return;
    await parts[part].kill(() => delay(awayMs));
    killed[part] += 1;
  });
  const disturbing = faults.map(async ({ step, way, fault }) => {
    if (!(await progress.reached(step))) return;
    ways[way].befall(fault);
    befallen += 1;
  });
  await Promise.all([...killing, ...disturbing]);
  return { kills: killed, faults: befallen };
}

/** From now on nothing befalls anything. */
export async function calm({ parts, ways }: World): Promise<void> {
  for (const way of Object.values(ways)) way.clear();
  await Promise.all(partNames.map((name) => parts[name].up()));
}
