// Flows run on the cluster while each of its processes is killed, and the network between them
// fails. The promises are those of chaos on one machine. It needs a build of the cluster.
import { test } from 'vitest';
import { missingPrograms } from '../../../scripts/cluster/programs.ts';
import { chaosSeed, planOf } from '../plan.ts';
import { playPlan } from '../play-plan.ts';
import { clusterTargets, startCluster } from './world.ts';

const { parts, ways } = clusterTargets;
/** So many of each part and each way. */
const EACH = 2;
const SIZE = {
  flows: 40,
  kills: EACH * parts.length,
  faults: EACH * ways.length,
};
/** Flows that are open at a time. */
const LANES = 8;
const TIMEOUT_MS = 7_200_000;

const seed = chaosSeed();

test(`${SIZE.flows} flows end right while each process of the cluster is killed ${EACH} times and the network fails ${SIZE.faults} times (seed ${seed})`, {
  timeout: TIMEOUT_MS,
}, async ({ skip }) => {
  const missing = await missingPrograms();
  if (missing.length > 0)
    return skip(`${missing.join(', ')} are not built yet: npm run cluster -- --only-build`);
  await playPlan(planOf(seed, SIZE, clusterTargets), LANES, startCluster);
});
