// The same flow, its booking and five reports, on each engine, 40 at once: declared on Temporal, by hand on Temporal, on
// Restate and on DBOS. Each syncs what it promises to keep. Rounds alternate, so that whatever else the machine does falls on
// all. docs/engines.md says how each is set up, and what the figures mean.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { askedToStop } from '../../../runtime/terminal/asked-to-stop.ts';
import { median, percentile, printTable } from '../table.ts';
import { startEngines } from './all-engines.ts';
import type { Engine } from './engine.ts';
import { startLockerService } from './locker-service.ts';
import { AT_ONCE, type Round, round, usage } from './round.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, flows: { type: 'string', default: '120' } },
});
const ROUNDS = wholeNumber('rounds');
const FLOWS = wholeNumber('flows');
// What an engine writes behind a flow's end, as its place in the list of flows, comes within a second or two.
const SETTLED_AFTER_MS = 3_000;

function wholeNumber(option: keyof typeof values): number {
  const value = Number(values[option]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${option} ${values[option]}: expected a whole number above 0`);
}

const begunAt = performance.now();
const say = (line: string) =>
  process.stderr.write(`${Math.round((performance.now() - begunAt) / 1_000)} s: ${line}\n`);
const load = () =>
  loadavg()
    .slice(0, 1)
    .map((each) => each.toFixed(1));

async function measuredRounds(engines: readonly Engine[]): Promise<Map<Engine, Round[]>> {
  for (const engine of engines) await round(engine, Math.min(AT_ONCE, FLOWS));
  say('every engine has warmed up');
  const rounds = new Map<Engine, Round[]>(engines.map((engine) => [engine, []]));
  for (let count = 1; count <= ROUNDS; count++) {
    for (const engine of engines) rounds.get(engine)?.push(await round(engine, FLOWS));
    say(`round ${count} of ${ROUNDS} is over; load ${load()}`);
  }
  return rounds;
}

/** One after the other: two of the engines share each server of Temporal. */
async function keptOfEach(engines: readonly Engine[]): Promise<Map<Engine, number>> {
  const kept = new Map<Engine, number>();
  for (const engine of engines) {
    const before = await engine.storedBytes();
    await round(engine, FLOWS);
    await delay(SETTLED_AFTER_MS);
    kept.set(engine, ((await engine.storedBytes()) - before) / FLOWS);
  }
  return kept;
}

function printSpeed(rounds: Map<Engine, Round[]>): void {
  printTable(
    [...rounds].map(([{ name }, all]) => {
      const waits = all.flatMap((each) => each.waits);
      const booked = all.flatMap(({ bookedAfter }) => bookedAfter);
      return {
        engine: name,
        'flows/s': median(all.map(({ perSecond }) => perSecond)).toFixed(1),
        'event to flow p50 ms': median(waits).toFixed(1),
        'p99 ms': percentile(waits, 0.99).toFixed(1),
        'start to booked p50 ms': median(booked).toFixed(1),
        'each round, flows/s': all.map(({ perSecond }) => perSecond.toFixed(1)).join(' '),
      };
    }),
  );
}

async function printCost(rounds: Map<Engine, Round[]>, kept: Map<Engine, number>): Promise<void> {
  const rows = [...rounds].map(async ([engine, all]) => {
    const { server, worker } = await usage(engine);
    const megaBytes = (bytes: number) => Math.round(bytes / 1_000_000);
    return {
      engine: engine.name,
      'server CPU ms/flow': median(all.map(({ server: each }) => each)).toFixed(1),
      'worker CPU ms/flow': median(all.map(({ worker: each }) => each)).toFixed(1),
      'kB kept/flow': ((kept.get(engine) ?? Number.NaN) / 1_000).toFixed(1),
      'server MB': megaBytes(server.memoryBytes),
      'worker MB': megaBytes(worker.memoryBytes),
    };
  });
  printTable(await Promise.all(rows));
}

async function measured(stack: AsyncDisposableStack): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  const { url: lockerUrl } = stack.use(await startLockerService());
  const engines = await startEngines({ home, lockerUrl, stack, say });
  const rounds = await measuredRounds(engines);
  const kept = await keptOfEach(engines);
  process.stdout.write(`${ROUNDS} rounds of ${FLOWS} flows with 5 events, ${AT_ONCE} at once\n\n`);
  printSpeed(rounds);
  process.stdout.write('\n');
  await printCost(rounds, kept);
}

const stopped = askedToStop('SIGHUP').then((signal) => {
  throw new Error(`stopped by ${signal}`);
});
const stack = new AsyncDisposableStack();
try {
  await Promise.race([measured(stack), stopped]);
} catch (error) {
  // The calls of flows that are cut off here fail in any way that they can.
  process.on('uncaughtException', () => undefined);
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await stack.disposeAsync();
}
// Flows that were under way when it was stopped wait for ever.
process.exit();
