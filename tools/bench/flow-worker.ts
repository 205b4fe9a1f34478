// The measured worker of flows, with a booking that answers at once.
import type { Booked, BookInput } from '../../activities/flow-activities.ts';
import { measuredWorker, type Used } from './measured-worker.ts';

export interface UsedByFlows extends Used {
  readonly bookedAfter: readonly number[];
}

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

const activities = { book, parkReports: async () => undefined };
await measuredWorker({ activities, maxCachedWorkflows: 1_000 }, () => {
  const taken = bookedAfter;
  bookedAfter = [];
  return { bookedAfter: taken } satisfies Omit<UsedByFlows, keyof Used>;
});
