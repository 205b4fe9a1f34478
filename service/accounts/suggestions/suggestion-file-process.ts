// The process that reads one uploaded file and then ends. In: a line of JSON, then the file. Out: lines of JSON, each
// an array of suggestions, and the outcome as the last. The process that starts it limits its time and memory.
import { Console } from 'node:console';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import type { ErrorCode } from '../../../contract/index.ts';
import { ApiError } from '../../api-error.ts';
import type { UploadLimits } from '../../upload-limits.ts';
import { type FileReading, type FileToRead, readFile } from './read-file.ts';

export type FileOutcome =
  | { readonly reading: Omit<FileReading, 'suggestions'> }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } }
  | { readonly failed: string };

/** The starter ends it first, unless the starter is gone. */
const GRACE_SECONDS = 2;
/** As Node's own flag for the heap counts. */
const MEGABYTE = 2 ** 20;
/** A look takes some microseconds; some 20 MB can be filled between two. */
const LOOK_EVERY_MS = 10;
/** Requests go first: priority 10 of 19 steps down. */
const NICENESS = 10;

async function outcomeOf(input: Buffer): Promise<FileOutcome> {
  const end = input.indexOf('\n');
  const settings: Omit<FileToRead, 'content'> = JSON.parse(input.toString('utf8', 0, end));
  endBeyond(settings.limits);
  try {
    const { suggestions, ...reading } = await readFile({
      ...settings,
      content: input.subarray(end + 1),
    });
    for (const chunk of suggestions) writeLine(chunk);
    return { reading };
  } catch (error) {
    if (error instanceof ApiError) return { refused: { code: error.code, message: error.message } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * An attacker may make a file whose reading never ends, or takes memory that is not of the heap and that no flag of Node bounds:
 * buffers and long texts. This thread ends the process, because the main thread is too busy to look.
 */
function endBeyond({ seconds, memoryMegabytes }: UploadLimits): void {
  const workerData = {
    ms: (seconds + GRACE_SECONDS) * 1_000,
    bytes: memoryMegabytes * MEGABYTE,
    everyMs: LOOK_EVERY_MS,
  };
  new Worker(watch, { eval: true, workerData }).unref();
}

const watch = `
  const { ms, bytes, everyMs } = require('node:worker_threads').workerData;
  const end = () => process.kill(process.pid, 'SIGKILL');
  setTimeout(end, ms);
  setInterval(() => process.memoryUsage.rss() > bytes && end(), everyMs);
`;

const writeLine = (line: string | Uint8Array): void => {
  // biome-ignore lint/plugin: the service reads it, not a terminal
  for (const each of [line, '\n']) process.stdout.write(each);
};

setPriority(NICENESS);
// The workbook library prints warnings; they must not get between the lines of the output.
globalThis.console = new Console(process.stderr);
writeLine(JSON.stringify(await outcomeOf(await buffer(process.stdin))));
