// A fair queue for expensive work: few run at once, callers take turns, waiting work is bounded, and work is dropped when its
// client has disconnected.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Turns } from '../../shared/limits/turns.ts';
import { ConsoleRefusal, tooManyRequests } from '../refusal.ts';

/** The caller of the current request. Passed in async context: the code that starts the work knows no request. */
export interface Requester {
  /** The id of the person or the program. */
  readonly caller: string;
  /** Whether nobody reads the answer any more. */
  isGone(): boolean;
}

export const currentRequester = new AsyncLocalStorage<Requester>();

/** Stands for work that the console starts outside any request. */
const theConsole: Requester = { caller: '', isGone: () => false };

/** The client disconnected before the work began. Other callers that wait for the same result start it themselves. */
class RequesterGone extends ConsoleRefusal {
  constructor() {
    super(499, 'ClientClosedRequest', 'The connection was closed before the work began.');
  }
}

/**
 * Returns the cached or running result, else creates one. If the first caller has disconnected before the work began, the next one
 * creates it.
 */
export async function getOrCreate<Made>(
  find: () => Promise<Made> | undefined,
  make: () => Promise<Made>,
): Promise<Made> {
  for (let found = find(); found; found = find())
    try {
      return await found;
    } catch (error) {
      if (!(error instanceof RequesterGone)) throw error;
    }
  return await make();
}

interface Bounds<Kind> {
  /** What waits, in words. */
  readonly what: string;
  /** That wait; more are refused. */
  readonly maxWaiting: number;
  readonly maxPerCaller: number;
  /** Whether one more of this kind may begin beside those that run. */
  readonly mayBegin: (kind: Kind, running: readonly Kind[]) => boolean;
}

interface Waiting<Kind> {
  readonly kind: Kind;
  readonly requester: Requester;
  readonly begin: () => Promise<void>;
  readonly refuse: (error: RequesterGone) => void;
}

const RETRY_AFTER_MS = 2_000;

export class FairQueue<Kind = null> {
  readonly #bounds: Bounds<Kind>;
  readonly #turns = new Turns<string, Waiting<Kind>>();
  readonly #running = new Set<Waiting<Kind>>();

  constructor(bounds: Bounds<Kind>) {
    this.#bounds = bounds;
  }

  /** Throws RequesterGone, ConsoleRefusal (429) where too many wait, and what the work throws. */
  async do<Done>(kind: Kind, work: () => Promise<Done>): Promise<Done> {
    const requester = currentRequester.getStore() ?? theConsole;
    this.#dropGone();
    if (!this.#mayBegin(kind)) this.#requireRoom(requester.caller);
    return await new Promise<Done>((resolve, reject) => {
      const begin = () => work().then(resolve, reject);
      this.#turns.wait(requester.caller, { kind, requester, begin, refuse: reject });
      this.#next();
    });
  }

  #mayBegin(kind: Kind): boolean {
    const running = [...this.#running].map((each) => each.kind);
    return this.#bounds.mayBegin(kind, running);
  }

  #requireRoom(caller: string): void {
    const { what, maxWaiting, maxPerCaller } = this.#bounds;
    const isOwn = this.#turns.countOf(caller) >= maxPerCaller;
    if (!isOwn && this.#turns.count < maxWaiting) return;
    const whose = isOwn ? `${maxPerCaller} of your` : 'Too many';
    throw tooManyRequests(`${whose} ${what} wait for their turn. Try again later.`, RETRY_AFTER_MS);
  }

  #dropGone(): void {
    for (const { refuse } of this.#turns.drop(({ requester }) => requester.isGone()))
      refuse(new RequesterGone());
  }

  #next(): void {
    this.#dropGone();
    for (;;) {
      const taken = this.#turns.next(({ kind }) => this.#mayBegin(kind));
      if (!taken) return;
      this.#running.add(taken);
      void taken.begin().finally(() => {
        this.#running.delete(taken);
        this.#turns.ended(taken.requester.caller);
        this.#next();
      });
    }
  }
}
