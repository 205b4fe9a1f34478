// A thread that does one job after the other for heavy-work.ts. It knows nothing of requests: data comes in, data goes out.
import { parentPort } from 'node:worker_threads';
import { checkTexts, contentsOf } from '../../client/flow-files/check-texts.ts';
import { layoutOf } from '../../engine/chart/layout.ts';

const jobs = { draw: layoutOf, contents: contentsOf, check: checkTexts };
export type HeavyJobs = typeof jobs;

export type Answer = { readonly done: unknown } | { readonly failed: Error };

/** Comes before the answer, once the thread has started: that may take long, and is not the job's time. */
export type Started = 'begun';

interface Job {
  readonly name: keyof HeavyJobs;
  readonly input: unknown;
}

parentPort?.on('message', async ({ name, input }: Job) => {
  parentPort?.postMessage('begun' satisfies Started);
  parentPort?.postMessage(await answerOf(name, input));
});

async function answerOf(name: keyof HeavyJobs, input: unknown): Promise<Answer> {
  try {
    return { done: await (jobs[name] as (given: unknown) => unknown)(input) };
  } catch (error) {
    return { failed: error instanceof Error ? error : new Error(String(error)) };
  }
}
