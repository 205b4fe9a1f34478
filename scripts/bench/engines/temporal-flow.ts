// The flow by hand on Temporal: plain workflow code with a signal, as Temporal's documentation of message passing writes it.
import {
  condition,
  defineSignal,
  proxyActivities,
  proxySinks,
  type Sinks,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowResult } from '../../../contract/flows/flow-answers.ts';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import type { BookLoan } from './by-hand.ts';
import {
  advanced,
  bookedStep,
  isDone,
  type LoanRequest,
  REPORTS,
  reportStep,
  resultOf,
  type Shipments,
} from './full-circle.ts';

export interface ReachedSinks extends Sinks {
  progress: { reached(step: string): void };
}

const { bookLoan } = proxyActivities<{ bookLoan(input: BookLoan): Promise<Shipments> }>({
  startToCloseTimeout: '1 minute',
});
const { progress } = proxySinks<ReachedSinks>();
const shipmentStatus = defineSignal<[ShipmentReport]>(REPORTS);

export async function fullCircle({ request }: { request: LoanRequest }): Promise<FlowResult> {
  const reports: ShipmentReport[] = [];
  setHandler(shipmentStatus, (report) => void reports.push(report));
  let shipments = await bookLoan({ flowId: workflowInfo().workflowId, request });
  progress.reached(bookedStep(request));
  while (!isDone(shipments)) {
    await condition(() => reports.length > 0);
    for (const report of reports.splice(0)) {
      shipments = advanced(shipments, report);
      progress.reached(reportStep(report));
    }
  }
  return resultOf(shipments);
}
