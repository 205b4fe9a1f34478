// Finds the running flow whose business key is a case number. Temporal would deliver the signal to a workflow of any other
// type too, and the callback would be lost: so the type is checked. It describes the workflow itself, which is always up
// to date, and never asks the visibility store.
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { flowTypes } from '../contract/flows/flow-types.ts';
import { BoundedMap } from '../limits/bounded-map.ts';
import { uidsOf } from './owners.ts';

// Milliseconds. The next run under the same id may be a flow of ours, and Temporal does not tell us.
const FOREIGN_FOR_MS = 60_000;
const MOST_REMEMBERED = 50_000;
// A workflow id is at most 1,000 bytes long; a longer one cannot exist.
const LONGEST_ID = 1_000;

const ourTypes: ReadonlySet<string> = new Set(flowTypes);

/** One run of a flow: what is remembered of a run stays true, while its key may be used again by another workflow. */
export interface CaseFlow {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** None before it has booked, but for the prior shipment that it may be started with. */
  readonly shipmentUids: readonly string[];
}

export class CaseFlows {
  readonly #client: Client;
  /** Without a flow for a workflow that is none of ours, until then. */
  readonly #known = new BoundedMap<string, { readonly flow: CaseFlow | null; readonly until: number }>(
    MOST_REMEMBERED,
  );

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Null when no flow of ours runs under that key. The run may have ended since: then Temporal refuses a signal to it. The
   * flow may have other shipments by now than those that are remembered.
   */
  async running(caseNo: string, shipmentUid: string): Promise<CaseFlow | null> {
    if (caseNo === '' || Buffer.byteLength(caseNo) > LONGEST_ID) return null;
    const known = this.#known.get(caseNo);
    if (known?.flow?.shipmentUids.includes(shipmentUid)) return known.flow;
    if (known?.flow === null && known.until > Date.now()) return null;
    const found = await this.#find(caseNo);
    // What does not exist yet is not remembered: its flow may be starting right now.
    if (found === null) return null;
    const flow = ourTypes.has(found.type) ? found : null;
    this.#remember(caseNo, flow);
    return flow;
  }

  /** A look has shown it (routing/new-bookings.ts): its callbacks need no question for it. */
  see(flow: CaseFlow): void {
    if (ourTypes.has(flow.type)) this.#remember(flow.workflowId, flow);
  }

  forget(caseNo: string): void {
    this.#known.delete(caseNo);
  }

  #remember(caseNo: string, flow: CaseFlow | null): void {
    this.#known.set(caseNo, { flow, until: Date.now() + FOREIGN_FOR_MS });
  }

  /** Null when there is no such running workflow. */
  async #find(workflowId: string): Promise<CaseFlow | null> {
    try {
      const execution = await this.#client.workflow.getHandle(workflowId).describe();
      return execution.status.name === 'RUNNING' ? caseFlowOf(execution) : null;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }
}

type Execution = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'type' | 'searchAttributes'>;

export function caseFlowOf(execution: Execution): CaseFlow {
  const { workflowId, runId, type } = execution;
  return { workflowId, runId, type, shipmentUids: uidsOf(execution) };
}
