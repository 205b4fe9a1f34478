// The flows that are compared with the locker service: those that are open or ended lately, with what each knows of its shipments.
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import pLimit from 'p-limit';
import { queried } from '../../client/queried.ts';
import type { BookingProgress } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { FlowResult, LegResult } from '../../contract/flows/flow-result.ts';
import { flowRules, flowRulesOf } from '../../contract/flows/flow-rules.ts';
import { listed, literal } from '../../shared/routing/owners.ts';
import type { Pace } from '../../shared/routing/pace.ts';
import { onTaskQueue } from '../views/flow-query.ts';

export interface FlowStores {
  readonly client: Client;
  /** Only its flows: those of another one may book for another tenant. */
  readonly taskQueue: string;
  /** Flows that ended before are not compared. */
  readonly endedSince: Date;
  readonly signal: AbortSignal;
}

export type Paces = Readonly<Record<'questions' | 'searches', Pace>>;

/** A flow, and what it knows of its shipments. */
export interface ComparedFlow {
  readonly workflowId: string;
  /** Temporal's, like RUNNING or TERMINATED. */
  readonly status: string;
  /** Whether it knows its shipments: one that still books may find more. */
  readonly isFollowing: boolean;
  /** A person has ended it, and knows what it left. */
  readonly isGivenUp: boolean;
  readonly legs: readonly FlowLeg[];
}

export interface FlowLeg extends LegResult {
  readonly role: Role | null;
  /** The flow waits for nothing more of it. */
  readonly isDone: boolean;
  readonly isItemIn: boolean;
}

const ANSWER_WITHIN_MS = 10_000;
const FLOWS_AT_A_TIME = 8;

type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'status' | 'type'>;

export async function knownFlows(
  { client, taskQueue, endedSince, signal }: FlowStores,
  { questions, searches }: Paces,
) {
  const types = Object.keys(flowRules).map(literal).join(', ');
  const when = `ExecutionStatus = 'Running' OR CloseTime >= '${endedSince.toISOString()}'`;
  const query = `(WorkflowType IN (${types}) OR LockerShipmentUids IS NOT NULL) AND ${onTaskQueue(taskQueue)} AND (${when})`;
  const flows: ComparedFlow[] = [];
  const unanswered: string[] = [];
  const ask = async (execution: Execution) => {
    await questions.turn(signal);
    signal.throwIfAborted();
    const known = await knownBy(client, execution).catch(() => null);
    if (known) flows.push(flowOf(execution.workflowId, known));
    else unanswered.push(execution.workflowId);
  };
  await searches.turn(signal);
  const found: Execution[] = [];
  for await (const execution of listed(client, query, searches))
    if (execution.status.name !== 'CONTINUED_AS_NEW') found.push(execution);
  await pLimit(FLOWS_AT_A_TIME).map(found, ask);
  return { flows, unanswered };
}

async function knownBy(client: Client, { workflowId, runId, type }: Execution) {
  const handle = client.workflow.getHandle(workflowId, runId);
  return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
    // It may have ended since it was listed.
    const { name: status } = (await handle.describe()).status;
    // The result of a shipment flow needs no worker, and nothing of it is awaited.
    if (status === 'COMPLETED' && flowRulesOf(type))
      return { status, bookings: [ended((await handle.result()) as FlowResult)] };
    return {
      status,
      bookings: (await queried(handle, () => handle.query<ProcessProgress>('progress'))).bookings,
    };
  });
}

type KnownBooking = Pick<
  BookingProgress,
  'activity' | 'shipments' | 'unassigned' | 'itemsLeft' | 'resolutions'
>;

const ended = ({ shipments, unassigned, itemsLeft }: FlowResult): KnownBooking => ({
  activity: 'Ended',
  shipments: Object.fromEntries(
    Object.entries(shipments).map(([role, leg]) => [role, { ...leg, done: true }]),
  ),
  unassigned,
  itemsLeft,
  resolutions: [],
});

function flowOf(
  workflowId: string,
  { status, bookings }: { readonly status: string; readonly bookings: readonly KnownBooking[] },
): ComparedFlow {
  return {
    workflowId,
    status,
    isFollowing: bookings.every(({ activity }) => activity === 'Following'),
    isGivenUp: bookings.some(({ resolutions }) => resolutions.some(({ action }) => action === 'giveUp')),
    legs: bookings.flatMap(legsOf),
  };
}

function legsOf({ activity, shipments, unassigned, itemsLeft }: KnownBooking): FlowLeg[] {
  const left = new Set(itemsLeft.map(({ shipmentUid }) => shipmentUid));
  const legOf = (role: Role | null, leg: LegResult, isDone: boolean): FlowLeg => ({
    ...leg,
    role,
    isDone,
    isItemIn: left.has(leg.shipmentUid) || itemStates.has(leg.stateCode),
  });
  return [
    ...Object.entries(shipments).map(([role, { done, ...leg }]) => legOf(role as Role, leg, done)),
    ...unassigned.map((leg) => legOf(null, leg, activity === 'Ended')),
  ];
}

const itemStates: ReadonlySet<string | null> = new Set(['WaitForReceiver', 'ReadyForPickup']);
