// Keeps the callbacks of one receiver. A callback that is repeated again and again, like a vendor's ping, is signalled
// once an hour: Temporal takes 10,000 signals for one run of a workflow, and a ping every minute reaches that within a
// week.

import { createHash } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { OtherMessage, UnmatchedCallback } from '../../contract/flows/unmatched-callback.ts';
import { type KeepOptions, keepMessage, keepReport, unmatchedId } from './keep-unmatched.ts';

/** All further types share one workflow. */
const FURTHER_TYPES = 'of further types';

interface RepetitionLimits {
  /** Milliseconds in which the same callback is counted, and not signalled again. */
  readonly countedForMs: number;
  /** Each type has its own workflow, until there are more types than this. */
  readonly maxTypes: number;
}

const usualLimits: RepetitionLimits = { countedForMs: 3_600_000, maxTypes: 100 };
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly workflowId: string;
  readonly until: number;
  /** Not signalled yet. */
  readonly times: number;
}

export class UnmatchedCallbacks {
  readonly #client: Client;
  readonly #options: KeepOptions;
  readonly #limits: RepetitionLimits;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  /** Shipments of which a callback may wait. */
  readonly #waiting = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #types = new Set<string>();

  constructor(client: Client, options: KeepOptions, limits = usualLimits) {
    this.#client = client;
    this.#options = options;
    this.#limits = limits;
  }

  /**
   * Puts it behind the callbacks of its shipment that wait: a flow hears of the states in their order, also if it can be found
   * by now. The id of the workflow that keeps them; null if none waits, or it is one of them.
   */
  async behind(report: ShipmentReport): Promise<string | null> {
    const { shipmentUid } = report;
    if (!this.#waiting.has(shipmentUid) || this.#isCounted(contentOf(report))) return null;
    const workflowId = unmatchedId(shipmentUid);
    try {
      return await this.#once(report, async (timesBefore) => {
        await this.#client.workflow.getHandle(workflowId).signal('keep', report, timesBefore);
        return workflowId;
      });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      this.#waiting.delete(shipmentUid);
      return null;
    }
  }

  /** The id of the workflow that keeps it. */
  report(report: ShipmentReport): Promise<string> {
    this.#waiting.set(report.shipmentUid, true);
    return this.#once(report, (timesBefore) => keepReport(this.#client, this.#options, report, timesBefore));
  }

  message(message: OtherMessage): Promise<string> {
    const among = this.#typeOf(message);
    return this.#once(message, (timesBefore) =>
      keepMessage(this.#client, this.#options, message, { timesBefore, among }),
    );
  }

  async #once(callback: UnmatchedCallback, keep: (timesBefore: number) => Promise<string>): Promise<string> {
    const key = contentOf(callback);
    const known = this.#remembered.get(key);
    if (known && this.#isCounted(key)) {
      this.#remembered.set(key, { ...known, times: known.times + 1 });
      return known.workflowId;
    }
    const workflowId = await keep(known?.times ?? 0);
    this.#remembered.set(key, { workflowId, until: performance.now() + this.#limits.countedForMs, times: 0 });
    return workflowId;
  }

  /** It has come within the hour. */
  #isCounted(key: string): boolean {
    return (this.#remembered.get(key)?.until ?? 0) > performance.now();
  }

  #typeOf({ messageType }: OtherMessage): string {
    if (this.#types.has(messageType)) return messageType;
    if (this.#types.size >= this.#limits.maxTypes) return FURTHER_TYPES;
    this.#types.add(messageType);
    return messageType;
  }
}

/** Everything except the time of arrival. */
const contentOf = (callback: UnmatchedCallback): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...callback, receivedAt: null }))
    .digest('base64');
