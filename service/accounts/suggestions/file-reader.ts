// Reads uploaded files one at a time, each in a thread of its own that is bounded in time and memory, so that other
// requests keep being answered. Whoever waits holds a file in memory: the queue is bounded.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer } from './file-reader-thread.ts';
import { FileRefused, overLimit } from './file-refused.ts';
import type { PickUpPointName } from './pick-up-points.ts';
import type { FileReading, FileToRead } from './read-file.ts';
import type { UploadLimits } from './upload-limits.ts';

/** The thread's module is beside this one, as source or as built. */
const threadModule = new URL(`./file-reader-thread${extname(import.meta.url)}`, import.meta.url);

export class FileReader {
  readonly #limits: UploadLimits;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;
  #thread: Worker | undefined;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** Throws FileRefused for a file that cannot be read, or when too many wait. */
  async read(content: Uint8Array, pickUpPoints: readonly PickUpPointName[]): Promise<FileReading> {
    const limits = this.#limits;
    if (content.byteLength > limits.fileBytes) throw overLimit('is too large', limits.fileBytes, 'bytes');
    if (this.#waiting > limits.waiting)
      throw new FileRefused('RateLimitExceeded', `${limits.waiting} uploads are waiting; try again later`);
    this.#waiting += 1;
    try {
      const turn = this.#last.then(() => this.#inThread({ content, pickUpPoints, limits }));
      this.#last = turn.catch(() => undefined);
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Ends the thread that reads now; whoever waits fails. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.terminate();
  }

  async #inThread(file: FileToRead): Promise<FileReading> {
    if (this.#closed) throw new Error('The file reader is closed');
    const { seconds, memoryMegabytes } = file.limits;
    const thread = new Worker(threadModule, {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 64 },
    });
    this.#thread = thread;
    try {
      const answer = await answerOf(thread, seconds);
      if ('reading' in answer) return answer.reading;
      throw new FileRefused(answer.refused.code, answer.refused.message);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      throw overLimit('takes too much memory to read', memoryMegabytes, 'megabytes');
    } finally {
      await thread.terminate();
      this.#thread = undefined;
    }
  }
}

const answerOf = (thread: Worker, seconds: number): Promise<ThreadAnswer> =>
  new Promise((resolve, reject) => {
    const outOfTime = () => reject(overLimit('takes too long to read', seconds, 'seconds'));
    const timer = setTimeout(outOfTime, seconds * 1_000);
    thread.on('message', resolve);
    thread.on('error', reject);
    thread.on('exit', () => {
      clearTimeout(timer);
      reject(new Error('The thread that reads the file ended without an answer'));
    });
  });

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
