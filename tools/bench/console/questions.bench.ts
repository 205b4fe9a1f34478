// What it costs to ask open processes where they stand, by whose processor: a question, a look at how long a history is, and a page
// of 200 rows when nothing is known of them and when nothing has happened since. In milliseconds for each process.
import { Client, Connection } from '@temporalio/client';
import { eachAtOnce } from '../../../processes/at-once.ts';
import type { AtTemporal } from '../../../processes/at-temporal.ts';
import { placeOf } from '../../../processes/kept-answers.ts';
import { ProcessSummaries } from '../../../processes/views/summaries.ts';
import { printTable } from '../table.ts';
import { ROWS_ON_A_PAGE, startConsoleInstallation } from './console-installation.ts';

const ROUNDS = 5;

await using installation = await startConsoleInstallation(ROWS_ON_A_PAGE);
const { booked, temporalAddress, processorMs } = installation;
const connection = await Connection.connect({ address: temporalAddress });
const client = new Client({ connection });
const { workflowService } = client;
const { namespace } = client.options;
const processes = await Promise.all(
  booked.map(async ([key]) => ({ key, runId: (await client.workflow.getHandle(key).describe()).runId })),
);
type Process = (typeof processes)[number];

const used = async () => {
  const { user, system } = process.cpuUsage();
  return { ...(await processorMs()), reader: (user + system) / 1_000 };
};

async function costOf(what: string, ask: (of: Process) => Promise<unknown>, rounds = ROUNDS) {
  const before = await used();
  for (let round = 0; round < rounds; round++)
    for await (const { outcome } of eachAtOnce(processes, ask)) if (!outcome.done) throw outcome.error;
  const after = await used();
  const ms = (who: keyof typeof after) =>
    ((after[who] - before[who]) / (rounds * processes.length)).toFixed(2);
  return { what, worker: ms('worker'), Temporal: ms('temporal'), reader: ms('reader') };
}

const summaries = new ProcessSummaries({ client } as unknown as AtTemporal, () => undefined);
const row = (of: Process) => summaries.behind(of);
const rows = [
  await costOf('a row of which nothing is known', row, 1),
  await costOf('a row, while nothing happens', row),
  await costOf('a question', ({ key }) => client.workflow.getHandle(key).query('progress')),
  await costOf('how long is its history?', ({ key, runId }) => placeOf({ client }, key, runId)),
  await costOf('its history', ({ key: workflowId, runId }) =>
    workflowService.getWorkflowExecutionHistory({ namespace, execution: { workflowId, runId } }),
  ),
];
summaries.stop();
await connection.close();
printTable(rows);
