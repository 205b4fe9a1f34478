// From a report of a shipment's state to every flow that waits for it. Returns only when Temporal has taken it.
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ShipmentReport } from '../contract/flow-messages.ts';
import { CaseFlows } from './case-flow.ts';
import { isSearchable, ownersOf } from './owners.ts';

export interface RoutingOptions {
  /** A flow sets its shipments' case number to its own business key; off where case numbers mean something else. */
  readonly byCase: boolean;
  /**
   * Milliseconds. Visibility lags behind the booking: 0.2 s with 8 flows at a time, 2 s with 40 (measured), while the
   * first callback comes within milliseconds.
   */
  readonly lookAgainForMs: number;
}

export type Routed =
  | { readonly to: 'flows'; readonly workflowIds: readonly string[] }
  /** A final state of a shipment whose flow has ended: nobody waits for it any more. */
  | { readonly to: 'closedFlow'; readonly workflowIds: readonly string[] }
  | { readonly to: 'nobody' };

const FINAL_STATES: ReadonlySet<string> = new Set(['Completed', 'Cancelled']);
const FIRST_PAUSE_MS = 50;

export class ReportRouter {
  readonly #client: Client;
  readonly #options: RoutingOptions;
  readonly #caseFlows: CaseFlows;

  constructor(client: Client, options: RoutingOptions) {
    this.#client = client;
    this.#options = options;
    this.#caseFlows = new CaseFlows(client);
  }

  /** Throws when Temporal cannot be asked: then nothing has been promised, and the sender sends it again. */
  async route(report: ShipmentReport): Promise<Routed> {
    const { shipmentUid } = report;
    const [byCase, owners] = await Promise.all([
      this.#toCaseFlow(report),
      ownersOf(this.#client, shipmentUid, 'running'),
    ]);
    const others = owners.filter((owner) => !byCase.includes(owner));
    const workflowIds = [...byCase, ...(await this.#toAll(report, others))];
    return workflowIds.length > 0 ? { to: 'flows', workflowIds } : this.#toLateOwners(report);
  }

  async #toCaseFlow(report: ShipmentReport): Promise<string[]> {
    const caseNo = report.referenceCaseNo;
    if (!this.#options.byCase || caseNo === null || !(await this.#caseFlows.isFlow(caseNo))) return [];
    if (await this.deliver(report, caseNo)) return [caseNo];
    this.#caseFlows.forget(caseNo);
    return [];
  }

  /** Those that took it. */
  async #toAll(report: ShipmentReport, owners: readonly string[]): Promise<string[]> {
    const taken = await Promise.all(owners.map((owner) => this.deliver(report, owner)));
    return owners.filter((_, index) => taken[index]);
  }

  async #toLateOwners(report: ShipmentReport): Promise<Routed> {
    const { shipmentUid, stateCode } = report;
    if (!isSearchable(shipmentUid)) return { to: 'nobody' };
    const until = Date.now() + this.#options.lookAgainForMs;
    for (let wait = FIRST_PAUSE_MS; Date.now() < until; wait *= 2) {
      await pause(Math.min(wait, Math.max(1, until - Date.now())));
      const workflowIds = await this.#toAll(report, await ownersOf(this.#client, shipmentUid, 'running'));
      if (workflowIds.length > 0) return { to: 'flows', workflowIds };
    }
    const closed = FINAL_STATES.has(stateCode) ? await ownersOf(this.#client, shipmentUid, 'any') : [];
    return closed.length > 0 ? { to: 'closedFlow', workflowIds: closed } : { to: 'nobody' };
  }

  /** False when that workflow has ended or never was. */
  async deliver(report: ShipmentReport, workflowId: string): Promise<boolean> {
    try {
      await this.#client.workflow.getHandle(workflowId).signal('shipmentStatus', report);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}
