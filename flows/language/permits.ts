// The queue of a lock or a rate limit: who holds a permit, who waits for one, and who is next. Pure: the workflow of the queue says
// what time it is, and tells the processes.
import type {
  ListeningProcess,
  PermitHolderView,
  PermitQueueView,
  PermitRequest,
  PermitSource,
  PERMIT_SIGNAL as permitSignal,
  Requested,
  permitSignals as signals,
} from '../../contract/flows/correlation.ts';
import { instantText } from './expressions/moments.ts';

export type { Permit, PermitRequest, PermitSource, Requested } from '../../contract/flows/correlation.ts';

/** Repeated here, and held to be the same by their types: in the sandbox of workflows there are no values of the contract. */
export const permitSignals: typeof signals = { request: 'request', release: 'release' };
export const PERMIT_SIGNAL: typeof permitSignal = 'permit';

/** What a process gives to its worker to pass on to a queue. */
export interface PermitMessage {
  readonly kind: 'permit';
  readonly request: PermitRequest;
  readonly isReleased: boolean;
}

// All of them go along into each new run of a queue, which must stay below the 2 MB that Temporal takes.
export const MAX_WAITING = 2_000;
export const MAX_PERMITS = 1_000;
export const LONGEST_PERIOD_MS = 31 * 86_400_000;
export const LONGEST_KEY = 200;

// A process that was terminated does not say that it has ended. So somebody looks, while others wait for it: soon after it got
// the permit, and then less and less often.
const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 60_000;
const MAX_SHOWN = 100;

/** What a run of the queue leaves to the next one. Times are milliseconds since 1970. */
export interface PermitQueueState {
  readonly key: string;
  readonly held: readonly Requested[];
  readonly waiting: readonly Requested[];
  /** When permits of a rate limit were given. */
  readonly given: readonly number[];
  /** For how long that counts: the longest period that anybody has asked for. */
  readonly keepMs: number;
  readonly lookAt: number;
  readonly lookEveryMs: number;
}

const EMPTY: PermitQueueState = {
  key: '',
  held: [],
  waiting: [],
  given: [],
  keepMs: 0,
  lookAt: 0,
  lookEveryMs: FIRST_LOOK_MS,
};

export class PermitQueue {
  readonly #src: PermitSource;
  #state: PermitQueueState;

  constructor(src: PermitSource, state: PermitQueueState = EMPTY) {
    this.#src = src;
    this.#state = state;
  }

  get carried(): PermitQueueState {
    return this.#state;
  }

  get isOver(): boolean {
    const { held, waiting, given } = this.#state;
    return held.length + waiting.length + given.length === 0;
  }

  /** Whose permits are held. */
  get holders(): readonly ListeningProcess[] {
    return this.#state.held.map(({ process }) => process);
  }

  /** False: too many wait. The same request again changes nothing. */
  request(process: ListeningProcess, request: PermitRequest, now: number): boolean {
    const { key, perMs = 0 } = request;
    const known = [...this.#state.held, ...this.#state.waiting].filter(
      (each) => isSame(each.process, process) && each.invoke === request.invoke,
    );
    if (known.some(({ id }) => id === request.id)) return true;
    // Its invoke has begun anew: what it asked for before the process was reset is not wanted any more.
    for (const { id } of known) this.release(process, id);
    const { waiting, keepMs } = this.#state;
    if (waiting.length >= MAX_WAITING) return false;
    const asked = { ...request, process, since: now };
    this.#change({ key, waiting: [...waiting, asked], keepMs: Math.max(keepMs, perMs) });
    return true;
  }

  release(process: ListeningProcess, id: string): void {
    this.#without((each) => isSame(each.process, process) && each.id === id);
  }

