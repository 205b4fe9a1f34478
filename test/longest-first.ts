// Begins with the files of tests that take longest, so that none of them runs alone at the end. Vitest knows how long each
// took only where it has run before: not on a clean checkout.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest on; each takes more than 20 s beside others on two cores. */
export const longest = [
  'local/start.slow',
  'package/package.slow',
  'console/rooms.slow',
  'local/backup/backup.slow',
  'client/command-line/parked-and-setup',
  'console/processes/list.slow',
  'chaos/restored.slow',
  'docker/docker.slow',
  'wall/kiosk.slow',
  'workflows/flow-files/events',
  'codec/encrypted-histories',
  'chaos/chaos',
  'client/command-line/verbs',
  'console/process/process-page',
  'end-to-end/sandbox-clock',
  'end-to-end/lost-answers',
  'client/receiver/bounded-questions',
  'proofs/killed-worker',
  'service/pages/pages',
  'client/parked-for-weeks',
  'end-to-end/rollout.slow',
  'client/receiver/routed-callbacks',
  'end-to-end/undoing',
  'service/token/keys-and-secrets',
  'bench/engines/engines.slow',
  'driver/foreign-machines',
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
