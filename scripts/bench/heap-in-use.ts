// What the heaps of a program hold once their garbage is collected. The memory of its process swings by more than a hundred cached
// workflows take, with garbage that is not yet collected.
import { join } from 'node:path';
import type { Child } from '../../local/child-process.ts';

/** Option of Node.js for a program that is asked. */
export const tellsHeap = `--import=${join(import.meta.dirname, 'heap-teller.ts')}`;

/** Bytes, of all threads of the program, which is at rest: its next message is the answer. */
export async function heapInUse(child: Child): Promise<number> {
  const answer = child.message();
  child.send('heapInUse');
  return Number(await answer);
}