  /** The process has ended. */
  gone(process: ListeningProcess): void {
    const { held, given } = this.#state;
    // It has not used the one that it could not be told of.
    if (this.#src === 'rate' && held.some((each) => isSame(each.process, process)))
      this.#change({ given: given.slice(0, -1) });
    this.#without((each) => isSame(each.process, process));
  }

  /** Gives permits to those whose turn it is. */
  next(now: number): readonly Requested[] {
    const next: Requested[] = [];
    for (let [first] = this.#state.waiting; first && this.#mayHave(first, now); [first] = this.#state.waiting)
      next.push(this.#give(first, now));
    return next;
  }

  /** When there is something to do although nobody says anything; undefined: never. */
  get dueAt(): number | undefined {
    const { waiting, given, keepMs, lookAt } = this.#state;
    const [first] = waiting;
    if (this.#src === 'lock') return first && lookAt;
    const last = given.at(-1);
    return first ? this.#turnAt(first) : last && last + keepMs;
  }

  /** Whether it is time to ask whether the holders are still there. */
  isLookDue(now: number): boolean {
    const { waiting, held, lookAt } = this.#state;
    return this.#src === 'lock' && waiting.length > 0 && held.length > 0 && now >= lookAt;
  }

  /** After a look: the next one is later. */
  looked(now: number): void {
    const lookEveryMs = Math.min(LONGEST_LOOK_MS, 2 * this.#state.lookEveryMs);
    this.#change({ lookAt: now + lookEveryMs, lookEveryMs });
  }

  /** Forgets what does not count any more. Permits of a rate limit are used up once their processes know of them. */
  tidy(now: number): void {
    const { given, keepMs } = this.#state;
    if (this.#src === 'rate') this.#change({ held: [], given: given.filter((at) => at + keepMs > now) });
  }

  get view(): PermitQueueView {
    const { key, held, waiting, given } = this.#state;
    return {
      src: this.#src,
      key,
      holders: held.map(viewOf),
      waiting: waiting.slice(0, MAX_SHOWN).map(viewOf),
      waitingCount: waiting.length,
      ...(this.#src === 'rate' && { given: given.length }),
    };
  }

  /** In the order in which they have asked. Nobody gets a permit that it or any holder does not leave room for. */
  #mayHave(first: Requested, now: number): boolean {
    if (this.#src === 'rate') return this.#turnAt(first) <= now;
    const { held } = this.#state;
    return held.length < Math.min(first.limit, ...held.map(({ limit }) => limit));
  }

  /** When the permit before its limit does not count any more. */
  #turnAt({ limit, perMs = 0 }: Requested): number {
    const { given } = this.#state;
    const before = given[given.length - limit];
    return before === undefined ? 0 : before + perMs;
  }

  #give(first: Requested, now: number): Requested {
    const { held, waiting, given, lookAt, lookEveryMs } = this.#state;
    const permit = { ...first, heldSince: now };
    const isAlone = held.length === 0;
    this.#change({
      held: [...held, permit],
      waiting: waiting.slice(1),
      ...(this.#src === 'rate' && { given: [...given, now].slice(-MAX_PERMITS) }),
      lookEveryMs: isAlone ? FIRST_LOOK_MS : lookEveryMs,
      lookAt: isAlone ? now + FIRST_LOOK_MS : Math.min(lookAt, now + FIRST_LOOK_MS),
    });
    return permit;
  }

  #without(is: (each: Requested) => boolean): void {
    const { held, waiting } = this.#state;
    this.#change({
      held: held.filter((each) => !is(each)),
      waiting: waiting.filter((each) => !is(each)),
    });
  }

  #change(now: Partial<PermitQueueState>): void {
    this.#state = { ...this.#state, ...now };
  }
}

const isSame = (one: ListeningProcess, other: ListeningProcess): boolean =>
  one.workflowId === other.workflowId && one.firstRunId === other.firstRunId;

const viewOf = ({ process, invoke, since, heldSince = since }: Requested): PermitHolderView => ({
  process: process.workflowId,
  invoke,
  since: instantText(heldSince),
});
