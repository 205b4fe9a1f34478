// Loaded into each thread of a program before the program itself: tells how much their heaps hold when asked (heap-in-use.ts).
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const questions = new BroadcastChannel('heap questions');
const answers = new BroadcastChannel('heap answers');
if (isMainThread) tellOfAllThreads();
else questions.onmessage = () => answers.postMessage(heapUsed());
// None of these must keep a thread from ending.
questions.unref();
answers.unref();

function heapUsed(): number {
  // Not as a flag of the process: what Node has compiled is kept for each set of flags, and no other process has this one.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  // What the first finds unreachable, finalizers let go: the second takes that, too.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

function tellOfAllThreads(): void {
  let threads = 0;
  process.on('worker', (thread) => {
    threads++;
    thread.once('exit', () => threads--);
  });
  process.on('message', () => {
    let sum = heapUsed();
    let awaited = threads;
    const tellIfWhole = () => awaited === 0 && process.send?.(sum);
    answers.onmessage = ({ data }: { data: unknown }) => {
      sum += Number(data);
      awaited--;
      tellIfWhole();
    };
    questions.postMessage(undefined);
    tellIfWhole();
  });
  process.channel?.unref();
}
