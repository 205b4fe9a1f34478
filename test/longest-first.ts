// Begins with the files of tests that take longest, so that none of them runs alone at the end. Vitest knows how long each
// took only where it has run before: not on a clean checkout.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest on; each takes more than 20 s beside others on two cores. */
export const longest = [
  'local/start.long',
  'tools/package/package.long',
  'console/rooms.long',
  'local/backup/backup.long',
  'console/processes/list.long',
  'chaos/chaos.long',
  'chaos/restored.long',
  'docker/docker.long',
  'wall/kiosk.long',
  'workflows/flow-files/events',
  'proofs/killed/worker.long',
  'client/command-line/verbs',
  'console/process/process-page.long',
  'service/pages/pages',
  'client/receiver/bounded-questions',
  'runtime/codec/encrypted-histories.long',
  'service/walls/hostile-walls',
  'end-to-end/lost-answers',
  'service/token/keys-and-secrets',
  'driver/continue-as-new',
  'client/parked-for-weeks.long',
  'workflows/flow-files/calls',
  'client/receiver/routed-callbacks',
  'activities/real-service',
  'service/walls/offline-lists',
  'end-to-end/sandbox-clock',
  'end-to-end/every-flow',
  'end-to-end/rollout.long',
  'tools/bench/engines/engines.long',
].map((name) => `test/${name}.test.ts`);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(root, moduleId));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
