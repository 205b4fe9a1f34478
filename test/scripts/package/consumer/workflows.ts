// A consumer's own workflow and the published ones, in one worker bundle.
import { Issue } from 'lockerflow/workflows';

export * from 'lockerflow/workflows';

let runs = 0;

/** Temporal freezes what the workflows of a worker share. */
export async function evaluated(): Promise<{ flowsAreShared: boolean; runs: number }> {
  runs += 1;
  return { flowsAreShared: Object.isFrozen(Issue), runs };
}
