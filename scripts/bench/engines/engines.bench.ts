// The same flow, its booking and five reports, on each engine, 40 at once: declared on Temporal, by hand on Temporal, on
// Restate and on DBOS. Each syncs what it promises to keep. docs/engines.md says how each is set up, and what the figures mean.
//   npm run bench -- engines --rounds 5 --flows 120     (--production 0, --others 0 leave out what must be built or installed)
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { write } from '../../../shared/terminal/terminal.ts';
import { installDependencies } from '../../dependencies.mjs';
import {
  alternateRounds,
  integerOptions,
  logProgress,
  median,
  percentile,
  printTable,
  runConcurrently,
} from '../measure.ts';
import { newFolder, startOwn } from '../programs.ts';
import { startDevelopmentServer, startProductionServer } from '../temporal-servers.ts';
import { processesOf, usedBy } from '../used.ts';
import { type Engine, play, startTemporalEngine } from './engine.ts';
import { startDbos, startRestate } from './others/engines.ts';

const given = integerOptions({ rounds: 5, flows: 120, production: 1, others: 1 });
const LANES = 40;

const home = await newFolder();
await using stack = new AsyncDisposableStack();
const lockerService = stack.use(await startOwn(['scripts/bench/engines/stand-in.ts']));
const engines = await startEngines(String(lockerService.up));

async function startEngines(lockerUrl: string): Promise<Engine[]> {
  const all: Engine[] = [];
  const use = (engine: Engine) => {
    all.push(stack.use(engine));
    logProgress(`${engine.name} is up`);
  };
  for (const start of [startDevelopmentServer, ...(given.production > 0 ? [startProductionServer] : [])]) {
    const server = stack.use(await start(home));
    for (const kind of ['declared', 'by hand'] as const)
      use(await startTemporalEngine(kind, server, lockerUrl));
  }
  if (given.others > 0) {
    await installDependencies(join(import.meta.dirname, 'others'), logProgress);
    use(await startRestate(home, lockerUrl));
    use(await startDbos(home, lockerUrl));
  }
  return all;
}

async function usage({ folder, worker }: Engine) {
  const server = await processesOf(folder);
  return { server: await usedBy(...server.keys()), worker: await usedBy(worker.processId) };
}

async function round(engine: Engine) {
  const before = await usage(engine);
  const bookedAfter: number[] = [];
  const waits: number[] = [];
  const { perSecond } = await runConcurrently(LANES, new Array(given.flows).fill(engine), async () => {
    const played = await play(engine, `flow-${randomUUID()}`);
    bookedAfter.push(played.bookedAfter);
    waits.push(...played.waits);
  });
  const after = await usage(engine);
  const each = (part: 'server' | 'worker') =>
    (after[part].processorMs - before[part].processorMs) / given.flows;
  return { perSecond, bookedAfter, waits, server: each('server'), worker: each('worker') };
}

const all = await alternateRounds(engines, given, round);
write(`${given.rounds} rounds of ${given.flows} flows with 5 events, ${LANES} at once\n\n`);
const speeds: Record<string, string | number>[] = [];
const costs: Record<string, string | number>[] = [];
for (const [engine, rounds] of all) {
  const waits = rounds.flatMap((each) => each.waits);
  speeds.push({
    engine: engine.name,
    'flows/s': median(rounds.map(({ perSecond }) => perSecond)),
    'event to flow p50 ms': median(waits),
    'p99 ms': percentile(waits, 0.99),
    'start to booked p50 ms': median(rounds.flatMap(({ bookedAfter }) => bookedAfter)),
  });
  const { server, worker } = await usage(engine);
  costs.push({
    engine: engine.name,
    'server CPU ms/flow': median(rounds.map((each) => each.server)),
    'worker CPU ms/flow': median(rounds.map((each) => each.worker)),
    'server MB': Math.round(server.memoryBytes / 1e6),
    'worker MB': Math.round(worker.memoryBytes / 1e6),
  });
}
printTable(speeds);
write('\n');
printTable(costs);
