// Reads uploaded files one at a time, each in a thread of its own that is bounded in time and memory, so that other
// requests keep being answered. How many may wait is bounded where their bodies are received.

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../refusal.ts';
import { overLimit } from './file-refusals.ts';
import type { PickUpPointName } from './pick-up-points.ts';
import type { FileReading, FileToRead } from './read-file.ts';
import type { ThreadAnswer } from './suggestion-file-thread.ts';
import type { UploadLimits } from './upload-limits.ts';

/** The thread's module is beside this one, as source or as built. */
const threadModule = new URL(`./suggestion-file-thread${extname(import.meta.url)}`, import.meta.url);

export class SuggestionFileReader {
  readonly #limits: UploadLimits;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;
  #thread: Worker | undefined;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** Throws Refusal for a file that cannot be read. */
  async read(content: Uint8Array, pickUpPoints: readonly PickUpPointName[]): Promise<FileReading> {
    const limits = this.#limits;
    const turn = this.#last.then(() => this.#inThread({ content, pickUpPoints, limits }));
    this.#last = turn.then(nothing, nothing);
    return await turn;
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
      throw new Refusal(answer.refused.code, answer.refused.message);
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

/** The queue keeps no result: it may be some 20 MB. */
const nothing = () => undefined;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
