// Whether a case number is the business key of one of our flows: a workflow of any other type would take the signal and
// know nothing of it, and the callback would be lost.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { flowTypes } from '../contract/flow-types.ts';

// Long enough for the callbacks of a busy minute, short enough for a key that another service's process takes over.
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;
// A workflow id is at most 1,000 bytes long; a longer one cannot exist.
const LONGEST_ID = 1_000;

const ourTypes: ReadonlySet<string> = new Set(flowTypes);

export class CaseFlows {
  readonly #client: Client;
  readonly #known = new Map<string, { readonly isOurs: boolean; readonly until: number }>();

  constructor(client: Client) {
    this.#client = client;
  }

  async isFlow(caseNo: string): Promise<boolean> {
    if (caseNo === '' || Buffer.byteLength(caseNo) > LONGEST_ID) return false;
    const known = this.#known.get(caseNo);
    if (known && known.until > Date.now()) return known.isOurs;
    const type = await this.#typeOf(caseNo);
    // What does not exist yet is not remembered: its flow may be starting right now.
    if (type !== null) this.#remember(caseNo, ourTypes.has(type));
    return type !== null && ourTypes.has(type);
  }

  forget(caseNo: string): void {
    this.#known.delete(caseNo);
  }

  #remember(caseNo: string, isOurs: boolean): void {
    this.#known.delete(caseNo);
    this.#known.set(caseNo, { isOurs, until: Date.now() + REMEMBERED_MS });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Null when there is no such running workflow. */
  async #typeOf(workflowId: string): Promise<string | null> {
    try {
      const { type, status } = await this.#client.workflow.getHandle(workflowId).describe();
      return status.name === 'RUNNING' ? type : null;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }
}
