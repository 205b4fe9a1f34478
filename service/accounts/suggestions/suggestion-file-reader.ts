// Reads uploaded files one at a time, tenants in turn, each in a separate process with limited time and memory. The service
// keeps answering other requests, and a file that exhausts the memory ends only that process. (A thread is not enough: if a
// thread runs out of memory, Node sometimes ends the whole process.)
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Turns } from '../../../shared/limits/turns.ts';
import { ApiError } from '../../api-error.ts';
import type { UploadLimits } from '../../upload-limits.ts';
import { overLimit } from './file-kind.ts';
import type { FileReading, FileToRead } from './read-file.ts';
import type { PickUpPointName } from './suggestion.ts';
import type { FileOutcome } from './suggestion-file-process.ts';

/** The process's module is beside this one, as source or as built. */
const processModule = fileURLToPath(
  new URL(`./suggestion-file-process${extname(import.meta.url)}`, import.meta.url),
);

export class SuggestionFileReader {
  readonly #limits: UploadLimits;
  /** Tenants take turns. */
  readonly #turns = new Turns<number, () => void>();
  /** Resolves when nobody reads or waits; undefined where that is so. */
  #busy: PromiseWithResolvers<void> | undefined;
  #closed = false;
  #process: ChildProcess | undefined;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** Throws ApiError for a file that cannot be read. http/multipart.ts limits how many files wait. */
  async read(
    tenantId: number,
    content: Uint8Array,
    pickUpPoints: readonly PickUpPointName[],
  ): Promise<FileReading> {
    await this.#turnOf(tenantId);
    try {
      return await this.#inProcess({ content, pickUpPoints, limits: this.#limits });
    } finally {
      this.#next(tenantId);
    }
  }

  async #turnOf(tenantId: number): Promise<void> {
    if (!this.#busy) {
      this.#busy = Promise.withResolvers();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.wait(tenantId, resolve);
    await promise;
  }

  #next(former: number): void {
    this.#turns.ended(former);
    const go = this.#turns.next();
    if (go) {
      go();
      return;
    }
    this.#busy?.resolve();
    this.#busy = undefined;
  }

  /** Ends the process that reads now; waiting reads fail. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#process?.kill('SIGKILL');
    await this.#busy?.promise;
  }

  async #inProcess({ content, ...settings }: FileToRead): Promise<FileReading> {
    if (this.#closed) throw new Error('The file reader is closed');
    const { seconds, memoryMegabytes } = settings.limits;
    // It may read files (its own modules) and start a thread. It may not write files or start processes. Its garbage is
    // collected in the thread that steps back for others, not in four more that do not.
    const bounds = [`--max-old-space-size=${memoryMegabytes}`, '--single-threaded-gc'];
    const flags = [...bounds, '--permission', '--allow-fs-read=*', '--allow-worker'];
    const reading = spawn(process.execPath, [...flags, processModule], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
    });
    this.#process = reading;
    let outOfTime = false;
    const timer = setTimeout(() => {
      outOfTime = true;
      reading.kill('SIGKILL');
    }, seconds * 1_000);
    try {
      const ended = once(reading, 'close');
      // If the process ends before it has read everything, its exit reports that, not this error.
      reading.stdin.on('error', nothing);
      reading.stdin.write(`${JSON.stringify(settings)}\n`);
      reading.stdin.end(content);
      const lines = await linesOf(reading.stdout);
      const [code, signal] = await ended;
      if (outOfTime) throw overLimit('takes too long to read', seconds, 'seconds');
      if (code === 0) return readingOf(lines);
      if (isOutOfMemory(code, signal) && !this.#closed)
        throw overLimit('takes too much memory to read', memoryMegabytes, 'megabytes');
      throw new Error(`The process that reads an uploaded file ended with ${signal ?? code}`);
    } finally {
      clearTimeout(timer);
      this.#process = undefined;
    }
  }
}

const nothing = () => undefined;

/** V8 aborts; if the whole machine is short of memory, the kernel kills the process. */
const isOutOfMemory = (code: unknown, signal: unknown): boolean =>
  code === 134 || signal === 'SIGABRT' || signal === 'SIGKILL';

async function linesOf(stream: Readable): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  let pieces: Buffer[] = [];
  for await (const chunk of stream) {
    let rest: Buffer = chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      lines.push(Buffer.concat([...pieces, rest.subarray(0, end)]));
      pieces = [];
      rest = rest.subarray(end + 1);
    }
    pieces.push(rest);
  }
  return lines;
}

function readingOf(lines: readonly Buffer[]): FileReading {
  const outcome: FileOutcome = JSON.parse(lines.at(-1)?.toString() ?? '');
  if ('reading' in outcome) return { ...outcome.reading, suggestions: lines.slice(0, -1) };
  if ('refused' in outcome) throw new ApiError(outcome.refused.code, outcome.refused.message);
  throw new Error(`An uploaded file could not be read: ${outcome.failed}`);
}
