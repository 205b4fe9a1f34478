// Sends a report of a shipment's state to every flow that waits for it. Returns only when Temporal has taken it.

import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { type CaseFlow, CaseFlows } from './case-flow.ts';
import { KnownOwners } from './known-owners.ts';
import { newBookings } from './new-bookings.ts';
import { type OwnerLookup, ownerLookup } from './owner-lookup.ts';
import { type Holder, runningAmong, workflowIdsOf } from './owners.ts';
import { Pace } from './pace.ts';
import { sharedShipments, typesWithPrior } from './shared-shipments.ts';

export interface RoutingOptions {
  /** A flow sets its shipments' case number to its own business key; off if case numbers mean something else. */
  readonly byCase: boolean;
  /** The limit of a namespace's visibility store, shared by all of its clients: a server allows 10 by default. */
  readonly questionsPerSecond: number;
  /**
   * Whether flows and owners are remembered, and found before their callbacks come: for a process that gets all
   * callbacks. Without it, each report needs new queries.
   */
  readonly looksAhead?: boolean;
}

export type Routed =
  | { readonly to: 'flows'; readonly workflowIds: readonly string[] }
  /** The shipment's flow has ended: the report has a final state, or a state from before the end. */
  | { readonly to: 'closedFlow'; readonly workflowIds: readonly string[] }
  | { readonly to: 'noFlow' };

/** A report on its way, and the flows that have it. */
interface Delivery {
  readonly report: ShipmentReport;
  readonly had: Set<string>;
}

export class ReportRouter {
  readonly #client: Client;
  readonly #options: RoutingOptions;
  readonly #caseFlows: CaseFlows;
  readonly #owners: OwnerLookup;
  readonly #known: KnownOwners;
  readonly #isShared: (shipmentUid: string) => Promise<boolean>;
  readonly #lookForBookings: () => void;

