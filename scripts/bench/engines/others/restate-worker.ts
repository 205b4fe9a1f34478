// The flow by hand on Restate, in a process of its own: a workflow that books in a durable step and waits for durable
// promises, which a second handler resolves, as Restate's documentation of external events writes it.
import { createServer } from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import type { ShipmentReport } from '../../../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../../../contract/flows/flow-result.ts';
import { tellReached } from '../../reached.ts';
import { bookLoan, lockerApi } from '../by-hand.ts';
import {
  advanced,
  awaited,
  bookedStep,
  type LoanRequest,
  REPORTS,
  reportStep,
  resultOf,
} from '../full-circle.ts';

const [port = '', lockerUrl = ''] = process.argv.slice(2);
const api = lockerApi(lockerUrl);

const fullCircle = restate.workflow({
  name: 'fullCircle',
  handlers: {
    run: async (ctx: restate.WorkflowContext, request: LoanRequest): Promise<FlowResult> => {
      let shipments = await ctx.run('book', () => bookLoan(api, { flowId: ctx.key, request }));
      tellReached(bookedStep(request));
      for (const step of awaited(shipments)) {
        shipments = advanced(shipments, await ctx.promise<ShipmentReport>(step));
        tellReached(step);
      }
      return resultOf(shipments);
    },
    [REPORTS]: async (ctx: restate.WorkflowSharedContext, report: ShipmentReport): Promise<void> => {
      await ctx.promise<ShipmentReport>(reportStep(report)).resolve(report);
    },
  },
});

const endpoint = restate.createEndpointHandler({ services: [fullCircle] });
createServer(endpoint).listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
