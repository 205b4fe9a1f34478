// A worker of Temporal in a process of its own, so that its processor time and memory are its own: of Issue and of a flow file,
// with a booking that is answered at once; of the declared flows, with the options and activities of our worker; or of the flow by
// hand. Not the whole of our worker: its reconciler, a listing each minute, would be no part of a flow.
import { readFile } from 'node:fs/promises';
import { DefaultLogger, type InjectedSinks, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { readServiceProfile } from '../../contract/index.ts';
import { serviceProfileSettings } from '../../contract/wire/service-profile.ts';
import type { Booked, BookInput } from '../../flows/booking/activities.ts';
import { flowWorkerOptions } from '../../worker/flow-worker-options.ts';
import { checkedIssue } from './checked-issue.ts';
import { type BookLoan, bookLoan, lockerApi } from './engines/by-hand.ts';
import type { ReachedSinks } from './engines/temporal-flow.ts';
import { tellReached } from './reached.ts';

const [kind = '', address = '', taskQueue = '', bundle = '', lockerUrl = ''] = process.argv.slice(2);

async function bookAtOnce({ input }: BookInput): Promise<Booked> {
  const shipmentUid = String(input.request.shipmentUid);
  tellReached(shipmentUid);
  const answeredAt = new Date().toISOString();
  const shipment = {
    shipmentUid,
    role: 'issue' as const,
    stateCode: 'ReadyForDropoff',
    stateStart: answeredAt,
    pupUid: 'pup-central',
    lockerName: '7',
  };
  return { shipments: [shipment], answeredAt, caseNo: null, pupUid: 'pup-central', references: [] };
}

const serviceProfile = readServiceProfile(
  serviceProfileSettings.parse({
    LOCKER_CAPABILITIES: 'getShipments,idempotencyKey,accessCodes,accessMessages',
  }),
);
const kinds = {
  issue: () => ({
    activities: {
      book: bookAtOnce,
      keepReports: async () => undefined,
      fetchFlowDefinition: async () => checkedIssue,
    },
  }),
  declared: () => flowWorkerOptions({ api: lockerApi(lockerUrl), serviceProfile }),
  'by hand': () => {
    const api = lockerApi(lockerUrl);
    return { activities: { bookLoan: (input: BookLoan) => bookLoan(api, input) } };
  },
};
export type WorkerKind = keyof typeof kinds;

const sinks: InjectedSinks<ReachedSinks> = {
  progress: { reached: { fn: (_info, step) => tellReached(step) } },
};
Runtime.install({ logger: new DefaultLogger('ERROR') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  sinks,
  workflowBundle: { code: await readFile(bundle, 'utf8') },
  // More than any benchmark opens: one that is evicted would lower what a cached one takes.
  maxCachedWorkflows: 5_000,
  maxConcurrentActivityTaskExecutions: 500,
  ...kinds[kind as WorkerKind](),
});
const ended = worker.run();
process.send?.('ready');
await ended;
