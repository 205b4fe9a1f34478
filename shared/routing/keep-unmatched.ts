// Keeps callbacks without a flow in Temporal, so that no acknowledged callback is ever lost.

import { createHash } from 'node:crypto';
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { UNMATCHED_CALLBACK } from '../../contract/flows/flow-types.ts';
import { internalIds } from '../../contract/flows/internal-ids.ts';
import type {
  OtherMessage,
  UnmatchedCallback,
  UnmatchedInput,
} from '../../contract/flows/unmatched-callback.ts';
import { shownAsText } from '../markdown/shown-as-text.ts';
import { isSearchable } from './owners.ts';

export interface KeepOptions {
  readonly taskQueue: string;
  /** ISO 8601; a callback that no person claims in this time is closed as Unclaimed. */
  readonly keepFor: string;
}

/** One workflow for each shipment: a further report joins the unmatched ones. */
export async function keepReport(
  client: Client,
  options: KeepOptions,
  report: ShipmentReport,
  timesBefore = 0,
): Promise<string> {
  const { shipmentUid } = report;
  const input: UnmatchedInput = { kind: 'shipment', shipmentUid, keepFor: options.keepFor };
  return keep(client, options, unmatchedId(shipmentUid), input, report, timesBefore);
}

/**
 * One workflow per type: a message of a type that lockerflow does not know joins the others of its type. Installations
 * that share a namespace have workflows of their own.
 */
export async function keepMessage(
  client: Client,
  options: KeepOptions,
  message: OtherMessage,
  { timesBefore = 0, among = message.messageType } = {},
): Promise<string> {
  const input: UnmatchedInput = { kind: 'message', messageType: among, keepFor: options.keepFor };
  const workflowId = `${internalIds.unmatched}message:${readable(`${options.taskQueue}:${among}`)}`;
  return keep(client, options, workflowId, input, message, timesBefore);
}

export function unmatchedId(shipmentUid: string): string {
  const isTaken = /^(message|sha256):/.test(shipmentUid);
  return `${internalIds.unmatched}${isTaken ? hashed(shipmentUid) : readable(shipmentUid)}`;
}

/** The text itself if possible; a hash if it is too long or odd for a workflow id. */
export const readable = (text: string): string =>
  isSearchable(text) && !/\p{Cc}/u.test(text) ? text : hashed(text);

const hashed = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

async function keep(
  client: Client,
  { taskQueue }: KeepOptions,
  workflowId: string,
  input: UnmatchedInput,
  callback: UnmatchedCallback,
  timesBefore: number,
): Promise<string> {
  await client.workflow.signalWithStart(UNMATCHED_CALLBACK, {
    workflowId,
    taskQueue,
    args: [input],
    signal: 'keep',
    signalArgs: [callback, timesBefore],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary:
      input.kind === 'shipment'
        ? 'A callback that no flow was found for'
        : `Messages of type ${shownAsText(input.messageType)}`,
  });
  return workflowId;
}