  /** One for all reports of a process, which share its queries and their limit. */
  constructor(client: Client, options: RoutingOptions) {
    const pace = new Pace(options.questionsPerSecond);
    this.#client = client;
    this.#options = options;
    this.#caseFlows = new CaseFlows(client);
    this.#owners = ownerLookup(client, pace);
    this.#known = new KnownOwners(this.#owners);
    this.#isShared = sharedShipments(client, pace);
    this.#lookForBookings = newBookings(client, pace, {
      see: (flow) => {
        this.#caseFlows.see(flow);
        this.#known.see(flow);
      },
      forgetAll: () => this.#known.forgetAll(),
    });
  }

  /**
   * It looks once: whoever sends callbacks waits for the answer with few places, and what keeps one that nobody waits for looks
   * again. Throws if Temporal does not answer: then the callback is not acknowledged, and the sender sends it again.
   */
  route(report: ShipmentReport): Promise<Routed> {
    return this.#route({ report, had: new Set() });
  }

  async #route(delivery: Delivery): Promise<Routed> {
    const { report } = delivery;
    if (await this.#toKnownOwners(delivery)) return { to: 'flows', workflowIds: [...delivery.had] };
    const { flow, isAlone } = await this.#byCase(report);
    const holders = isAlone ? [] : await this.#ask(report.shipmentUid);
    const owners = runningAmong(holders);
    // Right after its booking a flow cannot be found by its shipments yet, only by the case number.
    const isFoundByCaseAlone = flow !== null && !owners.includes(flow.workflowId);
    if (isFoundByCaseAlone && !(await this.#give(delivery, flow.workflowId, flow.runId))) {
      // That run has ended: the flow continues in another run, or another workflow has its key.
      this.#caseFlows.forget(flow.workflowId);
      return this.#route(delivery);
    }
    await this.#toAll(delivery, holders);
    if (delivery.had.size > 0) return { to: 'flows', workflowIds: [...delivery.had] };
    const closed = workflowIdsOf(holders.filter((holder) => hasNoNeedOf(holder, report)));
    return closed.length > 0 ? { to: 'closedFlow', workflowIds: closed } : { to: 'noFlow' };
  }

  /**
   * False if a query is needed: the owners are unknown, one has ended, or the case number is the key of none of
   * them.
   */
  async #toKnownOwners(delivery: Delivery): Promise<boolean> {
    const { shipmentUid, referenceCaseNo } = delivery.report;
    if (!this.#options.looksAhead) return false;
    this.#lookForBookings();
    if (this.#known.of(shipmentUid) === null || (await this.#isShared(shipmentUid))) return false;
    const owners = this.#known.of(shipmentUid) ?? [];
    const isNamedByCase = referenceCaseNo !== null && this.#options.byCase;
    if (isNamedByCase && owners.every(({ workflowId }) => workflowId !== referenceCaseNo)) return false;
    const taken = await Promise.all(
      owners.map(({ workflowId, runId }) => this.#give(delivery, workflowId, runId)),
    );
    if (taken.length > 0 && taken.every(Boolean)) return true;
    // An ended one may continue as another run.
    this.#known.forget(shipmentUid);
    return false;
  }

  #ask(shipmentUid: string): Promise<readonly Holder[]> {
    return this.#options.looksAhead ? this.#known.ask(shipmentUid) : this.#owners(shipmentUid);
  }

  /** The running flow with the case number as its key, and whether no other flow has the shipment for certain. */
  async #byCase(report: ShipmentReport): Promise<{ flow: CaseFlow | null; isAlone: boolean }> {
    const { shipmentUid, referenceCaseNo: caseNo } = report;
    const noFlow = { flow: null, isAlone: false };
    if (caseNo === null || !this.#options.byCase) return noFlow;
    const flow = await this.#caseFlows.running(caseNo, shipmentUid);
    if (flow === null) return noFlow;
    // A flow that issues stock has a prior shipment, and another flow may wait for that too.
    const isItsOwn = flow.shipmentUids.includes(shipmentUid) && !typesWithPrior.has(flow.type);
    return { flow, isAlone: isItsOwn && !(await this.#isShared(shipmentUid)) };
  }

  async #toAll(delivery: Delivery, holders: readonly Holder[]): Promise<void> {
    const running = holders.filter(({ isRunning }) => isRunning);
    await Promise.all(
      workflowIdsOf(running).map((workflowId) =>
        this.#toRuns(
          delivery,
          workflowId,
          running.filter((run) => run.workflowId === workflowId),
        ),
      ),
    );
  }

  /**
   * To the very run that was found: visibility lags, and a foreign workflow that has the key by now would swallow the
   * signal. A run that has ended may continue as another one, which visibility may not show yet either.
   */
  async #toRuns(delivery: Delivery, workflowId: string, runs: readonly Holder[]): Promise<void> {
    for (const { runId } of runs) if (await this.#give(delivery, workflowId, runId)) return;
    let next = await this.#currentRun(workflowId, delivery.report);
    while (next !== null && !(await this.#give(delivery, workflowId, next)))
      next = await this.#currentRun(workflowId, delivery.report);
  }

  /** Null if none runs, or what has the key by now is not the owner of the shipment. */
  async #currentRun(workflowId: string, { shipmentUid }: ShipmentReport): Promise<string | null> {
    this.#caseFlows.forget(workflowId);
    const flow = await this.#caseFlows.running(workflowId, shipmentUid);
    return flow?.shipmentUids.includes(shipmentUid) ? flow.runId : null;
  }

  /** Sends it once to each, also after several searches. Gives whether the flow has it. */
  async #give({ report, had }: Delivery, workflowId: string, runId?: string): Promise<boolean> {
    if (had.has(workflowId)) return true;
    const isTaken = await this.deliver(report, workflowId, runId);
    if (isTaken) had.add(workflowId);
    return isTaken;
  }

  /** False if that workflow, or that run, has ended or does not exist. */
  async deliver(report: ShipmentReport, workflowId: string, runId?: string): Promise<boolean> {
    try {
      await this.#client.workflow.getHandle(workflowId, runId).signal('shipmentStatus', report);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}

/**
 * For an owner that has ended, even if visibility shows it only later. A repeated callback after the end is not new:
 * the flow got every state that began before the end, or did not need it.
 */
function hasNoNeedOf({ closedAt }: Holder, { stateCode, stateStart }: ShipmentReport): boolean {
  return hasEnded(stateCode) || (closedAt !== null && closedAt >= Date.parse(stateStart ?? ''));
}
