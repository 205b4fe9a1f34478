// Written by hand, with the same calls, signals and updates: the floor that the flows of the same names are held to.
import { condition, defineSignal, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FlowActivities } from '../../activities/flow-activities.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { Answer } from '../../flows/language/machine/asked-question.ts';

const { book } = proxyActivities<Pick<FlowActivities, 'book'>>({ startToCloseTimeout: '1 minute' });

interface Start {
  readonly request: Record<string, unknown>;
}

export async function Issue({ request }: Start): Promise<string> {
  const issued = issuing();
  await book(bookingOf(request));
  await issued();
  return 'Done';
}

export async function CheckedIssue({ request }: Start): Promise<string> {
  let isWhole: boolean | undefined;
  const handlers = {
    validator: ({ values }: Answer) => {
      if (typeof values?.isWhole !== 'boolean') throw new TypeError('isWhole is not yes or no');
    },
  };
  setHandler(
    defineUpdate<void, [Answer]>('answer'),
    ({ values }) => {
      isWhole = values?.isWhole === true;
    },
    handlers,
  );
  const issued = issuing();
  await condition(() => isWhole !== undefined);
  await book(bookingOf(request));
  await issued();
  return 'Done';
}

/** Waits until it has heard that the shipment is with its receiver. */
function issuing(): () => Promise<void> {
  let isDone = false;
  setHandler(defineSignal<[ShipmentReport]>('shipmentStatus'), ({ stateCode }) => {
    isDone ||= stateCode === 'Completed';
  });
  return () => condition(() => isDone);
}

const bookingOf = (request: Record<string, unknown>): Parameters<FlowActivities['book']>[0] => ({
  flow: 'Issue',
  operation: 'CreateLocalShipmentAsIssue',
  input: { request },
  legs: [{ role: 'issue', isPrior: false, references: 'details', follows: null }],
  deadlines: [],
  takesOver: false,
  idempotencyKey: 'key',
  workflowId: 'minimal',
  lockerWaitEndsAt: null,
  unknownSince: null,
});
