// Whether a case number is the business key of one of our flows, and which shipments that flow has: a workflow of any other
// type would take the signal and know nothing of it, and the callback would be lost. Asks for the workflow itself, which
// is always up to date, and never the visibility store.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { flowTypes } from '../contract/flow-types.ts';
import { uidsOf } from './owners.ts';

// Long enough for the callbacks of a busy minute, short enough for a key that another service's process takes over.
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;
// A workflow id is at most 1,000 bytes long; a longer one cannot exist.
const LONGEST_ID = 1_000;

const ourTypes: ReadonlySet<string> = new Set(flowTypes);

export interface CaseFlow {
  readonly type: string;
  /** None before it has booked, but for the prior shipment that it may be started with. */
  readonly shipmentUids: readonly string[];
}

export class CaseFlows {
  readonly #client: Client;
  /** Null for a workflow that is none of ours. */
  readonly #known = new Map<string, { readonly flow: CaseFlow | null; readonly until: number }>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Null when no flow of ours runs under that key. What it knows of other shipments than this one may be old. */
  async running(caseNo: string, shipmentUid: string): Promise<CaseFlow | null> {
    if (caseNo === '' || Buffer.byteLength(caseNo) > LONGEST_ID) return null;
    const known = this.#known.get(caseNo);
    const isKnown = known?.flow === null || known?.flow.shipmentUids.includes(shipmentUid);
    if (known && isKnown && known.until > Date.now()) return known.flow;
    const found = await this.#find(caseNo);
    // What does not exist yet is not remembered: its flow may be starting right now.
    if (found === null) return null;
    const flow = ourTypes.has(found.type) ? found : null;
    this.#remember(caseNo, flow);
    return flow;
  }

  forget(caseNo: string): void {
    this.#known.delete(caseNo);
  }

  #remember(caseNo: string, flow: CaseFlow | null): void {
    this.#known.delete(caseNo);
    this.#known.set(caseNo, { flow, until: Date.now() + REMEMBERED_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Null when there is no such running workflow. */
  async #find(workflowId: string): Promise<CaseFlow | null> {
    try {
      const execution = await this.#client.workflow.getHandle(workflowId).describe();
      if (execution.status.name !== 'RUNNING') return null;
      return { type: execution.type, shipmentUids: uidsOf(execution) };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }
}
