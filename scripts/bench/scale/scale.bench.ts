// What docs/scale.md is made of: what one flow costs in Temporal, in the service and of the processors; what many open flows
// take, and whether they make the next one slower. Flows run on Temporal's production server and Postgres, as
// `npm run cluster` has them. 0 leaves a part out.
//   npm run bench -- scale --flows 100 --open 2000
import { fill } from '../booking-data.ts';
import { integerOptions, logProgress, printTable } from '../measure.ts';
import { newFolder } from '../programs.ts';
import { flowCost } from './flow-cost.ts';
import { ISSUE, LOAN, startInstallation } from './installation.ts';
import { LOCKERS_EACH, openFlows } from './open-flows.ts';

const { flows, open, cached } = integerOptions({ flows: 100, open: 2_000, cached: 500 });

function print(title: string, columns: Readonly<Record<string, Readonly<Record<string, number>>>>): void {
  process.stdout.write(`\n${title}\n`);
  const names = new Set(Object.values(columns).flatMap((column) => Object.keys(column)));
  const entries = Object.entries(columns);
  printTable(
    [...names].map((name) => ({
      figure: name,
      // The blank keeps numbers as names in their order.
      ...Object.fromEntries(entries.map(([column, all]) => [`${column} `, all[name] ?? Number.NaN])),
    })),
  );
}

await using installation = await startInstallation(await newFolder(), cached);
logProgress("Temporal's production server, the service, the receiver and a worker are up");
const pickUpPoints = 1 + Math.ceil(open / LOCKERS_EACH);
await fill(installation.serviceUrl, { pickUpPoints, lockersEach: LOCKERS_EACH, oldShipments: 0 });
if (flows > 0) {
  const A = await flowCost(ISSUE, installation, flows);
  logProgress(`${flows} flows ${ISSUE} are over`);
  const B = await flowCost(LOAN, installation, flows);
  print(`One flow, to its end; A is ${ISSUE}, B is ${LOAN}`, { A, B });
}
if (open > 0)
  print(
    `Open flows ${ISSUE}; the worker keeps ${cached} in memory`,
    await openFlows(installation, open, cached),
  );
