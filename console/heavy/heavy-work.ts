// Work that may take seconds (drawing a chart, checking many flow files) in threads of its own: the thread that answers requests is
// never held up. How long each may take, how many run and how many wait is bounded. Callers take turns.
import { AsyncLocalStorage } from 'node:async_hooks';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Turns } from '../../runtime/limits/turns.ts';
import { ConsoleRefusal, tooManyRequests } from '../refusal.ts';
import type { Answer, Begun, HeavyJobs } from './heavy-thread.ts';

/** In whose request work is asked for: that is done far below the route, by code that knows of no request. */
export interface Asker {
  /** The id of the person or the program. */
  readonly caller: string;
  /** Whether nobody reads the answer any more. */
  isGone(): boolean;
}

export const askedBy = new AsyncLocalStorage<Asker>();

interface HeavyWorkOptions {
  readonly threads?: number;
  /** More are refused. */
  readonly mostWaiting?: number;
  /** Per caller; more are refused. */
  readonly mostOfCaller?: number;
  /** Milliseconds of one job. */
  readonly mostMs?: number;
}

/** The largest chart of ours takes 2 s, several times as long on a busy machine. */
const MOST_MS = 30_000;
const THREADS = 2;
const MOST_WAITING = 50;
/** A page of the console asks for one or two. */
const MOST_OF_CALLER = 4;
/** Megabytes. Without a limit, a job could end the whole process. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
const RETRY_AFTER_MS = 2_000;

const MODULE = new URL(`./heavy-thread${extname(import.meta.url)}`, import.meta.url);

type Name = keyof HeavyJobs;
export type Input<Job extends Name> = Parameters<HeavyJobs[Job]>[0];
export type Done<Job extends Name> = Awaited<ReturnType<HeavyJobs[Job]>>;

/** Which work leaves one thread to the others: whoever has files checked all the time must not hold up every drawing. */
const leavesOneFree: Readonly<Record<Name, boolean>> = { draw: false, contents: true, check: true };

interface Waiting {
  readonly name: Name;
  readonly asker: Asker;
  readonly input: unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** It took too long, or too much memory: the same work again would too. */
export class TooHeavy extends ConsoleRefusal {
  constructor(mostMs: number) {
    super(
      422,
      'TooMuchWork',
      `This takes more than ${mostMs / 1_000} s, or too much memory; expected a smaller flow file, or fewer at a time.`,
    );
  }
}

/** Nobody reads this one: whoever asked has closed the connection. Whoever waits for the same work asks again. */
export class AskerGone extends ConsoleRefusal {
  constructor() {
    super(499, 'ClientClosedRequest', 'The connection was closed before the work began.');
  }
}

/** Not a request, but the console itself. */
const itself: Asker = { caller: '', isGone: () => false };

export class HeavyWork {
  readonly #threads: number;
  readonly #mostWaiting: number;
  readonly #mostOfCaller: number;
  readonly #mostMs: number;
  readonly #idle: Worker[] = [];
  readonly #turns = new Turns<string, Waiting>();
  readonly #running = new Set<Waiting>();

  constructor({
    threads = THREADS,
    mostWaiting = MOST_WAITING,
    mostOfCaller = MOST_OF_CALLER,
    mostMs = MOST_MS,
  }: HeavyWorkOptions = {}) {
    this.#threads = threads;
    this.#mostWaiting = mostWaiting;
    this.#mostOfCaller = mostOfCaller;
    this.#mostMs = mostMs;
  }

  /** Throws TooHeavy, AskerGone, ConsoleRefusal (429) where too many wait, and what the job throws. */
  async do<Job extends Name>(name: Job, input: Input<Job>): Promise<Done<Job>> {
    const asker = askedBy.getStore() ?? itself;
    this.#dropGone();
    if (!this.#mayRun(name)) this.#requireRoom(asker.caller);
    return await new Promise<Done<Job>>((resolve, reject) => {
      this.#turns.wait(asker.caller, {
        ...{ name, asker, input },
        ...{ resolve: resolve as (value: unknown) => void, reject },
      });
      this.#next();
    });
  }

  #requireRoom(caller: string): void {
    const isOwn = this.#turns.countOf(caller) >= this.#mostOfCaller;
    if (!isOwn && this.#turns.count < this.#mostWaiting) return;
    const whose = isOwn ? `${this.#mostOfCaller} of your` : 'Too many';
    throw tooManyRequests(`${whose} charts and files wait for their turn. Try again later.`, RETRY_AFTER_MS);
  }

  #dropGone(): void {
    for (const { reject } of this.#turns.drop(({ asker }) => asker.isGone())) reject(new AskerGone());
  }

  #mayRun(name: Name): boolean {
    if (!leavesOneFree[name]) return this.#running.size < this.#threads;
    const alike = [...this.#running].filter((each) => leavesOneFree[each.name]).length;
    return this.#running.size < this.#threads && alike < Math.max(1, this.#threads - 1);
  }

  #next(): void {
    this.#dropGone();
    for (;;) {
      const job = this.#turns.next(({ name }) => this.#mayRun(name));
      if (!job) return;
      this.#running.add(job);
      void this.#run(job).finally(() => {
        this.#running.delete(job);
        this.#turns.ended(job.asker.caller);
        this.#next();
      });
    }
  }

  async #run({ name, input, resolve, reject }: Waiting): Promise<void> {
    const thread = this.#idle.pop() ?? new Worker(MODULE, { resourceLimits: MEMORY, execArgv: [] });
    thread.ref();
    const answer = await new Promise<Answer | 'tooHeavy'>((came) => {
      const tooHeavy = () => came('tooHeavy');
      const timer = setTimeout(tooHeavy, this.#mostMs);
      const settled = (given: Answer | 'tooHeavy') => {
        clearTimeout(timer);
        came(given);
      };
      thread.on('message', (given: Begun | Answer) => {
        if (given === 'begun') timer.refresh();
        else settled(given);
      });
      // One that has ended by itself had too little memory, or could not begin.
      thread.once('error', (error: Error & { code?: string }) =>
        settled(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'tooHeavy' : { failed: error }),
      );
      thread.postMessage({ name, input });
    });
    // Not all: Node's own would go too, and the thread would never answer again.
    for (const event of ['message', 'error']) thread.removeAllListeners(event);
    if (answer !== 'tooHeavy' && 'done' in answer) {
      thread.unref();
      this.#idle.push(thread);
      return resolve(answer.done);
    }
    // An error may come after the first one.
    thread.on('error', () => undefined);
    await thread.terminate();
    reject(answer === 'tooHeavy' ? new TooHeavy(this.#mostMs) : answer.failed);
  }
}

/** One for the whole process: what it bounds is this machine's. */
export const heavyWork = new HeavyWork();
