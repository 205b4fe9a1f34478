// Keeps callbacks without a flow in Temporal, so that no acknowledged callback is ever lost.

import { createHash } from 'node:crypto';
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { PARKED_CALLBACK } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type { OtherMessage, ParkedCallback, ParkedInput } from '../../contract/flows/parked-callback.ts';
import { shownAsText } from '../markdown/shown-as-text.ts';
import { isSearchable } from './owners.ts';

export interface ParkOptions {
  readonly taskQueue: string;
  /** ISO 8601; a callback that no person claims in this time is closed as Unclaimed. */
  readonly parkFor: string;
}

/** One workflow for each shipment: a further report joins the parked ones. */
export async function parkReport(
  client: Client,
  options: ParkOptions,
  report: ShipmentReport,
  timesBefore = 0,
): Promise<string> {
  const { shipmentUid } = report;
  const input: ParkedInput = { kind: 'shipment', shipmentUid, parkFor: options.parkFor };
  return park(client, options, parkedId(shipmentUid), input, report, timesBefore);
}

/**
 * One workflow per type: a message of a type that lockerflow does not know joins the others of its type. Installations
 * that share a namespace have workflows of their own.
 */
export async function parkMessage(
  client: Client,
  options: ParkOptions,
  message: OtherMessage,
  { timesBefore = 0, among = message.messageType } = {},
): Promise<string> {
  const input: ParkedInput = { kind: 'message', messageType: among, parkFor: options.parkFor };
  const workflowId = `${internalIds.parked}message:${readable(`${options.taskQueue}:${among}`)}`;
  return park(client, options, workflowId, input, message, timesBefore);
}

export function parkedId(shipmentUid: string): string {
  const isTaken = /^(message|sha256):/.test(shipmentUid);
  return `${internalIds.parked}${isTaken ? hashed(shipmentUid) : readable(shipmentUid)}`;
}

/** The text itself if possible; a hash if it is too long or odd for a workflow id. */
export const readable = (text: string): string =>
  isSearchable(text) && !/\p{Cc}/u.test(text) ? text : hashed(text);

const hashed = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

async function park(
  client: Client,
  { taskQueue }: ParkOptions,
  workflowId: string,
  input: ParkedInput,
  callback: ParkedCallback,
  timesBefore: number,
): Promise<string> {
  await client.workflow.signalWithStart(PARKED_CALLBACK, {
    workflowId,
    taskQueue,
    args: [input],
    signal: 'park',
    signalArgs: [callback, timesBefore],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary:
      input.kind === 'shipment'
        ? 'A callback that no flow was found for'
        : `Messages of type ${shownAsText(input.messageType)}`,
  });
  return workflowId;
}
