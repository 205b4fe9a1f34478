// Pages of processes by what is late, waits or is due first (due.ts). Temporal sorts by start and end alone, so all that are found are
// read. A few are read anew for each page. Many are read in the background, and asked there where they stand; until each was, the
// newest come first; from then on a page takes their order from there, and reads anew only what is on it and what has begun since.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { literal } from '../../shared/routing/owners.ts';
import { t } from '../../shared/texts/text.ts';
import { wrongInput } from '../outcome.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { compareDue, type Due, dueOf, waitOf } from './due.ts';
import { type CountedPage, type FoundFlow, foundPage } from './found-flows.ts';
import { isAsked, type Standing, standsSo } from './standing.ts';
import type { ProcessSummaries } from './summaries.ts';

/** Temporal finds so many in some 0.2 s. */
const FEW = 500;
/** In the background, so that a list need not wait long for the search. */
const AT_ONCE = 200;
/** With more, the newest come first: each is asked where it stands before it has a place. */
export const MAX_SORTED = 5_000;
/** What has ended or begun meanwhile is right on each page all the same. */
const MANY_READ_AGAIN_MS = 30_000;
const MAX_SEARCHES = 20;
/** A page waits so long for those that are asked for the first time; the rest of its time is for its own rows. */
const ASKED_WITHIN_MS = 250;
/** More do not begin in the time for which many are kept, or the page after the next one has them. */
const MAX_BEGUN = 100;

/** due: as the column says; waiting: what has waited longest comes first. */
export const orders = ['due', 'waiting'] as const;
export type Order = (typeof orders)[number];

const CURSOR = /^(due|waiting)-(\d{1,4})$/;

/** By the latest answer of each. */
interface SortedPageWanted extends Standing {
  readonly by: Order;
  readonly size: number;
  readonly from?: string | undefined;
}

/** All that a search found. */
interface Many {
  readonly flows: readonly FoundFlow[];
  readonly readAt: number;
}

type Summaries = Pick<ProcessSummaries, 'known' | 'wasAsked' | 'askAhead'>;

export class SortedPages {
  readonly #parts: TemporalContext;
  readonly #summaries: Summaries;
  /** By query: those of which each was asked. */
  readonly #many = new LRUCache<string, Many>({ max: MAX_SEARCHES });
  readonly #reading = new Map<string, Promise<Many>>();
  /** What goes on in the background is not bound by the time of the page that began it. */
  readonly #detached = AsyncLocalStorage.snapshot();

  constructor(parts: TemporalContext, summaries: Summaries) {
    this.#parts = parts;
    this.#summaries = summaries;
  }

  /**
   * In the order that is wanted; the newest first if there are too many to sort.
   * @param newest reads that page
   */
  async pageAs(
    query: string,
    { sort, ...page }: Omit<SortedPageWanted, 'by'> & { readonly sort: Order | 'newest' },
    newest: () => Promise<CountedPage>,
  ): Promise<CountedPage> {
    const asks = isAsked(page);
    const by = asks && sort === 'newest' ? 'due' : sort;
    const isOfNewest = !asks && page.from !== undefined && !isSortedCursor(page.from);
    if (by === 'newest' || isOfNewest) return await newest();
    return (await this.page(query, { ...page, by })) ?? (asks ? manyToAsk(page) : await newest());
  }

