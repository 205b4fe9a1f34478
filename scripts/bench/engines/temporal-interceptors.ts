// Tells from a declared flow what the flows by hand tell from their code: that it has its booking, and each report.
import { proxySinks, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import type { BookInput } from '../../../activities/flow-activities.ts';
import type { ShipmentReport } from '../../../contract/flows/flow-messages.ts';
import { bookedStep, REPORTS, reportStep } from './full-circle.ts';
import type { ReachedSinks } from './temporal-flow.ts';

const { progress } = proxySinks<ReachedSinks>();

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
