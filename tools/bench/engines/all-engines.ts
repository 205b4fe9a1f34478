// Starts every engine that is compared, one after the other, and stops them in the reverse order.
import { obtainClusterPrograms } from '../../../local/cluster/programs.ts';
import { startDbos } from './dbos-engine.ts';
import type { Engine } from './engine.ts';
import { obtainOthers } from './others.ts';
import { startRestate } from './restate-engine.ts';
import {
  bundleIn,
  kinds,
  startDevelopmentServer,
  startProductionServer,
  startTemporalEngine,
} from './temporal-engines.ts';

export interface EngineOptions {
  readonly home: string;
  readonly lockerUrl: string;
  /** Gets everything that must be stopped. */
  readonly stack: AsyncDisposableStack;
  say(line: string): void;
}

export async function startEngines({ home, lockerUrl, stack, say }: EngineOptions): Promise<Engine[]> {
  const programs = await obtainClusterPrograms({ env: process.env, say });
  await obtainOthers(say);
  say('bundling the workflows of Temporal');
  const bundles = { declared: await bundleIn(home, 'declared'), 'by hand': await bundleIn(home, 'by hand') };
  const engines: Engine[] = [];
  const servers = [
    () => startDevelopmentServer(home),
    () => startProductionServer(home, programs),
  ] satisfies (() => Promise<unknown>)[];
  for (const start of servers) {
    const server = stack.use(await start());
    say(`${server.words} is up`);
    for (const kind of kinds)
      engines.push(stack.use(await startTemporalEngine({ kind, server, bundle: bundles[kind], lockerUrl })));
  }
  for (const start of [startRestate, startDbos]) {
    const engine = stack.use(await start(home, lockerUrl));
    say(`${engine.name} is up`);
    engines.push(engine);
  }
  return engines;
}
