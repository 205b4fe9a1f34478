// What a flow knows of its shipments, in the terms of the comparison: it is asked, or has told it in its result.
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { FlowResult, LegResult, Progress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import type { Pace } from '../../shared/routing/owners.ts';
import type { ComparedFlow, FlowLeg } from './judge.ts';

export interface AskingFlows {
  readonly client: Client;
  readonly questions: Pace;
  /** Gets the keys of those that do not answer. */
  readonly unanswered: Set<string>;
  readonly signal: AbortSignal;
}

export type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'searchAttributes'> & {
  readonly status: Pick<WorkflowExecutionInfo['status'], 'name'>;
};

// Visibility takes few questions a second from all clients of a namespace together.
export const SEARCHES_PER_SECOND = 2;
const ANSWER_WITHIN_MS = 10_000;
const FLOWS_AT_A_TIME = 8;

export async function comparedFlows(
  reading: AskingFlows,
  found: readonly Execution[],
): Promise<ComparedFlow[]> {
  const flows: ComparedFlow[] = [];
  for (let from = 0; from < found.length; from += FLOWS_AT_A_TIME) {
    reading.signal.throwIfAborted();
    const some = found.slice(from, from + FLOWS_AT_A_TIME);
    for (const flow of await Promise.all(some.map((each) => comparedFlow(reading, each))))
      if (flow) flows.push(flow);
  }
  return flows;
}

/** Null: it did not answer. */
async function comparedFlow(reading: AskingFlows, execution: Execution): Promise<ComparedFlow | null> {
  const { client, questions, unanswered } = reading;
  const { workflowId, runId } = execution;
  await questions.turn();
  try {
    const handle = client.workflow.getHandle(workflowId, runId);
    return await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
      // It may have ended since it was listed.
      const status =
        execution.status.name === 'RUNNING' ? (await handle.describe()).status.name : execution.status.name;
      if (status === 'COMPLETED') return ofResult(workflowId, await handle.result());
      return ofProgress(workflowId, status, await handle.query<Progress>('progress'));
    });
  } catch {
    unanswered.add(workflowId);
    return null;
  }
}

/** Needs no worker. What a flow has ended with Done needs nothing more. */
function ofResult(workflowId: string, { shipments, itemsLeft, unassigned }: FlowResult): ComparedFlow {
  const legs = Object.entries(shipments).map(([role, leg]) => legOf(role as Role, leg, true, itemsLeft));
  const others = unassigned.map((leg) => legOf(null, leg, true, itemsLeft));
  const status = 'COMPLETED';
  return { workflowId, status, isFollowing: false, isGivenUp: false, legs: [...legs, ...others] };
}

function ofProgress(
  workflowId: string,
  status: string,
  { activity, shipments, itemsLeft, unassigned, resolutions }: Progress,
): ComparedFlow {
  const legs = Object.entries(shipments).map(([role, leg]) => legOf(role as Role, leg, leg.done, itemsLeft));
  const others = unassigned.map((leg) => legOf(null, leg, false, itemsLeft));
  const isGivenUp = resolutions.some(({ action }) => action === 'giveUp');
  const isFollowing = activity === 'Following';
  return { workflowId, status, isFollowing, isGivenUp, legs: [...legs, ...others] };
}

function legOf(
  role: Role | null,
  { shipmentUid, stateCode, stateStart, pupUid, lockerName }: LegResult,
  isDone: boolean,
  itemsLeft: FlowResult['itemsLeft'],
): FlowLeg {
  const isItemLeft = itemsLeft.some((item) => item.shipmentUid === shipmentUid);
  return { role, shipmentUid, stateCode, stateStart, pupUid, lockerName, isDone, isItemLeft };
}
