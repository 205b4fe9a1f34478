// How long it takes to play what happened to 1,000 processes through the file on which they ran: each is the same. A changed guard
// then differs for exactly those that a count of the prices finds.
//   npm run bench -- backtest --ended 1000
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import type { FlowFile } from '../../../flow-files/flow-file.ts';
import type { Backtested } from '../../../flow-files/playing/backtest.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { workflowBundle } from '../../../local/workflow-bundle.ts';
import { backtested, fileCandidate } from '../../../processes/views/backtest/backtest.ts';
import { cacheFolder } from '../../../runtime/terminal/user-cache.ts';
import { WorkerProcess } from '../engines/worker-process.ts';
import { inLanes } from '../in-lanes.ts';
import { printTable } from '../table.ts';

const { values } = parseArgs({ options: { ended: { type: 'string', default: '1000' } } });
const count = Number(values.ended);
const TASK_QUEUE = 'backtest';
const LANES = 24;
const LIMITS = { was: 100, now: 80 };

const repair = (limit: number): FlowFile =>
  ({
    ...{ name: 'BacktestedRepair', meaning: 'Repairs what is cheap enough.', initial: 'waiting' },
    states: {
      waiting: {
        after: { P1D: 'over' },
        on: {
          estimate: [{ guard: `\${event.data.price > ${limit}}`, target: 'asked' }, { target: 'over' }],
        },
      },
      asked: {
        invoke: {
          ...{ id: 'decision', src: 'ask', onDone: 'over' },
          input: { of: 'desk', question: 'Repair it?', fields: { repair: { type: 'yesNo' } } },
        },
      },
      over: { type: 'final' },
    },
  }) as unknown as FlowFile;

/** As many between the limits as anywhere else. */
const priceOf = (index: number): number => (index * 37) % 200;

await using stack = new AsyncDisposableStack();
const server = await startTemporalServer({ searchAttributes });
stack.defer(() => server.stop());
const bundle = await workflowBundle(join(cacheFolder(process.env), 'cluster'));
const args = [server.address, TASK_QUEUE, bundle];
const worker = stack.use(new WorkerProcess({ file: join(import.meta.dirname, 'worker.ts'), args }));
await worker.start();
const connection = await Connection.connect({ address: server.address });
stack.defer(() => connection.close());
const client = new Client({ connection });

await publishFiles(client, [{ path: 'repair.yaml', text: JSON.stringify(repair(LIMITS.was)) }], TASK_QUEUE);
await inLanes(LANES, count, async (index) => {
  const price = priceOf(index);
  const handle = await client.workflow.signalWithStart('BacktestedRepair', {
    ...{ taskQueue: TASK_QUEUE, workflowId: `repair-${randomUUID()}`, args: [{}] },
    ...{ signal: 'event', signalArgs: [{ type: 'estimate', data: { price } }] },
  });
  for (let isAnswered = price <= LIMITS.was; !isAnswered; )
    isAnswered = await handle
      .executeUpdate('answer', { args: [{ values: { repair: true }, by: 'anna' }] })
      .then(
        () => true,
        () => false,
      );
  await handle.result();
});
const ended = "WorkflowType = 'BacktestedRepair' AND ExecutionStatus = 'Completed'";
while ((await client.workflow.count(ended)).count < count) await new Promise((done) => setTimeout(done, 200));

const begin = performance.now();
const own = await backtested(client, fileCandidate(client, repair(LIMITS.was)), { last: count });
const seconds = (performance.now() - begin) / 1_000;
const changed = await backtested(client, fileCandidate(client, repair(LIMITS.now)), { last: count });
const of = (all: readonly Backtested[], wanted: Backtested['verdict']): number =>
  all.filter(({ verdict }) => verdict === wanted).length;
const between = Array.from({ length: count }, (_, index) => priceOf(index)).filter(
  (price) => price > LIMITS.now && price <= LIMITS.was,
).length;
if (of(own, 'same') !== count || of(changed, 'decidesOtherwise') !== between)
  throw new Error(
    `${of(own, 'same')} of ${count} are the same, ${of(changed, 'decidesOtherwise')} of ${between} differ`,
  );
printTable([
  {
    processes: count,
    'same on their own file': of(own, 'same'),
    'took, s': seconds.toFixed(1),
    'differ by the guard': between,
  },
]);
