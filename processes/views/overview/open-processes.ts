// The open processes with their next deadlines. Temporal's search knows no deadline, so the processes are asked: some at each
// reading, those that were never asked first, and then only those that have gone on. A question costs no event, but some work of a
// worker. Whoever goes through the list page by page finds there what was asked here.
import { LRUCache } from 'lru-cache';
import { eachAtOnce } from '../../at-once.ts';
import { type AtTemporal, askedTemporal } from '../../at-temporal.ts';
import { flowQuery } from '../flow-query.ts';
import { type FoundFlow, foundPage } from '../found-flows.ts';
import type { ProcessSummaries } from '../summaries.ts';
import type { ProcessSummary } from '../summary-of.ts';

export interface OpenProcess extends FoundFlow {
  /** Its next deadline, in milliseconds of the real time; null: it has none, or has not said so yet. */
  readonly dueMs: number | null;
  readonly isAsked: boolean;
  /** Where it stands, for people; null: it has not said so yet. */
  readonly words: string | null;
}

export interface OpenNow {
  /** The newest first. */
  readonly processes: readonly OpenProcess[];
  /** False: there are more, which are left out. */
  readonly isWhole: boolean;
}

interface SearchResult extends Pick<OpenNow, 'isWhole'> {
  readonly found: readonly FoundFlow[];
  /** The real time at which the search for them began. */
  readonly asOf: number;
}

interface CachedAnswer extends Pick<OpenProcess, 'dueMs' | 'words'> {
  readonly at: number;
}

/** With more, people narrow their search; all of them would keep the workers from their own work. */
const MAX_OPEN = 2_000;
const PAGE = 1_000;
/** Who reads it waits no longer; what is not known by then comes with a later reading. */
const ASKING_MS = 800;
/** Few: the workers have work of their own. As many as let people read a page before the next one is known. */
const ASKED_AT_ONCE = 4;
/** So many of those that were asked before, at each reading: a deadline moves seldom. */
const ASKED_AGAIN = 30;
/** All pages of the console share one reading. */
const READ_EVERY_MS = 3_000;
/** To find 2,000 takes Temporal most of a second: then it is done less often. */
const PAUSES_OF_A_SEARCH = 9;
const LONGEST_PAUSE_MS = 20_000;
/** Temporal's clock may be behind, and its search behind its workflows. */
const MARGIN_MS = 10_000;
/** A list that is opened shows its rows before Temporal has to look for all open processes. */
const FIRST_AFTER_MS = 1_500;
/** From one look at whether the rows of the lists have been asked to the next. */
const LOOK_AGAIN_MS = 50;

const NOTHING_YET: OpenNow = { processes: [], isWhole: false };

export class OpenProcesses {
  readonly #parts: AtTemporal;
  readonly #summaries: Pick<ProcessSummaries, 'behind' | 'isBusy'>;
  readonly #answers = new LRUCache<string, CachedAnswer>({ max: 2 * MAX_OPEN });
  #reading: Promise<OpenNow> | undefined;
  #readAgainAt = 0;
  #found: SearchResult | undefined;
  #findAgainAt = 0;
  #last: OpenNow = NOTHING_YET;
  #beginning: NodeJS.Timeout | undefined;

  /** @param summaries what the processes say, which the rows of the lists ask first */
  constructor(parts: AtTemporal, summaries: Pick<ProcessSummaries, 'behind' | 'isBusy'>) {
    this.#parts = parts;
    this.#summaries = summaries;
  }

