// A worker of Temporal in a process of its own: of the declared flows, with the options and activities of our worker, or of
// the flow by hand. Not the whole of our worker: its reconciler, a listing each minute, would be no part of the flow.
import { readFile } from 'node:fs/promises';
import {
  DefaultLogger,
  type InjectedSinks,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { flowWorkerOptions } from '../../../activities/worker-options.ts';
import { readPeer } from '../../../contract/index.ts';
import { peerSettings } from '../../../contract/wire/peer.ts';
import { type BookLoan, bookLoan, lockerApi } from './booking-by-hand.ts';
import { bookedStep, reportStep, tellReached, tellReady } from './reached.ts';
import type { ReachedSinks } from './temporal-flow.ts';

const [kind = '', address = '', taskQueue = '', bundle = '', lockerUrl = ''] = process.argv.slice(2);

const api = lockerApi(lockerUrl);
const peer = readPeer(
  peerSettings.parse({ LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages' }),
);
const options =
  kind === 'declared'
    ? flowWorkerOptions({ api, peer })
    : { activities: { bookLoan: (input: BookLoan) => bookLoan(api, input) } };
const sinks: InjectedSinks<ReachedSinks> = {
  reached: {
    booked: { fn: (_info, priorShipmentUid) => tellReached(bookedStep(priorShipmentUid)) },
    reported: { fn: (_info, report) => tellReached(reportStep(report)) },
  },
};

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
});
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { code: await readFile(bundle, 'utf8') },
  sinks,
  maxCachedWorkflows: 500,
  maxConcurrentActivityTaskExecutions: 500,
  ...options,
});
const ended = worker.run();
tellReady();
await ended;
