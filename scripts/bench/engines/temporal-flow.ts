// The flow by hand on Temporal: plain workflow code with a signal, as Temporal's documentation of message passing writes it. And
// what tells of a declared flow what the flows by hand tell from their code: that it has its booking, and each report.
import {
  condition,
  defineSignal,
  proxyActivities,
  proxySinks,
  type Sinks,
  setHandler,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../../contract/flows/flow-result.ts';
import type { BookInput } from '../../../flows/booking/activities.ts';
import type { BookLoan } from './by-hand.ts';
import {
  advanced,
  awaited,
  bookedStep,
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
  const reports = new Map<string, ShipmentReport>();
  setHandler(shipmentStatus, (report) => void reports.set(reportStep(report), report));
  let shipments = await bookLoan({ flowId: workflowInfo().workflowId, request });
  progress.reached(bookedStep(request));
  for (const step of awaited(shipments)) {
    await condition(() => reports.has(step));
    shipments = advanced(shipments, reports.get(step));
    progress.reached(step);
  }
  return resultOf(shipments);
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      async handleSignal(input, next) {
        await next(input);
        // The flow takes it from its inbox in the same activation; the worker is told after that.
        if (input.signalName === REPORTS) progress.reached(reportStep(input.args[0] as ShipmentReport));
      },
    },
  ],
  outbound: [
    {
      async scheduleActivity(input, next) {
        const result = await next(input);
        const [booking] = input.args as [Partial<BookInput>];
        const { priorShipmentUid } = booking.input?.request ?? {};
        if (input.activityType === 'book' && typeof priorShipmentUid === 'string')
          progress.reached(bookedStep({ priorShipmentUid }));
        return result;
      },
    },
  ],
});
