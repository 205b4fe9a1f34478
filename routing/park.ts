// Keeps in Temporal what no flow can be found for, so that nothing that was acknowledged is ever lost.
import { createHash } from 'node:crypto';
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import { PARKED_CALLBACK } from '../contract/flows/flow-types.ts';
import type { OtherMessage, ParkedInput } from '../contract/flows/parked-callback.ts';
import { isSearchable } from './owners.ts';

export interface ParkOptions {
  readonly taskQueue: string;
  /** ISO 8601; what nobody claims within it is closed as Unclaimed. */
  readonly parkFor: string;
}

/** One workflow per shipment: a further report joins those that are parked already. */
export async function parkReport(
  client: Client,
  options: ParkOptions,
  report: ShipmentReport,
): Promise<string> {
  const { shipmentUid } = report;
  const input: ParkedInput = { kind: 'shipment', shipmentUid, parkFor: options.parkFor };
  return park(client, options, parkedId(shipmentUid), input, report);
}

/** A message of a type that nobody here has heard of is kept whole; the same one sent again is kept once. */
export async function parkMessage(
  client: Client,
  options: ParkOptions,
  message: OtherMessage,
): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(message.body)).digest('hex').slice(0, 32);
  const input: ParkedInput = { kind: 'message', messageType: message.messageType, parkFor: options.parkFor };
  return park(client, options, `parked:message:${digest}`, input, message);
}

/** Readable where it can be; a hash where the uid is too long or odd for a workflow id. */
export function parkedId(shipmentUid: string): string {
  if (isSearchable(shipmentUid)) return `parked:${shipmentUid}`;
  return `parked:sha256:${createHash('sha256').update(shipmentUid).digest('hex')}`;
}

async function park(
  client: Client,
  { taskQueue }: ParkOptions,
  workflowId: string,
  input: ParkedInput,
  kept: ShipmentReport | OtherMessage,
): Promise<string> {
  await client.workflow.signalWithStart(PARKED_CALLBACK, {
    workflowId,
    taskQueue,
    args: [input],
    signal: 'park',
    signalArgs: [kept],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary:
      input.kind === 'shipment'
        ? 'A callback that no flow was found for'
        : `A message of type ${input.messageType}`,
  });
  return workflowId;
}
