// npm run simulate: many seeds for a while, or one seed step by step. Time and chance of the whole program are simulated, so
// nothing else may run in it.

import { parseArgs } from 'node:util';
import { macrotask, realMilliseconds } from './kernel/globals.ts';

const HELP = `Usage: npm run simulate -- [options]

Runs the whole of lockerflow in one process, with faults, all chosen by a seed.

  --minutes N     how long to try seeds (1)
  --hours N       the same in hours
  --seeds N       so many seeds, however long it takes
  --from N        the first seed (1)
  --seed S        one seed
  --stored        the seeds that have failed once (test/simulation/stored-seeds.ts)
  --to STEP       stops after that step
  --only NAMES    with --seed: only these faults happen, as a failure names them
  --trace         prints what happens
  --planted NAME  with a defect that the simulation must find (test/simulation/planted/defects.ts)
  --brief         says of a violation only which invariant it breaks

Examples:
  npm run simulate
  npm run simulate -- --seed 42 --to 1873 --trace`;

const { values: options } = parseArgs({
  options: {
    ...{ minutes: { type: 'string' }, hours: { type: 'string' }, seeds: { type: 'string' } },
    ...{ from: { type: 'string' }, seed: { type: 'string' }, to: { type: 'string' } },
    ...{
      only: { type: 'string' },
      planted: { type: 'string' },
      brief: { type: 'boolean' },
      stored: { type: 'boolean' },
      trace: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  },
});

function number(name: 'minutes' | 'hours' | 'seeds' | 'from' | 'to'): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`--${name} is ${JSON.stringify(given)}, expected a number\n`);
  process.exit(2);
}

// Before anything of the product is loaded.
if (options.planted !== undefined) (await import('./planted/plant.ts')).plant(options.planted);
const { Simulation } = await import('./world/simulation.ts');
const { invariantOf, shrunk } = await import('./shrink.ts');
const { storedSeeds } = await import('./stored-seeds.ts');
const { failureReport, timeline, Totals } = await import('./timeline.ts');
type RunOptions = NonNullable<ConstructorParameters<typeof Simulation>[1]>;

const say = (text: string) => process.stdout.write(`${text}\n`);
const run = (seed: string, given: RunOptions) => new Simulation(seed, given).run();

if (options.help) say(HELP);
else if (options.stored) process.exitCode = await stored();
else process.exitCode = options.seed === undefined ? await many() : await one(options.seed);

async function stored(): Promise<number> {
  let failed = 0;
  for (const { seed, found } of storedSeeds) {
    const outcome = await macrotask(() => run(seed, {}));
    say(`seed ${seed}: ${outcome.violation?.message ?? 'no violation'} (${found})`);
    failed += outcome.violation ? 1 : 0;
  }
  return failed > 0 ? 1 : 0;
}

async function one(seed: string): Promise<number> {
  const outcome = await macrotask(() =>
    run(seed, {
      keepsTrace: options.trace === true,
      toStep: number('to'),
      onlyFaults: options.only === undefined ? undefined : new Set(options.only.split(',').filter(Boolean)),
    }),
  );
  if (options.trace) say(timeline(outcome, Number.POSITIVE_INFINITY));
  const { steps, flows, digest, faults, violation } = outcome;
  say(`seed ${seed}: ${steps} steps, ${flows} flows, ${faults.length} faults, trace ${digest}`);
  say(violation ? `VIOLATION ${violation.stack ?? violation.message}` : 'no violation');
  return violation ? 1 : 0;
}

async function many(): Promise<number> {
  const totals = new Totals();
  const began = realMilliseconds();
  const seconds = () => (realMilliseconds() - began) / 1_000;
  const seeds = number('seeds') ?? Number.POSITIVE_INFINITY;
  const hours = number('hours');
  const limit = Number.isFinite(seeds)
    ? Number.POSITIVE_INFINITY
    : (hours ? hours * 60 : (number('minutes') ?? 1)) * 60;
  const first = number('from') ?? 1;
  for (let seed = first; seed < first + seeds && seconds() < limit; seed++) {
    const outcome = await macrotask(() => run(String(seed), {}));
    totals.add(outcome);
    if (!outcome.violation) continue;
    if (options.brief) {
      say(`FOUND after ${seconds().toFixed(1)} s seed ${seed}: ${invariantOf(outcome)}`);
      return 1;
    }
    const smallest = await macrotask(() =>
      shrunk((given) => run(String(seed), given), run(String(seed), { keepsTrace: true })),
    );
    say(failureReport(smallest, outcome));
    say(totals.report(seconds()));
    return 1;
  }
  say(totals.report(seconds()));
  say('No violation.');
  return 0;
}
