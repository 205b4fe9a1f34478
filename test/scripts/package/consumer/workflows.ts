// A consumer's own workflow and the published ones, in one worker bundle.
import { Issue } from 'lockerflow/workflows';

// The example of the docs, which exports those of lockerflow too.
export * from './own-project/workflows.js';
export { default } from './own-project/workflows.js';

let runs = 0;

/** Temporal freezes what the workflows of a worker share. */
export async function evaluated(): Promise<{ flowsAreShared: boolean; runs: number }> {
  runs += 1;
  return { flowsAreShared: Object.isFrozen(Issue), runs };
}
