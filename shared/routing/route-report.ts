// Sends a report of a shipment's state to the process that waits for it, without searching: by its case number, which is the key of
// the process, or else by what is known of the shipment. Returns only when Temporal has taken it.
import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { type Follower, followersOf } from './followers.ts';
import { hasNoNeedOf, RunningProcesses } from './running-processes.ts';

export interface RoutingOptions {
  /** A flow sets its shipments' case number to its own business key; off if case numbers mean something else. */
  readonly byCase: boolean;
}

export type Routed =
  | { readonly to: 'flows'; readonly workflowIds: readonly string[] }
  /** The shipment's flow has ended: the report has a final state, or a state from before the end. */
  | { readonly to: 'closedFlow'; readonly workflowIds: readonly string[] }
  | { readonly to: 'noFlow' };

const MAX_REMEMBERED = 50_000;

export class ReportRouter {
  readonly #client: Client;
  readonly #options: RoutingOptions;
  readonly #processes: RunningProcesses;
  /** By shipmentUid, as `followersOf` said. A process that another has taken a shipment over from passes its reports on. */
  readonly #followers = new LRUCache<string, readonly Follower[]>({ max: MAX_REMEMBERED });

  constructor(client: Client, options: RoutingOptions) {
    this.#client = client;
    this.#options = options;
    this.#processes = new RunningProcesses(client);
  }

  /**
   * Whatever goes to no process is to be kept at once: what keeps it looks for its process. Throws if Temporal does not answer:
   * then the callback is not acknowledged, and the sender sends it again.
   *
   * @param except the process that hands it on
   */
  async route(report: ShipmentReport, except?: string): Promise<Routed> {
    const { referenceCaseNo } = report;
    const isByCase = this.#options.byCase && referenceCaseNo !== null && referenceCaseNo !== except;
    const byCase = isByCase ? await this.#toAll(report, [{ workflowId: referenceCaseNo }]) : noFlow;
    if (byCase.to === 'flows') return byCase;
    const { shipmentUid } = report;
    const followers = this.#followers.get(shipmentUid) ?? (await followersOf(this.#client, shipmentUid));
    const byUid = await this.#toAll(
      report,
      followers.filter(({ workflowId }) => workflowId !== except),
    );
    if (byUid.to === 'flows') this.#followers.set(shipmentUid, followers);
    else this.#followers.delete(shipmentUid);
    return byUid.to === 'noFlow' ? byCase : byUid;
  }

  async #toAll(report: ShipmentReport, followers: readonly Follower[]): Promise<Routed> {
    const sent = await Promise.all(
      followers.map(async ({ workflowId, runId }) => {
        const process = await this.#processes.signal(report, workflowId, runId);
        return { workflowId, process };
      }),
    );
    const having = sent.filter(({ process }) => process === true);
    if (having.length > 0) return { to: 'flows', workflowIds: having.map(({ workflowId }) => workflowId) };
    const closed = sent.filter(
      ({ process }) =>
        process !== null &&
        process !== true &&
        process.shipmentUids.includes(report.shipmentUid) &&
        hasNoNeedOf(process, report),
    );
    return closed.length > 0
      ? { to: 'closedFlow', workflowIds: closed.map(({ workflowId }) => workflowId) }
      : noFlow;
  }
}

const noFlow: Routed = { to: 'noFlow' };
