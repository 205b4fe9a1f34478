// A worker in a process of its own, so that its processor time and memory are its own: runs the workflows of the file that
// it is given, with a booking that answers at once. Asked over IPC what it has used so far.
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import type { Booked, BookInput } from '../activities/flow-activities.ts';
import { bundleWorkflows } from '../worker/workflow-bundle.ts';

const [workflowsPath = '', taskQueue = '', address = ''] = process.argv.slice(2);
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
});

/** Milliseconds from the client's start to the booking, of each flow. */
let bookedAfter: number[] = [];

async function book({ input }: BookInput): Promise<Booked> {
  const { startedAt, shipmentUid } = input.request as { startedAt: number; shipmentUid: string };
  bookedAfter.push(Date.now() - startedAt);
  const answeredAt = new Date().toISOString();
  const shipment = {
    shipmentUid,
    role: 'issue' as const,
    stateCode: 'ReadyForDropoff',
    stateStart: answeredAt,
  };
  return {
    shipments: [{ ...shipment, pupUid: 'pup-central', lockerName: '7' }],
    answeredAt,
    caseNo: null,
    pupUid: 'pup-central',
    references: [],
  };
}

const code = await bundleWorkflows({ workflowsPath, preloadModules: [workflowsPath] });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { code },
  activities: { book, parkReports: async () => undefined },
  maxCachedWorkflows: 1_000,
});

export interface Used {
  readonly bundleBytes: number;
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly bookedAfter: readonly number[];
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const residentBytes = process.memoryUsage().rss;
  const used: Used = {
    bundleBytes: Buffer.byteLength(code),
    cpuMs: (user + system) / 1_000,
    residentBytes,
    bookedAfter,
  };
  bookedAfter = [];
  process.send?.(used);
});
process.on('disconnect', () => worker.shutdown());
const ended = worker.run();
process.send?.('ready');
await ended;
await connection.close();