  /** At once, what was read last, for whoever asks again soon; nothing at first. */
  soon(): OpenNow {
    const read = () => void this.now().catch(() => undefined);
    if (this.#last !== NOTHING_YET) read();
    else
      this.#beginning ??= setTimeout(() => {
        this.#beginning = undefined;
        read();
      }, FIRST_AFTER_MS).unref();
    return this.#last;
  }

  /** As of some seconds ago at most. Throws Refusal where Temporal does not answer. */
  now(): Promise<OpenNow> {
    if (this.#reading && Date.now() < this.#readAgainAt) return this.#reading;
    const reading = this.#read();
    this.#reading = reading;
    this.#readAgainAt = Number.POSITIVE_INFINITY;
    void reading.then(
      (read) => {
        this.#last = read;
        this.#readAgainAt = Date.now() + READ_EVERY_MS;
      },
      () => {
        this.#reading = undefined;
      },
    );
    return reading;
  }

  /** For whoever looks for one that may have begun this moment: the newest first, as far as they are read. */
  async found(): Promise<readonly FoundFlow[]> {
    const { found, asOf } = this.#found ?? (await this.#findNow());
    const since = new Date(asOf - MARGIN_MS).toISOString();
    const query = flowQuery({ open: true, query: `StartTime >= '${since}'` });
    const newer = await askedTemporal(this.#parts, () =>
      foundPage(this.#parts.client, query, { size: PAGE }),
    );
    return [...new Map([...newer.flows, ...found].map((each) => [each.runId, each])).values()];
  }

  async #read(): Promise<OpenNow> {
    const before = Date.now() < this.#findAgainAt ? this.#found : undefined;
    const { found, isWhole } = before ?? (await this.#findNow());
    await this.#askSome(found);
    const processes = found.map((each): OpenProcess => {
      const answer = this.#answers.get(each.runId);
      const { dueMs = null, words = null } = answer ?? {};
      return { ...each, dueMs, words, isAsked: answer !== undefined };
    });
    return { processes, isWhole };
  }

  async #findNow(): Promise<SearchResult> {
    const asOf = Date.now();
    const found = await this.#find();
    const pause = Math.min(LONGEST_PAUSE_MS, PAUSES_OF_A_SEARCH * (Date.now() - asOf));
    this.#findAgainAt = Date.now() + pause;
    this.#found = { ...found, asOf };
    return this.#found;
  }

  async #find(): Promise<Omit<SearchResult, 'asOf'>> {
    const query = flowQuery({ open: true });
    const found: FoundFlow[] = [];
    let from: string | null | undefined;
    while (from !== null && found.length < MAX_OPEN) {
      const wanted = { size: PAGE, ...(from && { from }) };
      const page = await askedTemporal(this.#parts, () => foundPage(this.#parts.client, query, wanted));
      found.push(...page.flows);
      from = page.next;
    }
    return { found, isWhole: from === null };
  }

  async #askSome(found: readonly FoundFlow[]): Promise<void> {
    const askedAt = ({ runId }: FoundFlow) => this.#answers.get(runId)?.at ?? 0;
    const never = found.filter((each) => askedAt(each) === 0);
    const before = found.filter((each) => askedAt(each) > 0);
    const again = before.toSorted((one, other) => askedAt(one) - askedAt(other)).slice(0, ASKED_AGAIN);
    const interrupted = AbortSignal.timeout(ASKING_MS);
    const endsAt = Date.now() + ASKING_MS;
    const ask = async (each: FoundFlow) => {
      // The rows that people look at are asked first.
      while (this.#summaries.isBusy && Date.now() < endsAt) await pause(LOOK_AGAIN_MS);
      if (this.#summaries.isBusy) return;
      const summary = await this.#summaries.behind({ key: each.workflowId, runId: each.runId });
      this.#answers.set(each.runId, { at: Date.now(), ...deadlineIn(summary) });
    };
    // One that does not answer is left as it was.
    for await (const _ of eachAtOnce([...never, ...again], ask, { atOnce: ASKED_AT_ONCE, interrupted }));
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A sandbox's clock may be ahead: its deadlines end earlier by the real time. */
function deadlineIn({ until, states, clockAheadMs }: ProcessSummary): Pick<OpenProcess, 'dueMs' | 'words'> {
  const words = (states.find(({ isDone }) => !isDone) ?? states[0])?.words ?? null;
  return { dueMs: until === null ? null : Date.parse(until) - clockAheadMs, words };
}

export const byDeadline = (one: OpenProcess, other: OpenProcess): number =>
  (one.dueMs ?? Number.POSITIVE_INFINITY) - (other.dueMs ?? Number.POSITIVE_INFINITY) || 0;

/** From now on, and before this instant. */
export const isDueBefore =
  (beforeMs: number, now = Date.now()) =>
  ({ dueMs }: Pick<OpenProcess, 'dueMs'>): boolean =>
    dueMs !== null && dueMs >= now && dueMs < beforeMs;
