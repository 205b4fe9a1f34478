// Work that may take seconds (drawing a chart, checking many flow files) in threads of its own: the thread that answers requests is
// never held up. How long each may take, how many run and how many wait is bounded.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConsoleRefusal } from '../refusal.ts';
import type { Answer, HeavyJobs } from './heavy-thread.ts';

export interface HeavyWorkOptions {
  readonly threads?: number;
  /** More are refused. */
  readonly mostWaiting?: number;
  /** Milliseconds of one job. */
  readonly mostMs?: number;
}

/** Files within the bounds of flow files take up to some seconds; an ordinary chart takes a tenth of one. */
const MOST_MS = 10_000;
const THREADS = 2;
const MOST_WAITING = 50;
/** Megabytes. Without a limit, a job could end the whole process. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
const RETRY_AFTER_MS = 2_000;

const MODULE = new URL(`./heavy-thread${extname(import.meta.url)}`, import.meta.url);

type Name = keyof HeavyJobs;
export type Input<Job extends Name> = Parameters<HeavyJobs[Job]>[0];
export type Done<Job extends Name> = Awaited<ReturnType<HeavyJobs[Job]>>;

interface Waiting {
  readonly name: Name;
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

export class HeavyWork {
  readonly #threads: number;
  readonly #mostWaiting: number;
  readonly #mostMs: number;
  readonly #idle: Worker[] = [];
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor({ threads = THREADS, mostWaiting = MOST_WAITING, mostMs = MOST_MS }: HeavyWorkOptions = {}) {
    this.#threads = threads;
    this.#mostWaiting = mostWaiting;
    this.#mostMs = mostMs;
  }

  /** Throws TooHeavy, ConsoleRefusal (429) where too many wait, and what the job throws. */
  async do<Job extends Name>(name: Job, input: Input<Job>): Promise<Done<Job>> {
    if (this.#running >= this.#threads && this.#waiting.length >= this.#mostWaiting)
      throw new ConsoleRefusal(
        429,
        'TooManyRequests',
        'Too many charts and files wait for their turn. Try again later.',
        undefined,
        RETRY_AFTER_MS,
      );
    return await new Promise<Done<Job>>((resolve, reject) => {
      this.#waiting.push({ name, input, resolve: resolve as (value: unknown) => void, reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#running < this.#threads) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#running += 1;
      void this.#run(job).finally(() => {
        this.#running -= 1;
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
      thread.once('message', settled);
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
