// Finds the running flow whose business key is a case number. Temporal would also deliver the signal to a workflow of
// another type, and the callback would be lost: so this checks the type. It describes the workflow itself, which is
// always current, and never queries the visibility store.

import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { inNobodysContext, listed, type Pace, uidsOf } from './owners.ts';

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

  /** shared/routing/case-flow.ts has found it: its callbacks need no query. */
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

function caseFlowOf(execution: Execution): CaseFlow {
  const { workflowId, runId, type } = execution;
  return { workflowId, runId, type, shipmentUids: uidsOf(execution) };
}

// Finds flows that have booked, each once and many in one query, before their callbacks come: then no callback needs
// its own query. If it misses a flow, the callback queries for it.

// Milliseconds. Visibility shows a flow's booking 0.2 to 2 s after it (measured); clocks differ a little too.
const SEEN_AFTER_MS = 3_000;
const EVERY_MS = 1_000;
// Milliseconds. A process that gets no more callbacks must not use the namespace's quota.
const AFTER_LAST_CALLBACK_MS = 600_000;
// Milliseconds. A query further back would find thousands of flows, most of them without a callback soon.
const LONGEST_LOOK_BACK_MS = 900_000;

interface SeeingBookings {
  /** A running flow that has learned its shipments lately. */
  see(flow: CaseFlow): void;
  /** Some flows may have been missed, because the last query was long ago. */
  forgetAll(): void;
}

/** To be called when a callback came: the queries go on for some minutes after it. */
export function newBookings(
  client: Client,
  pace: Pace,
  seeing: SeeingBookings,
  everyMs = EVERY_MS,
): () => void {
  /** Epoch milliseconds: all bookings before it were found. */
  let seenUntil = Number.NEGATIVE_INFINITY;
  let usedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  return () => {
    usedAt = performance.now();
    if (!isLooking) void inNobodysContext(goOn);
  };

  /** Never throws: if Temporal does not answer, the next query starts at the same time as this one. */
  async function goOn(): Promise<void> {
    isLooking = true;
    while (performance.now() - usedAt < AFTER_LAST_CALLBACK_MS) {
      await look().catch(() => undefined);
      await pause(everyMs, undefined, { ref: false });
    }
    isLooking = false;
  }

  async function look(): Promise<void> {
    await pace.turn();
    const until = Date.now() - SEEN_AFTER_MS;
    if (until - seenUntil > LONGEST_LOOK_BACK_MS) {
      seeing.forgetAll();
      seenUntil = until - LONGEST_LOOK_BACK_MS;
    }
    const [from, to] = [seenUntil, until].map((moment) => new Date(moment).toISOString());
    const query = `ExecutionStatus = 'Running' AND LockerBookedAt > '${from}' AND LockerBookedAt <= '${to}'`;
    for await (const execution of listed(client, query, pace)) seeing.see(caseFlowOf(execution));
    seenUntil = until;
  }
}
