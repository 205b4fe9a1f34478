// In which states of its chart each open process of a flow is. No search attribute has the state, and one would cost an action of
// Temporal for each step of each process: the processes are asked instead, which costs no event. A flow's page and the list of the
// processes of one of its states read the same answers, so their numbers agree.
import { LRUCache } from 'lru-cache';
import type { Position, StatePath } from '../../../engine/chart/chart-view.ts';
import { AnswerCache } from '../../answer-cache.ts';
import { eachAtOnce } from '../../at-once.ts';
import { type AtTemporal, answered, askedTemporal } from '../../at-temporal.ts';
import { flowQuery } from '../flow-query.ts';
import { type FoundFlow, foundPage } from '../found-flows.ts';

interface PlacedProcess extends FoundFlow {
  /** Null: it has not said yet; no worker answers for it, perhaps. */
  readonly active: readonly StatePath[] | null;
}

interface FlowNow {
  /** The newest first. */
  readonly processes: readonly PlacedProcess[];
  /** False: there are more, which are left out. */
  readonly isWhole: boolean;
}

/** More would keep the workers from their own work. All are asked at once: one whose worker is away delays no other. */
const ASKED_AT_ONCE = 100;
/** Those that are counted. Beyond, the numbers are of a part, and say so. */
const MAX_COUNTED = 5_000;
const PAGE = 1_000;
/** Who reads it waits no longer; what is not known by then comes with a later reading. */
const WITHIN_MS = 3_000;
/** All who look at a flow share one reading: its pages of the search, at most five, and its questions. */
const READ_EVERY_MS = 3_000;
const MAX_FLOWS = 100;
const MAX_KNOWN = 20_000;

interface CachedPosition {
  readonly at: number;
  readonly active: readonly StatePath[];
}

export class FlowPositions {
  readonly #parts: AtTemporal;
  /** By run. */
  readonly #positions = new LRUCache<string, CachedPosition>({ max: MAX_KNOWN });
  readonly #answers = new AnswerCache<readonly StatePath[]>();
  readonly #readings = new LRUCache<string, { readonly reading: Promise<FlowNow>; until: number }>({
    max: MAX_FLOWS,
  });

  constructor(parts: AtTemporal) {
    this.#parts = parts;
  }

  /** As of some seconds ago at most. Throws Refusal where Temporal does not answer. */
  of(flow: string): Promise<FlowNow> {
    const before = this.#readings.get(flow);
    if (before && Date.now() < before.until) return before.reading;
    const kept = { reading: this.#read(flow), until: Number.POSITIVE_INFINITY };
    this.#readings.set(flow, kept);
    kept.reading.then(
      () => {
        kept.until = Date.now() + READ_EVERY_MS;
      },
      () => {
        kept.until = 0;
      },
    );
    return kept.reading;
  }

  async #read(flow: string): Promise<FlowNow> {
    const { found, isWhole } = await this.#find(flow);
    await this.#askSome(found);
    const placed = ({ runId }: FoundFlow) => this.#positions.get(runId)?.active ?? null;
    return { processes: found.map((each) => ({ ...each, active: placed(each) })), isWhole };
  }

  async #find(flow: string): Promise<{ readonly found: readonly FoundFlow[]; readonly isWhole: boolean }> {
    const query = flowQuery({ flow: [flow], open: true });
    const found: FoundFlow[] = [];
    let from: string | null | undefined;
    while (from !== null && found.length < MAX_COUNTED) {
      const wanted = { size: PAGE, ...(from && { from }) };
      const page = await askedTemporal(this.#parts, () => foundPage(this.#parts.client, query, wanted));
      found.push(...page.flows);
      from = page.next;
    }
    return { found, isWhole: from === null };
  }

  /** Those that were never asked, then those that were asked longest ago: as many as there is time for. */
  async #askSome(all: readonly FoundFlow[]): Promise<void> {
    const askedAt = ({ runId }: FoundFlow) => this.#positions.get(runId)?.at ?? 0;
    const never = all.filter((each) => askedAt(each) === 0);
    const before = all.filter((each) => askedAt(each) > 0);
    const again = before.toSorted((one, other) => askedAt(one) - askedAt(other)).slice(0, ASKED_AT_ONCE);
    const interrupted = AbortSignal.timeout(WITHIN_MS);
    const ask = async ({ workflowId, runId }: FoundFlow) => {
      const active = await this.#answers.of(this.#parts, workflowId, (run) => this.#ask(workflowId, run));
      this.#positions.set(runId, { at: Date.now(), active });
    };
    // One that does not answer is left as it was.
    for await (const _ of eachAtOnce([...never, ...again], ask, { atOnce: ASKED_AT_ONCE, interrupted }));
  }

  async #ask(workflowId: string, runId: string): Promise<readonly StatePath[]> {
    const handle = this.#parts.client.workflow.getHandle(workflowId, runId);
    const { active } = await answered(this.#parts, () => handle.query<Position>('position'), WITHIN_MS);
    return active;
  }
}
