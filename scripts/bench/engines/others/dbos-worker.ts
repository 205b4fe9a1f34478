// The flow by hand on DBOS, in a process of its own: a workflow that books in a step and receives messages, and the HTTP
// server of the same program that starts it and sends to it, as DBOS's checkout tutorial writes it.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { DBOS, type WorkflowHandle } from '@dbos-inc/dbos-sdk';
import type { ShipmentReport } from '../../../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../../../contract/flows/flow-result.ts';
import { tellReached } from '../../reached.ts';
import { bookLoan, lockerApi } from '../by-hand.ts';
import { advanced, awaited, bookedStep, type LoanRequest, REPORTS, resultOf } from '../full-circle.ts';

const [port = '', lockerUrl = '', systemDatabaseUrl = ''] = process.argv.slice(2);
const api = lockerApi(lockerUrl);

// Each wait has a time-out; without one given, DBOS waits for a minute.
const REPORT_WITHIN_SECONDS = 14 * 86_400;

async function loan(flowId: string, request: LoanRequest): Promise<FlowResult> {
  let shipments = await DBOS.runStep(() => bookLoan(api, { flowId, request }), {
    name: 'book',
    retriesAllowed: true,
  });
  tellReached(bookedStep(request));
  for (const step of awaited(shipments)) {
    const report = await DBOS.recv<ShipmentReport>(REPORTS, REPORT_WITHIN_SECONDS);
    if (report === null) throw new Error('no report came in time');
    shipments = advanced(shipments, report);
    tellReached(step);
  }
  return resultOf(shipments);
}
const fullCircle = DBOS.registerWorkflow(loan, { name: 'fullCircle' });

/** The runs that this process has started. */
const handles = new Map<string, WorkflowHandle<FlowResult>>();

const routes: Readonly<Record<string, (flowId: string, body: unknown) => Promise<unknown>>> = {
  async start(flowId, body) {
    const start = DBOS.startWorkflow(fullCircle, { workflowID: flowId });
    handles.set(flowId, await start(flowId, body as LoanRequest));
  },
  [REPORTS]: (flowId, body) => DBOS.send(flowId, body as ShipmentReport, REPORTS),
  async result(flowId) {
    const handle = handles.get(flowId) ?? DBOS.retrieveWorkflow<FlowResult>(flowId);
    handles.delete(flowId);
    return await handle.getResult();
  },
};

DBOS.setConfig({ name: 'full-circle', systemDatabaseUrl, logLevel: 'error' });
await DBOS.launch();
const server = createServer((request, response) => {
  const [, route = '', flowId = ''] = (request.url ?? '').split('/').map(decodeURIComponent);
  json(request)
    .then((body) => routes[route]?.(flowId, body))
    .then(
      (answer) => response.end(JSON.stringify(answer ?? null)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
