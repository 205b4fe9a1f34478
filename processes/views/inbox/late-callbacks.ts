// Callbacks that do not arrive, found without being asked for: while somebody has the inbox open, the shipments that changed
// last are compared with what their processes have heard. A shipment whose process has heard is asked about no more until it
// changes again, so a look costs one listing and a question for each change. What is older a comparison finds (../comparison.ts).
import type { ServiceReader } from '../../../shared/locker-api/compared-service.ts';
import { type ListedShipment, listShipmentPage } from '../../../shared/locker-api/list-shipments.ts';
import { behindService } from '../../../shared/routing/comparison/behind.ts';
import type { Disagreement } from '../../../shared/routing/comparison/disagreement.ts';
import { usualComparison } from '../../../shared/routing/comparison/schedule.ts';
import type { InboxParts } from './source.ts';

/** A callback that has not come for so long is late, where no setting says otherwise. */
export const USUAL_LATE_MS = 90_000;

/** Milliseconds from the end of one look to the next. */
const LOOK_EVERY_MS = 10_000;
// A first look goes back so far; a later one ends where it meets what it knows.
const MAX_PAGES = 20;
const PAGE_SIZE = 100;
/** Shipments of which nothing more is to be asked: more than a look lists. */
const MAX_SETTLED = 10_000;

interface LateCallback {
  readonly found: Disagreement;
  /** ISO 8601: since when the shipment is in the state of which the process has not heard. */
  readonly since: string | null;
}

interface Open {
  readonly shipment: ListedShipment;
  readonly firstSeenMs: number;
  readonly found?: Disagreement;
}

export class LateCallbacks {
  readonly #parts: InboxParts;
  readonly #reader: ServiceReader;
  readonly #changed: () => void;
  readonly #pages: number;
  /** By uid: the state that its process has heard of. */
  readonly #settled = new Map<string, string>();
  readonly #open = new Map<string, Open>();
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #problem: unknown;

  /** @param pages a first look goes back so far */
  constructor(parts: InboxParts, reader: ServiceReader, changed: () => void, pages = MAX_PAGES) {
    this.#parts = parts;
    this.#pages = pages;
    this.#changed = changed;
    this.#reader = reader;
  }

  /** When the last look ended; null before the first. */
  get lookedAt(): string | null {
    return Number.isFinite(this.#lookedAtMs) ? new Date(this.#lookedAtMs).toISOString() : null;
  }

  /** What was found last; begins another look when it is time. Throws what the last look has failed with. */
  current(nowMs = Date.now()): readonly LateCallback[] {
    this.#begin(nowMs);
    if (this.#problem !== undefined) throw this.#problem;
    return [...this.#open.values()].flatMap((open) => this.#late(open, nowMs));
  }

  /** Begins another look when it is time, and waits for it. */
  async look(nowMs = Date.now()): Promise<void> {
    this.#begin(nowMs);
    await this.#looking;
  }

  #begin(nowMs: number): void {
    if (this.#looking !== undefined || nowMs - this.#lookedAtMs < LOOK_EVERY_MS) return;
    this.#looking = this.#look(nowMs).finally(() => {
      this.#looking = undefined;
    });
  }

  #late({ shipment, firstSeenMs, found }: Open, nowMs: number): LateCallback[] {
    if (!found) return [];
    const since = instantOf(shipment.stateStart);
    // The clock of the service may be ahead, or in a zone that nobody told us: then the console's own counts.
    const knownForMs = nowMs - Math.min(firstSeenMs, since === null ? firstSeenMs : Date.parse(since));
    return knownForMs >= this.#parts.callbackLateMs ? [{ found, since }] : [];
  }

  async #look(nowMs: number): Promise<void> {
    try {
      for (const shipment of await this.#shipmentsChanged())
        this.#open.set(shipment.shipmentUid, { shipment, firstSeenMs: nowMs });
      await this.#askAboutOpen(nowMs);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error;
    }
    this.#lookedAtMs = Date.now();
    this.#changed();
  }

  /** The shipments that have changed since the last look, as the service lists them: the last change first. */
  async #shipmentsChanged(): Promise<ListedShipment[]> {
    const changed: ListedShipment[] = [];
    for (let pageNo = 1; pageNo <= this.#pages; pageNo++) {
      const request = { pageNo, pageSize: PAGE_SIZE, sortBy: 'ActivityDesc' } as const;
      const { call, peer } = this.#reader;
      const page = await listShipmentPage({ peer, read: (asked) => call('GetShipments', asked) }, request);
      const fresh = page.filter((each) => !this.#isKnown(each));
      changed.push(...fresh);
      if (page.length < PAGE_SIZE || fresh.length === 0) break;
    }
    return changed;
  }

  #isKnown(shipment: ListedShipment): boolean {
    const { shipmentUid } = shipment;
    const open = this.#open.get(shipmentUid);
    return open
      ? stateOf(open.shipment) === stateOf(shipment)
      : this.#settled.get(shipmentUid) === stateOf(shipment);
  }

  async #askAboutOpen(nowMs: number): Promise<void> {
    const { client, taskQueue, callbackLateMs } = this.#parts;
    const shipments = [...this.#open.values()].map(({ shipment }) => shipment);
    const { behind, unknown } = await behindService(client, shipments, {
      taskQueue,
      perSecond: usualComparison.perSecond,
    });
    const found = new Map(behind.map((each) => [each.shipmentUid, each]));
    for (const [uid, open] of [...this.#open]) {
      const late = found.get(uid);
      const isYoung = nowMs - open.firstSeenMs < callbackLateMs;
      // The search may not show its process yet.
      if (late || (unknown.has(uid) && isYoung))
        this.#open.set(uid, { ...without(open), ...(late && { found: late }) });
      else this.#settle(open.shipment);
    }
  }

  #settle(shipment: ListedShipment): void {
    const { shipmentUid } = shipment;
    this.#open.delete(shipmentUid);
    this.#settled.delete(shipmentUid);
    this.#settled.set(shipmentUid, stateOf(shipment));
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > MAX_SETTLED && oldest !== undefined) this.#settled.delete(oldest);
  }
}

const without = ({ shipment, firstSeenMs }: Open): Open => ({ shipment, firstSeenMs });

const stateOf = ({ stateCode, stateStart }: ListedShipment): string =>
  JSON.stringify([stateCode, stateStart]);

function instantOf(stateStart: string | null | undefined): string | null {
  const at = Date.parse(stateStart ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