  /** Undefined: too many are found, or each of many has not been asked yet. */
  async page(
    query: string,
    { by, size, from, ...standing }: SortedPageWanted,
  ): Promise<CountedPage | undefined> {
    const begin = offsetOf(from, by);
    const asks = isAsked(standing);
    // Only the answers of all processes say which ones belong on the page.
    const found = await this.#found(query, asks || from !== undefined, by);
    if (!found) return undefined;
    const { count, isMany } = found;
    const sorted = asks ? found.sorted.filter((flow) => this.#standsSo(flow, standing)) : found.sorted;
    const end = endOf(sorted, begin, size);
    const rows = sorted.slice(begin, end);
    return {
      flows: isMany ? await this.#anew(query, rows) : rows,
      next: end < sorted.length ? `${by}-${end}` : null,
      count: isMany && !asks ? count : sorted.length,
      sorted: by,
      ...(asks && { unknown: this.#silentAmong(found.sorted), standing }),
    };
  }

  #standsSo({ runId }: FoundFlow, standing: Standing): boolean {
    const { summary } = this.#summaries.known(runId) ?? {};
    return summary !== undefined && standsSo(summary, standing);
  }

  #silentAmong(flows: readonly FoundFlow[]): number {
    return openOf(flows).filter(({ runId }) => !this.#summaries.known(runId)).length;
  }

  /** All that are found, by due; undefined as for a page. */
  async all(query: string): Promise<readonly FoundFlow[] | undefined> {
    return (await callTemporal(this.#parts, () => this.#found(query, false, 'due')))?.sorted;
  }

  async #found(query: string, mustHave: boolean, by: Order) {
    const begun = performance.now();
    const { client } = this.#parts;
    const { count } = await client.workflow.count(query);
    if (count > MAX_SORTED) return undefined;
    const isMany = count > FEW;
    const flows = isMany
      ? await this.#manyOf(query, mustHave)
      : (await foundPage(client, query, { size: FEW })).flows;
    if (!flows) return undefined;
    const sorted = await this.#askedAndSorted(flows, by, ASKED_WITHIN_MS - (performance.now() - begun));
    return { sorted, count, isMany };
  }

  /** Before somebody asks: reads and asks all that are found, unless they are too many. Never throws. */
  async readAhead(query: string): Promise<void> {
    try {
      const { count } = await callTemporal(this.#parts, () => this.#parts.client.workflow.count(query));
      if (count <= MAX_SORTED) await this.#read(query);
    } catch {
      // Temporal does not answer: whoever asks for a page is told.
    }
  }

  /** Those that are asked for the first time are waited for; the others are asked anew once it is time, behind them. */
  async #askedAndSorted(
    flows: readonly FoundFlow[],
    by: Order,
    withinMs: number,
  ): Promise<readonly FoundFlow[]> {
    const sorted = this.#sorted(flows, by);
    const asking = this.#detached(() => this.#summaries.askAhead(openOf(sorted)));
    if (openOf(flows).every(({ runId }) => this.#summaries.wasAsked(runId))) return sorted;
    await Promise.race([asking, delay(Math.max(0, withinMs), undefined, { ref: false })]);
    return this.#sorted(flows, by);
  }

  /** With what has begun since they were read. Undefined: they have not been read yet, or not all of them were asked. */
  async #manyOf(query: string, mustHave: boolean): Promise<readonly FoundFlow[] | undefined> {
    const kept = this.#many.get(query);
    const isOld = !kept || Date.now() - kept.readAt > MANY_READ_AGAIN_MS;
    const reading = isOld ? this.#read(query) : undefined;
    reading?.catch(() => undefined);
    const many = kept ?? (mustHave ? await reading : undefined);
    if (!many) return undefined;
    const since = many.flows
      .flatMap(({ startedAt }) => startedAt ?? [])
      .sort()
      .at(-1);
    if (since === undefined) return many.flows;
    const began = await foundPage(this.#parts.client, `StartTime >= ${literal(since)} AND ${query}`, {
      size: MAX_BEGUN,
    });
    return eachOnce([...began.flows, ...many.flows]);
  }

  #read(query: string): Promise<Many> {
    const reading =
      this.#reading.get(query) ??
      this.#detached(() => this.#readNow(query)).finally(() => this.#reading.delete(query));
    this.#reading.set(query, reading);
    return reading;
  }

  async #readNow(query: string): Promise<Many> {
    const readAt = Date.now();
    const flows: FoundFlow[] = [];
    let from: string | undefined;
    do {
      const wanted = { size: AT_ONCE, from };
      const page = await callTemporal(this.#parts, () => foundPage(this.#parts.client, query, wanted));
      flows.push(...page.flows);
      from = page.next ?? undefined;
    } while (from !== undefined);
    await this.#summaries.askAhead(openOf(this.#sorted(flows, 'due')));
    const many = { flows, readAt };
    this.#many.set(query, many);
    return many;
  }

  /** As the search finds them now; without those that it does not find any more. */
  async #anew(query: string, rows: readonly FoundFlow[]): Promise<readonly FoundFlow[]> {
    if (rows.length === 0) return rows;
    const runs = rows.map(({ runId }) => literal(runId)).join(', ');
    const { flows } = await foundPage(this.#parts.client, `RunId IN (${runs}) AND ${query}`, {
      size: rows.length,
    });
    const now = new Map(flows.map((flow) => [flow.runId, flow]));
    return rows.flatMap(({ runId }) => now.get(runId) ?? []);
  }

