// From a report of a shipment's state to every flow that waits for it. Returns only when Temporal has taken it.
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import { type CaseFlow, CaseFlows } from './case-flow.ts';
import { KnownOwners } from './known-owners.ts';
import { NewBookings } from './new-bookings.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { type Holder, isSearchable, runningAmong, workflowIdsOf } from './owners.ts';
import { Pace } from './pace.ts';
import { SharedShipments, typesWithPrior } from './shared-shipments.ts';

export interface RoutingOptions {
  /** A flow sets its shipments' case number to its own business key; off where case numbers mean something else. */
  readonly byCase: boolean;
  /**
   * Milliseconds. Visibility lags behind the booking: 0.2 s with 8 flows at a time, 2 s with 40 (measured), while the
   * first callback comes within milliseconds.
   */
  readonly lookAgainForMs: number;
  /** Of a namespace's visibility store, which all of its clients share: by default a server allows 10, and refuses more. */
  readonly questionsPerSecond: number;
  /**
   * Whether flows and owners are remembered, and looked for before their callbacks come: for a process that hears all
   * callbacks. Without it, what is asked for one report is asked anew for the next.
   */
  readonly looksAhead?: boolean;
}

export type Routed =
  | { readonly to: 'flows'; readonly workflowIds: readonly string[] }
  /** The shipment's flow has ended: the report tells its final state, or a state from before that end. */
  | { readonly to: 'closedFlow'; readonly workflowIds: readonly string[] }
  | { readonly to: 'nobody' };

/** A report on its way, and the flows that have it. */
interface Delivery {
  readonly report: ShipmentReport;
  readonly had: Set<string>;
}

const FINAL_STATES: ReadonlySet<string> = new Set(['Completed', 'Cancelled']);
const FIRST_PAUSE_MS = 50;

export class ReportRouter {
  readonly #client: Client;
  readonly #options: RoutingOptions;
  readonly #caseFlows: CaseFlows;
  readonly #owners: OwnerLookup;
  readonly #known: KnownOwners;
  readonly #shared: SharedShipments;
  readonly #newBookings: NewBookings;

