// Finds the running flow whose business key is a case number. Temporal would also deliver the signal to a workflow of
// another type, and the callback would be lost: so this checks the type. It describes the workflow itself, which is
// always current, and never queries the visibility store.

import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { uidsOf } from './owners.ts';

// Milliseconds. The next run with the same id may be one of our flows, and Temporal does not report it.
const FOREIGN_FOR_MS = 60_000;
const MAX_REMEMBERED = 50_000;
// A workflow id is at most 1,000 bytes long; a longer one cannot exist.
const LONGEST_ID = 1_000;

const ourTypes: ReadonlySet<string> = new Set(flowTypes);

/** One run of a flow: facts about a run stay true, but another workflow may use the key again. */
export interface CaseFlow {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  /** Before the booking: none, or the prior shipment of its start. */
  readonly shipmentUids: readonly string[];
}

export class CaseFlows {
  readonly #client: Client;
  /** Until this time; without a flow if the workflow is not ours. */
  readonly #known = new LRUCache<string, { readonly flow: CaseFlow | null; readonly until: number }>({
    max: MAX_REMEMBERED,
  });

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Null if none of our flows runs with that key. The run may have ended since: then Temporal refuses a signal to it.
   * The flow may have other shipments by now.
   */
  async running(caseNo: string, shipmentUid: string): Promise<CaseFlow | null> {
    if (caseNo === '' || Buffer.byteLength(caseNo) > LONGEST_ID) return null;
    const known = this.#known.get(caseNo);
    if (known?.flow?.shipmentUids.includes(shipmentUid)) return known.flow;
    if (known?.flow === null && known.until > Date.now()) return null;
    const found = await this.#find(caseNo);
    // A missing flow is not remembered: it may be starting now.
    if (found === null) return null;
    const flow = ourTypes.has(found.type) ? found : null;
    this.#remember(caseNo, flow);
    return flow;
  }

  /** shared/routing/new-bookings.ts has found it: its callbacks need no query. */
  see(flow: CaseFlow): void {
    if (ourTypes.has(flow.type)) this.#remember(flow.workflowId, flow);
  }

  forget(caseNo: string): void {
    this.#known.delete(caseNo);
  }

  #remember(caseNo: string, flow: CaseFlow | null): void {
    this.#known.set(caseNo, { flow, until: Date.now() + FOREIGN_FOR_MS });
  }

  /** Null if no such workflow runs. */
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
