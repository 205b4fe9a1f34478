// From a report of a shipment's state to every flow that waits for it. Returns only when Temporal has taken it.
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ShipmentReport } from '../contract/flow-messages.ts';
import { CaseFlows } from './case-flow.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { isSearchable, ownersOf, ownersUntil } from './owners.ts';

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
  /** The past of a shipment whose flow has ended, or its final state: nobody waits for it any more. */
  | { readonly to: 'closedFlow'; readonly workflowIds: readonly string[] }
  | { readonly to: 'nobody' };

const FINAL_STATES: ReadonlySet<string> = new Set(['Completed', 'Cancelled']);
const FIRST_PAUSE_MS = 50;

export class ReportRouter {
  readonly #client: Client;
  readonly #options: RoutingOptions;
  readonly #caseFlows: CaseFlows;
  readonly #owners: OwnerLookup;

  constructor(client: Client, options: RoutingOptions) {
    this.#client = client;
    this.#options = options;
    this.#caseFlows = new CaseFlows(client);
    this.#owners = new OwnerLookup(client);
  }

  /** Throws when Temporal cannot be asked: then nothing has been promised, and the sender sends it again. */
  async route(report: ShipmentReport): Promise<Routed> {
    const { shipmentUid } = report;
    const owners = await this.#owners.runningOwnersOf(shipmentUid);
    // Before it has a number of its own to be found by, as right after its booking, a flow is found by the case number.
    const { referenceCaseNo: caseNo } = report;
    const isCaseKnown = caseNo === null || owners.includes(caseNo);
    const [taken, byCase] = await Promise.all([
      this.#toAll(report, owners),
      isCaseKnown ? [] : this.#toCaseFlow(report, caseNo),
    ]);
    const workflowIds = [...taken, ...byCase];
    return workflowIds.length > 0 ? { to: 'flows', workflowIds } : this.#toLateOwners(report);
  }

  async #toCaseFlow(report: ShipmentReport, caseNo: string): Promise<string[]> {
    if (!this.#options.byCase || !(await this.#caseFlows.isFlow(caseNo))) return [];
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
    const { shipmentUid, stateCode, stateStart } = report;
    if (!isSearchable(shipmentUid)) return { to: 'nobody' };
    const until = Date.now() + this.#options.lookAgainForMs;
    for (let wait = FIRST_PAUSE_MS; Date.now() < until; wait *= 2) {
      await pause(Math.min(wait, Math.max(1, until - Date.now())));
      const workflowIds = await this.#toAll(report, await this.#owners.runningOwnersOf(shipmentUid));
      if (workflowIds.length > 0) return { to: 'flows', workflowIds };
    }
    // A callback that comes once more after the end of its flow is no news, whatever state it tells.
    const closed = FINAL_STATES.has(stateCode)
      ? await ownersOf(this.#client, shipmentUid, 'any')
      : await ownersUntil(this.#client, shipmentUid, Date.parse(stateStart ?? ''));
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
