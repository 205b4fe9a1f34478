// Imported into each thread of a Node that is measured (--expose-gc): what all its heaps hold once their garbage is collected.
// The memory of the process swings by more than a hundred cached workflows take, with what is garbage and not yet collected.
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import type { Child } from '../../local/child-process.ts';

/** Options of Node.js for a program that is asked. */
export const tellsHeap = ['--expose-gc', `--import=${import.meta.url}`];

const QUESTION = 'heapInUse';
interface Answer {
  readonly heapInUse: number;
}

/** Bytes, of all threads of the program, which is at rest: its next message is the answer. */
export async function heapInUse(child: Child): Promise<number> {
  const answer = child.message();
  child.send(QUESTION);
  return ((await answer) as Answer).heapInUse;
}

function ownHeap(collect: NodeJS.GCFunction): number {
  // What the first finds unreachable, finalizers let go: the second takes that, too.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

const { gc } = globalThis;
if (gc !== undefined) tell(gc);

function tell(collect: NodeJS.GCFunction): void {
  const [questions, answers] = ['heap questions', 'heap answers'].map((name) => new BroadcastChannel(name));
  if (questions === undefined || answers === undefined) return;
  questions.unref();
  answers.unref();
  if (!isMainThread) {
    questions.onmessage = () => answers.postMessage(ownHeap(collect));
    return;
  }
  let threads = 0;
  process.on('worker', (thread) => {
    threads++;
    thread.once('exit', () => threads--);
  });
  process.on('message', (message) => {
    if (message !== QUESTION) return;
    let [sum, awaited] = [ownHeap(collect), threads];
    answers.onmessage = ({ data }: { data: unknown }) => {
      sum += Number(data);
      if (--awaited === 0) process.send?.({ heapInUse: sum } satisfies Answer);
    };
    questions.postMessage(QUESTION);
  });
}