  /** Each case in the place of the first of it; what it has started stands behind it. */
  #sorted(flows: readonly FoundFlow[], by: Order): FoundFlow[] {
    const now = Date.now();
    const dues = new Map<FoundFlow, Due>(flows.map((flow) => [flow, this.#dueOf(flow, by, now)]));
    const inOrder = flows.toSorted((one, other) => compareDue(dues.get(one) as Due, dues.get(other) as Due));
    return casesOf(inOrder).flat();
  }

  #dueOf(flow: FoundFlow, by: Order, now: number): Due {
    const { startedAt, runId } = flow;
    const isOpen = flow.status === 'Running';
    const summary = isOpen ? (this.#summaries.known(runId)?.summary ?? null) : null;
    const row = { startedAt, phase: isOpen ? flow.phase : null, summary };
    return by === 'due' ? dueOf(row, now) : waitOf(row, now);
  }
}

/** What has ended waits for nothing, and is not asked. */
const openOf = (flows: readonly FoundFlow[]) =>
  flows.filter(({ status }) => status === 'Running').map(({ workflowId: key, runId }) => ({ key, runId }));

const eachOnce = (flows: readonly FoundFlow[]): FoundFlow[] => [
  ...new Map(flows.map((flow) => [flow.runId, flow])).values(),
];

/** Each case with what it has started, as far as they are found: the case first, the others in their order. */
export function casesOf(flows: readonly FoundFlow[]): FoundFlow[][] {
  const byKey = new Map(flows.map((flow) => [flow.workflowId, flow]));
  const cases = new Map<string, FoundFlow[]>();
  for (const flow of flows) {
    const { workflowId } = rootOf(flow, byKey);
    const others = cases.get(workflowId);
    if (!others) cases.set(workflowId, [flow]);
    else if (flow.workflowId === workflowId) others.unshift(flow);
    else others.push(flow);
  }
  return [...cases.values()];
}

function rootOf(flow: FoundFlow, byKey: ReadonlyMap<string, FoundFlow>): FoundFlow {
  const parent = flow.parent === null ? undefined : byKey.get(flow.parent);
  return parent && parent !== flow ? rootOf(parent, byKey) : flow;
}

/** A page does not part a case, unless it is longer than a page. */
function endOf(sorted: readonly FoundFlow[], begin: number, size: number): number {
  const keys = new Set(sorted.slice(begin, begin + size).map(({ workflowId }) => workflowId));
  const isPart = (flow: FoundFlow | undefined) =>
    flow !== undefined && flow.parent !== null && keys.has(flow.parent);
  let end = begin + size;
  while (end > begin && isPart(sorted[end])) end--;
  return end > begin ? Math.min(end, sorted.length) : begin + size;
}

/** Throws CommandError: there are too many to query each. */
function manyToAsk({ withThem }: Standing): never {
  const message = t`more than ${MAX_SORTED} open cases are too many to ask where their items are; narrow the search`;
  throw wrongInput(message, { [withThem ? 'withThem' : 'step']: message });
}

const isSortedCursor = (cursor: string | undefined): boolean => cursor !== undefined && CURSOR.test(cursor);

function offsetOf(from: string | undefined, by: Order): number {
  if (from === undefined) return 0;
  const [, order, offset] = CURSOR.exec(from) ?? [];
  if (offset === undefined || order !== by)
    throw wrongInput(`${from} is not a page; expected the value of next from the previous page`);
  return Number(offset);
}
