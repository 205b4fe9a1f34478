// Some flows on one engine, a fixed number at once, and what they took.
import { inLanes } from '../in-lanes.ts';
import { type Engine, play } from './engine.ts';
import { processesOf, type Used, usedBy } from './usage.ts';

export const AT_ONCE = 40;

export interface Round {
  readonly perSecond: number;
  readonly bookedAfter: readonly number[];
  readonly waits: readonly number[];
  /** Milliseconds of processor for each flow: of the engine's server and database, and of the worker. */
  readonly server: number;
  readonly worker: number;
}

let number = 0;

export async function round(engine: Engine, flows: number): Promise<Round> {
  const before = await usage(engine);
  const bookedAfter: number[] = [];
  const waits: number[] = [];
  const startedAt = performance.now();
  await inLanes(AT_ONCE, flows, async () => {
    number += 1;
    const played = await play(engine, `flow-${number}`);
    bookedAfter.push(played.bookedAfter);
    waits.push(...played.waits);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await usage(engine);
  const perFlow = (part: 'server' | 'worker') => (after[part].processorMs - before[part].processorMs) / flows;
  return {
    ...{ perSecond: flows / seconds, bookedAfter, waits },
    ...{ server: perFlow('server'), worker: perFlow('worker') },
  };
}

export async function usage({ folder, worker }: Engine): Promise<{ server: Used; worker: Used }> {
  const [server, own] = await Promise.all([processesOf(folder).then(usedBy), usedBy([worker.processId])]);
  return { server, worker: own };
}
