// The thread in which one uploaded file is read; it is ended after it. Its memory is bounded by whoever starts it.

import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '../../../contract/index.ts';
import { Refusal } from '../../refusal.ts';

import { type FileReading, type FileToRead, readFile } from './read-file.ts';

export type ThreadAnswer =
  | { readonly reading: FileReading }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

async function answer(): Promise<ThreadAnswer> {
  try {
    return { reading: await readFile(workerData as FileToRead) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: { code: error.code, message: error.message } };
    throw error;
  }
}

const given = await answer();
const buffers = 'reading' in given ? given.reading.suggestions.map(({ buffer }) => buffer) : [];
parentPort?.postMessage(given, buffers);
