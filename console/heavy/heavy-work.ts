// Work that may take seconds (drawing a chart, checking many flow files) in threads of its own: the thread that answers requests is
// never held up. How long each may take, how many run and how many wait is bounded. Callers take turns.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConsoleRefusal } from '../refusal.ts';
import { FairQueue } from './fair-queue.ts';
import type { Answer, HeavyJobs, Started } from './heavy-thread.ts';

interface HeavyWorkOptions {
  readonly threads?: number;
  /** More are refused. */
  readonly maxWaiting?: number;
  /** Per caller; more are refused. */
  readonly maxPerCaller?: number;
  /** Milliseconds of one job. */
  readonly maxMs?: number;
}

/** The largest chart of ours takes 2 s, several times as long on a busy machine. */
const MAX_MS = 30_000;
const THREADS = 2;
const MAX_WAITING = 50;
/** A page of the console asks for one or two. */
const MAX_PER_CALLER = 4;
/** Megabytes. Without a limit, a job could end the whole process. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };

const MODULE = new URL(`./heavy-thread${extname(import.meta.url)}`, import.meta.url);

type Name = keyof HeavyJobs;
export type Input<Job extends Name> = Parameters<HeavyJobs[Job]>[0];
export type Result<Job extends Name> = Awaited<ReturnType<HeavyJobs[Job]>>;

/** Which work leaves one thread to the others: whoever has files checked all the time must not hold up every drawing. */
const leavesOneFree: Readonly<Record<Name, boolean>> = { draw: false, contents: true, check: true };

/** It took too long, or too much memory: the same work again would too. */
export class TooHeavy extends ConsoleRefusal {
  constructor(maxMs: number) {
    super(
      422,
      'TooMuchWork',
      `This takes more than ${maxMs / 1_000} s, or too much memory; expected a smaller flow file, or fewer at a time.`,
    );
  }
}

export class HeavyWork {
  readonly #maxMs: number;
  readonly #idle: Worker[] = [];
  readonly #turns: FairQueue<Name>;

  constructor({
    threads = THREADS,
    maxWaiting = MAX_WAITING,
    maxPerCaller = MAX_PER_CALLER,
    maxMs = MAX_MS,
  }: HeavyWorkOptions = {}) {
    this.#maxMs = maxMs;
    this.#turns = new FairQueue<Name>({
      what: 'charts and files',
      maxWaiting: maxWaiting,
      maxPerCaller,
      mayBegin: (name, running) => {
        if (!leavesOneFree[name]) return running.length < threads;
        const alike = running.filter((each) => leavesOneFree[each]).length;
        return running.length < threads && alike < Math.max(1, threads - 1);
      },
    });
  }

  /** Throws TooHeavy, what FairQueue throws, and what the job throws. */
  async do<Job extends Name>(name: Job, input: Input<Job>): Promise<Result<Job>> {
    return await this.#turns.do(name, () => this.#run(name, input));
  }

  async #run<Job extends Name>(name: Job, input: Input<Job>): Promise<Result<Job>> {
    const thread = this.#idle.pop() ?? new Worker(MODULE, { resourceLimits: MEMORY, execArgv: [] });
    thread.ref();
    const answer = await new Promise<Answer | 'tooHeavy'>((came) => {
      const tooHeavy = () => came('tooHeavy');
      const timer = setTimeout(tooHeavy, this.#maxMs);
      const settled = (given: Answer | 'tooHeavy') => {
        clearTimeout(timer);
        came(given);
      };
      thread.on('message', (given: Started | Answer) => {
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
      return answer.done as Result<Job>;
    }
    // An error may come after the first one.
    thread.on('error', () => undefined);
    await thread.terminate();
    throw answer === 'tooHeavy' ? new TooHeavy(this.#maxMs) : answer.failed;
  }
}

/** One for the whole process: what it bounds is this machine's. */
export const heavyWork = new HeavyWork();
