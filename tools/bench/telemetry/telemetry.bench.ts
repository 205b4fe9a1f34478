// What telemetry costs: whole flows through service, receiver and worker with telemetry absent, off, and on. On is traces to a
// collector that reads them, and metrics that are scraped. Rounds alternate, so that whatever else the machine does falls on
// all. Goals: at least 0.99 of the flows per second without any telemetry while it is off, 0.90 while it is on. It exits with
// 1 when one is missed. Processor time for each flow says the same with less noise: of the three processes, without the
// collector, Temporal and Postgres.
//   npm run bench -- telemetry --rounds 24
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { startPostgres } from '../../../local/postgres/postgres.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { bundleWorkflows } from '../../../worker/workflow-bundle.ts';
import { inLanes } from '../in-lanes.ts';
import { median, printTable } from '../table.ts';
import { type Arm, startArm, type Telemetry, telemetry } from './arm.ts';
import { startCollector } from './collecting.ts';
import { verdictOn } from './verdict.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '12' }, flows: { type: 'string', default: '60' } },
});
const ROUNDS = wholeNumber('rounds');
const FLOWS = wholeNumber('flows');
/** Left out: until then Node has not compiled what it runs. */
const WARM_UP_ROUNDS = 2;
/** Fewer than the lockers. */
const AT_ONCE = 8;
const GOALS = { off: 0.99, on: 0.9 } as const;

function wholeNumber(option: keyof typeof values): number {
  const value = Number(values[option]);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${option} ${values[option]}: expected a whole number above 0`);
}

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
}

const begunAt = performance.now();
const say = (line: string) =>
  process.stderr.write(`${Math.round((performance.now() - begunAt) / 1_000)} s: ${line}\n`);

async function round(arm: Arm): Promise<Round> {
  const before = await arm.busy();
  const startedAt = performance.now();
  await inLanes(AT_ONCE, FLOWS, () => arm.play());
  const seconds = (performance.now() - startedAt) / 1_000;
  await arm.scrape();
  return { perSecond: FLOWS / seconds, cpuMs: ((await arm.busy()) - before) / FLOWS };
}

async function bundlesIn(folder: string) {
  const bundles = { traced: join(folder, 'traced.js'), plain: join(folder, 'plain.js') };
  await writeFile(bundles.traced, await bundleWorkflows());
  await writeFile(bundles.plain, await bundleWorkflows({ isTraced: false }));
  return bundles;
}

async function played(arms: readonly Arm[]): Promise<Map<Telemetry, Round[]>> {
  const rounds = new Map<Telemetry, Round[]>(arms.map((arm) => [arm.telemetry, []]));
  for (let count = 0; count < WARM_UP_ROUNDS + ROUNDS; count++) {
    // Each goes first in turn: what one leaves to be done falls to the next.
    for (const index of arms.keys()) {
      const arm = arms[(index + count) % arms.length];
      if (!arm) continue;
      const measured = await round(arm);
      if (count >= WARM_UP_ROUNDS) rounds.get(arm.telemetry)?.push(measured);
    }
    say(count < WARM_UP_ROUNDS ? 'a round to warm up is over' : `round ${count - 1} of ${ROUNDS} is over`);
  }
  return rounds;
}

const range = ([from, to]: readonly [number, number]) => `${from.toFixed(3)}–${to.toFixed(3)}`;

function report(rounds: Map<Telemetry, Round[]>): void {
  const of = (name: Telemetry) => rounds.get(name) ?? [];
  const shares = (name: Telemetry, figure: keyof Round) =>
    of(name).map((each, index) => each[figure] / (of('absent')[index]?.[figure] ?? Number.NaN));
  const medianOf = (name: Telemetry, figure: keyof Round) =>
    median(of(name).map((each) => each[figure])).toFixed(1);
  printTable(
    telemetry.map((name) => {
      const speed = verdictOn(shares(name, 'perSecond'), 0);
      const busy = verdictOn(shares(name, 'cpuMs'), 0);
      return {
        telemetry: name,
        'flows/s': medianOf(name, 'perSecond'),
        'of absent': speed.share.toFixed(3),
        'half of the rounds': range(speed.half),
        '95 % sure': range(speed.sure),
        'CPU ms/flow': medianOf(name, 'cpuMs'),
        'CPU of absent': busy.share.toFixed(3),
        'CPU 95 % sure': range(busy.sure),
      };
    }),
  );
  for (const [name, goal] of Object.entries(GOALS)) {
    const { share, isMet, isSure } = verdictOn(shares(name as Telemetry, 'perSecond'), goal);
    const cost = `${name}: ${share.toFixed(3)} of the flows per second without telemetry, goal at least ${goal}`;
    const more = isSure ? '' : '; not sure: play more rounds (--rounds), on a quiet machine';
    process.stdout.write(`${cost}: ${isMet ? 'met' : 'MISSED'}${more}\n`);
    if (!isMet) process.exitCode = 1;
  }
}

await using stack = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
stack.defer(() => rm(folder, { recursive: true, force: true }));
const postgres = stack.adopt(await startPostgres({ folder, port: 0 }), ({ stop }) => stop());
const server = await startTemporalServer({ databaseFile: join(folder, 'temporal.sqlite'), searchAttributes });
stack.defer(() => server.stop());
const collector = stack.use(await startCollector());
const around = {
  postgresUrl: postgres.url,
  temporalAddress: server.address,
  collectorUrl: collector.url,
  bundles: await bundlesIn(folder),
};
const arms: Arm[] = [];
for (const name of telemetry) arms.push(stack.use(await startArm(name, around, name)));
say('service, receiver and worker are up, three times');
report(await played(arms));
const { spans, bytes } = await collector.collected();
const flows = FLOWS * (ROUNDS + WARM_UP_ROUNDS);
const all = Object.values(spans).reduce((sum, count) => sum + count, 0);
process.stdout.write(
  `on: ${(all / flows).toFixed(0)} spans and ${(bytes / flows / 1_000).toFixed(1)} kB to the collector for each flow\n`,
);