  /** One for all reports of a process: its questions are bounded, and gathered, together. */
  constructor(client: Client, options: RoutingOptions) {
    const pace = new Pace(options.questionsPerSecond);
    this.#client = client;
    this.#options = options;
    this.#caseFlows = new CaseFlows(client);
    this.#owners = new OwnerLookup(client, pace);
    this.#known = new KnownOwners(this.#owners);
    this.#shared = new SharedShipments(client, pace);
    this.#newBookings = new NewBookings(client, pace, {
      see: (flow) => {
        this.#caseFlows.see(flow);
        this.#known.see(flow);
      },
      forgetAll: () => this.#known.forgetAll(),
    });
  }

  /** Throws when Temporal cannot be asked: then nothing has been promised, and the sender sends it again. */
  route(report: ShipmentReport): Promise<Routed> {
    return this.#route({ report, had: new Set() });
  }

  async #route(delivery: Delivery): Promise<Routed> {
    const { report } = delivery;
    if (await this.#toKnownOwners(delivery)) return { to: 'flows', workflowIds: [...delivery.had] };
    const { flow, isAlone } = await this.#byCase(report);
    const holders = isAlone ? [] : await this.#ask(report.shipmentUid);
    const owners = runningAmong(holders);
    // Before it has a number of its own to be found by, as right after its booking, a flow is found by the case number.
    const isFoundByCaseAlone = flow !== null && !owners.includes(flow.workflowId);
    if (isFoundByCaseAlone && !(await this.#give(delivery, flow.workflowId, flow.runId))) {
      // That run has ended since: the flow goes on as another one, or its key may be another's.
      this.#caseFlows.forget(flow.workflowId);
      return this.#route(delivery);
    }
    await this.#toAll(delivery, owners);
    return delivery.had.size > 0
      ? { to: 'flows', workflowIds: [...delivery.had] }
      : this.#toLateOwners(delivery, holders);
  }

  /** False where they must be asked for: they are not known, one has ended, or the case number is the key of none of them. */
  async #toKnownOwners(delivery: Delivery): Promise<boolean> {
    const { shipmentUid, referenceCaseNo } = delivery.report;
    if (!this.#options.looksAhead) return false;
    this.#newBookings.use();
    if (this.#known.of(shipmentUid) === null || (await this.#shared.has(shipmentUid))) return false;
    const owners = this.#known.of(shipmentUid) ?? [];
    const isNamedByCase = referenceCaseNo !== null && this.#options.byCase;
    if (isNamedByCase && owners.every(({ workflowId }) => workflowId !== referenceCaseNo)) return false;
    const taken = await Promise.all(
      owners.map(({ workflowId, runId }) => this.#give(delivery, workflowId, runId)),
    );
    if (taken.length > 0 && taken.every(Boolean)) return true;
    // One that has ended may go on as another run.
    this.#known.forget(shipmentUid);
    return false;
  }

  #ask(shipmentUid: string): Promise<readonly Holder[]> {
    return this.#options.looksAhead ? this.#known.ask(shipmentUid) : this.#owners.holdersOf(shipmentUid);
  }

  /** The running flow whose business key is the case number, and whether it is known that nobody else has the shipment. */
  async #byCase(report: ShipmentReport): Promise<{ flow: CaseFlow | null; isAlone: boolean }> {
    const { shipmentUid, referenceCaseNo: caseNo } = report;
    const nobody = { flow: null, isAlone: false };
    if (caseNo === null || !this.#options.byCase) return nobody;
    const flow = await this.#caseFlows.running(caseNo, shipmentUid);
    if (flow === null) return nobody;
    // A flow that issues stock has a prior shipment itself, which another may wait for too.
    const isItsOwn = flow.shipmentUids.includes(shipmentUid) && !typesWithPrior.has(flow.type);
    return { flow, isAlone: isItsOwn && !(await this.#shared.has(shipmentUid)) };
  }

  async #toAll(delivery: Delivery, owners: readonly string[]): Promise<void> {
    await Promise.all(owners.map((owner) => this.#give(delivery, owner)));
  }

  /** Once to each, however often it is looked for: whether it has it. */
  async #give({ report, had }: Delivery, workflowId: string, runId?: string): Promise<boolean> {
    if (had.has(workflowId)) return true;
    const isTaken = await this.deliver(report, workflowId, runId);
    if (isTaken) had.add(workflowId);
    return isTaken;
  }

  async #toLateOwners(delivery: Delivery, seen: readonly Holder[]): Promise<Routed> {
    const { report, had } = delivery;
    if (!isSearchable(report.shipmentUid)) return { to: 'nobody' };
    const until = Date.now() + this.#options.lookAgainForMs;
    let holders = seen;
    for (let wait = FIRST_PAUSE_MS; Date.now() < until; wait *= 2) {
      await pause(Math.min(wait, Math.max(1, until - Date.now())));
      holders = await this.#ask(report.shipmentUid);
      await this.#toAll(delivery, runningAmong(holders));
      if (had.size > 0) return { to: 'flows', workflowIds: [...had] };
    }
    const closed = workflowIdsOf(holders.filter((holder) => hasNoNeedOf(holder, report)));
    return closed.length > 0 ? { to: 'closedFlow', workflowIds: closed } : { to: 'nobody' };
  }

  /** False when that workflow, or that run of it, has ended or never was. */
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
 * Of one that has ended, though visibility may say so only later. A callback that comes once more after that end is no
 * news, whatever state it tells: what began before it, the flow has heard of or had no need of.
 */
function hasNoNeedOf({ closedAt }: Holder, { stateCode, stateStart }: ShipmentReport): boolean {
  return FINAL_STATES.has(stateCode) || (closedAt !== null && closedAt >= Date.parse(stateStart ?? ''));
}
