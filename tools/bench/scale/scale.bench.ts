// What docs/scale.md is made of: what one flow costs in Temporal, in the service and of the processors; what many open flows
// take, and whether they make the next one slower. Flows run on Temporal's production server and
// Postgres, as `npm run cluster` has them. 0 leaves a part out.
//   npm run bench -- scale --flows 100 --open 2000
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fill } from '../booking-data.ts';
import { printTable } from '../table.ts';
import { ISSUE, LOAN } from '../whole-flows/play.ts';
import { flowCost } from './flow-cost.ts';
import { LOCKERS_EACH, openFlows } from './open-flows.ts';
import { startSurroundings } from './surroundings.ts';

const { values } = parseArgs({
  options: {
    flows: { type: 'string', default: '100' },
    open: { type: 'string', default: '2000' },
    cached: { type: 'string', default: '500' },
  },
});
const [flows, open, cached] = (['flows', 'open', 'cached'] as const).map(wholeNumber) as [
  number,
  number,
  number,
];

function wholeNumber(option: keyof typeof values): number {
  const value = Number(values[option]);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`--${option} ${values[option]}: expected a whole number, 0 or more`);
}

const begunAt = performance.now();
const say = (line: string) =>
  process.stderr.write(
    `${Math.round((performance.now() - begunAt) / 1_000)} s: ${line} (load ${loadavg()[0]?.toFixed(1)})\n`,
  );

function print(title: string, columns: Readonly<Record<string, Readonly<Record<string, number>>>>): void {
  process.stdout.write(`\n${title}\n`);
  const names = new Set(Object.values(columns).flatMap((column) => Object.keys(column)));
  const rounded = (value = Number.NaN) => (Math.abs(value) < 100 ? value.toFixed(1) : value.toFixed(0));
  printTable(
    [...names].map((name) => ({
      figure: name,
      // Blank where there is no such figure.
      ...Object.fromEntries(
        Object.entries(columns).map(([column, all]) => [
          `${column} `,
          name in all && !Number.isNaN(all[name]) ? rounded(all[name]) : '',
        ]),
      ),
    })),
  );
}

async function withFlows(home: string): Promise<void> {
  await using around = await startSurroundings({ home, cachedWorkflows: cached, say });
  say("Temporal's production server, the service, the receiver and a worker are up");
  const pickUpPoints = 1 + Math.ceil(open / LOCKERS_EACH);
  await fill(around.serviceUrl, { pickUpPoints, lockersEach: LOCKERS_EACH, oldShipments: 0 });
  if (flows > 0) {
    const issue = await flowCost(ISSUE, around, flows);
    say(`${flows} flows ${ISSUE} are over`);
    const loan = await flowCost(LOAN, around, flows);
    say(`${flows} flows ${LOAN} are over`);
    print(`One flow, to its end; A is ${ISSUE}, B is ${LOAN}`, { A: issue, B: loan });
  }
  if (open > 0)
    print(`Open flows ${ISSUE}; the worker keeps ${cached} in memory`, await openFlows(around, open, say));
}

const home = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
try {
  await withFlows(join(home, 'flows'));
} finally {
  await rm(home, { recursive: true, force: true });
}
