// What docs/scale.md is made of: what one flow costs in Temporal, in the service and of the processors. Flows run on Temporal's
// production server and Postgres, as `npm run cluster` has them.
//   npm run bench -- scale --flows 100
import { fill } from '../booking-data.ts';
import { integerOptions, logProgress, printTable } from '../measure.ts';
import { newFolder } from '../programs.ts';
import { flowCost } from './flow-cost.ts';
import { ISSUE, LOAN, startInstallation } from './installation.ts';

const { flows } = integerOptions({ flows: 100 });

await using installation = await startInstallation(await newFolder());
logProgress("Temporal's production server, the service, the receiver and a worker are up");
await fill(installation.serviceUrl, { pickUpPoints: 1, lockersEach: 500, oldShipments: 0 });
const A = await flowCost(ISSUE, installation, flows);
logProgress(`${flows} flows ${ISSUE} are over`);
const B = await flowCost(LOAN, installation, flows);
process.stdout.write(`\nOne flow, to its end; A is ${ISSUE}, B is ${LOAN}\n`);
printTable(Object.keys({ ...A, ...B }).map((figure) => ({ figure, A: A[figure] ?? 0, B: B[figure] ?? 0 })));
