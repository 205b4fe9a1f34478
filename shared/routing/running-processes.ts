// Finds a running process of ours by its workflow id, and sends it reports. Temporal would deliver a signal to a workflow of another
// type too, and the callback would be lost: so the workflow is described first, which is always current and never asks the
// visibility store. A signal goes to the very run that was found.
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { SHIPMENT_STATUS, type ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { uidsOf } from './owners.ts';

const MAX_REMEMBERED = 50_000;
// A workflow id is at most 1,000 bytes long; a longer one cannot exist.
const LONGEST_ID = 1_000;

const builtIn: ReadonlySet<string> = new Set(flowTypes);

/** The newest run of a process of ours. */
export interface OurProcess {
  readonly runId: string;
  readonly isRunning: boolean;
  /** Epoch milliseconds; null while it runs. */
  readonly closedAt: number | null;
  readonly shipmentUids: readonly string[];
}

export class RunningProcesses {
  readonly #client: Client;
  /** The run that was last seen of each: Temporal refuses a signal to one that has ended. */
  readonly #runs = new LRUCache<string, string>({ max: MAX_REMEMBERED });

  constructor(client: Client) {
    this.#client = client;
  }

  /** Null if the workflow is not ours, or does not exist. Every process of ours hands on what it does not know. */
  async find(workflowId: string): Promise<OurProcess | null> {
    if (workflowId === '' || Buffer.byteLength(workflowId) > LONGEST_ID) return null;
    try {
      const execution = await this.#client.workflow.getHandle(workflowId).describe();
      return isOurs(execution) ? processOf(execution) : null;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  /**
   * True: it has the report. Else the process, which has ended, or null.
   * @param knownRun a run of it that is known to be ours, and may have ended
   */
  async signal(
    report: ShipmentReport,
    workflowId: string,
    knownRun?: string,
  ): Promise<true | OurProcess | null> {
    for (let known = this.#runs.get(workflowId) ?? knownRun; ; known = undefined) {
      const process = known === undefined ? await this.find(workflowId) : null;
      const runId = known ?? (process?.isRunning ? process.runId : undefined);
      if (runId === undefined) return process;
      if (await signalReport(this.#client, report, workflowId, runId)) {
        this.#runs.set(workflowId, runId);
        return true;
      }
      // That run has ended: the process continues in another run, or another workflow has its key.
      this.#runs.delete(workflowId);
    }
  }
}

/** False if that workflow, or that run, has ended or does not exist. */
export async function signalReport(
  client: Client,
  report: ShipmentReport,
  workflowId: string,
  runId?: string,
): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId, runId).signal(SHIPMENT_STATUS, report);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Whether a process that has ended needs the report no more. A repeated callback after the end is not new: the process got every
 * state that began before the end, or did not need it.
 */
export const hasNoNeedOf = (
  { closedAt }: { readonly closedAt: number | null },
  { stateCode, stateStart }: ShipmentReport,
): boolean => hasEnded(stateCode) || (closedAt !== null && closedAt >= Date.parse(stateStart ?? ''));

/** Only the engine sets that search attribute, and it sets it for every process. */
export const isOurs = ({ type, searchAttributes }: WorkflowExecutionDescription): boolean =>
  builtIn.has(type) || searchAttributes.LockerFlowVersion !== undefined;

const processOf = (execution: WorkflowExecutionDescription): OurProcess => ({
  runId: execution.runId,
  isRunning: execution.status.name === 'RUNNING',
  closedAt: execution.closeTime?.getTime() ?? null,
  shipmentUids: uidsOf(execution),
});
